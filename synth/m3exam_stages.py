"""The simulator's stages of the M3Exam path: timeline, then dialogue (M3Exam §2.2)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memassay.schemas.asset import Asset
from memassay.schemas.base import Record
from memassay.schemas.bundle import Bundle
from memassay.schemas.errors import UsageError
from memassay.schemas.event import TimelineEvent
from memassay.schemas.finding import Severity
from memassay.schemas.hashing import file_sha256
from memassay.schemas.ids import natural_key
from memassay.schemas.ledger import Fact
from memassay.schemas.protocols import Scope, StageContext
from memassay.synth.casting import Sizes, cast
from memassay.synth.dialogue import Storyteller
from memassay.synth.history import History
from memassay.synth.material_rounds import show_material
from memassay.synth.persona_file import PERSONAS, SIDE_EVENTS, PersonaFile, load_persona
from memassay.synth.question_bank import QuestionBank
from memassay.synth.synthesis_rules import SYNTHESIS_RULES as SYNTHESIS_RULES
from memassay.synth.world import WorldMaker, persona_of

SHORTFALL = SYNTHESIS_RULES.declared(
    "questions.shortfall",
    Severity.WARNING,
    "A history holds as many questions of each type as the recipe asks for.",
    "M3Exam A.3, per-type target count",
)


class Personas:
    """The personas of a recipe, by id."""

    def __init__(self, names: Sequence[str], folder: Path) -> None:
        """Find the persona files: a name that ships, or a path relative to the recipe.

        Raises:
            UsageError: One does not exist, does not fit, or two have the same id.
        """
        self.files: dict[str, Path] = {}
        self.by_id: dict[str, PersonaFile] = {}
        for name in names:
            path = folder / name if name.endswith(".yaml") else PERSONAS / f"{name}.yaml"
            persona = load_persona(path)
            if persona.id in self.by_id:
                raise UsageError(f"personas: {persona.id} is named twice")
            self.by_id[persona.id], self.files[persona.id] = persona, path

    def hashes(self) -> dict[str, list[str]]:
        """By persona, the hashes of the files its history is drawn from."""
        side = file_sha256(SIDE_EVENTS)
        return {name: [file_sha256(path), side] for name, path in self.files.items()}


class TimelineStage:
    """Persona, events and facts; the world is fixed before a word is written."""

    name = "timeline"
    version = "2"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, personas: Personas, sizes: Sizes) -> None:
        """Say whose timelines to make and how long they are."""
        self.personas = personas
        self.sizes = sizes
        self.config: dict[str, Any] = {"sizes": vars(sizes)}

    def shards(self) -> dict[str, list[str]]:
        """By persona, the hashes of its files."""
        return self.personas.hashes()

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """One persona with its events and facts."""
        persona = self.personas.by_id[context.shard]
        cards = cast(persona, self.sizes, context.random)
        world = WorldMaker(persona, context.random).make(cards)
        yield persona_of(persona)
        yield from world.events
        yield from world.facts


class DialogueStage:
    """The conversation, its pictures and the mentions of its facts."""

    name = "dialogue"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"asset", "event", "fact"})

    def __init__(self, personas: Personas) -> None:
        """Take the personas; events carry the hash of the words they are told in."""
        self.personas = personas
        self.config: dict[str, Any] = {}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The conversation, assets and mentions of one persona, the user's own files included."""
        persona = self.personas.by_id[context.shard]
        facts = [record for record in records if isinstance(record, Fact)]
        events = [record for record in records if isinstance(record, TimelineEvent)]
        events.sort(key=lambda event: natural_key(event.id))
        teller = Storyteller(persona, facts, context.blobs, context.random)
        told = teller.tell(events)
        assets = [record for record in records if isinstance(record, Asset)]
        shown = show_material(told.conversation, assets, facts, context.random)
        yield shown.conversation
        yield from told.assets
        yield from told.mentions
        yield from shown.mentions


class QuestionStage:
    """The question bank, eight types, each gold the result of its query."""

    name = "questions"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "event", "fact", "mention", "asset"})

    def __init__(self, personas: Personas, wanted: Mapping[str, int]) -> None:
        """Say how many questions of each type every persona gets."""
        self.personas = personas
        self.wanted = dict(wanted)
        self.config: dict[str, Any] = {"questions": self.wanted}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The questions of one persona; a type that falls short is a finding."""
        persona = self.personas.by_id[context.shard]
        history = History(Bundle.from_records(records), persona)
        bank = QuestionBank(history, context.random)
        yield from bank.make(self.wanted)
        for code, missing in bank.shortfalls.items():
            got = self.wanted[code] - missing
            context.emit(
                SHORTFALL.finding(
                    persona.id,
                    "",
                    f"{persona.id}.questions.{code}: expected {self.wanted[code]}, got {got}",
                    "Ask for fewer, or make the history longer (sizes).",
                )
            )

"""The simulator's stages of the M3Exam path: timeline, then dialogue (M3Exam §2.2)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import combined_hash, content_hash, file_sha256
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.flaw import Flaw, FlawKind
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.findings import SYNTHESIS_RULES as SYNTHESIS_RULES
from memassay.synth.flaws.in_dialogues import DialoguePlanter
from memassay.synth.flaws.in_timelines import TimelinePlanter
from memassay.synth.flaws.planting import FLAW_SHORTFALL, Flaws, Planted, flaw_records
from memassay.synth.material.rounds import show_material
from memassay.synth.paths.m3exam.model_mending import ModelMender
from memassay.synth.paths.m3exam.model_wording import ModelWording
from memassay.synth.questions.bank import MAKERS, QuestionBank
from memassay.synth.questions.history import USUAL_REACH, History
from memassay.synth.sourcing.rounds import SourcedImages
from memassay.synth.telling.mending import (
    DialogueMender,
    dialogue_part_of,
    dialogue_parts,
    mended_timeline,
    timeline_part_of,
    timeline_parts,
)
from memassay.synth.telling.storyteller import Storyteller
from memassay.synth.world.casting import cast
from memassay.synth.world.dials import UNTURNED, Dials
from memassay.synth.world.maker import WorldMaker, persona_of
from memassay.synth.world.persona_file import PERSONAS, SIDE_EVENTS, PersonaFile, load_persona
from memassay.synth.world.sizes import Sizes, missed

SHORTFALL = SYNTHESIS_RULES.declared(
    "questions.shortfall",
    Severity.WARNING,
    "A history holds as many questions of each type as the recipe asks for.",
    "M3Exam A.3, per-type target count",
)


SIZE_MISSED = SYNTHESIS_RULES.declared(
    "sizes.missed",
    Severity.WARNING,
    "A history is as large as the recipe asks for.",
    "design: a recipe's sizes are kept, or the run says which are missed",
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
    version = "4"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(
        self,
        personas: Personas,
        sizes: Sizes,
        flaws: Mapping[str, int] | None = None,
        dials: Dials = UNTURNED,
    ) -> None:
        """Say whose timelines to make, how long, of which cards, and which flaws to plant."""
        self.personas = personas
        self.sizes = sizes
        self.flaws = Flaws(flaws or {}, personas.by_id)
        self.dials = dials
        self.config: dict[str, Any] = {
            "sizes": sizes.config,
            "dials": vars(dials),
            **self.flaws.config,
        }

    def shards(self) -> dict[str, list[str]]:
        """By persona, the hashes of its files."""
        return self.personas.hashes()

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """One persona with its events and facts, and the flaws planted into them."""
        persona = self.personas.by_id[context.shard]
        clean = self._world(context)
        self._report_missed(persona, clean, context)
        wanted = self.flaws.share(persona.id, self.name)
        planter = TimelinePlanter(persona, self.flaws.donors(persona.id), clean, context.random)
        planted = planter.plant(wanted)
        before, after = self.parts(clean), self.parts(planter.records)
        yield from planter.records
        yield from flaw_records(persona.id, self.name, planted, before, after)
        _report_shortfall(persona.id, self.name, wanted, planted, context)

    def _world(self, context: StageContext) -> list[Record]:
        persona = self.personas.by_id[context.shard]
        cards = cast(persona, self.sizes, context.random, self.dials)
        world = WorldMaker(persona, context.random).make(cards)
        return [persona_of(persona), *world.events, *world.facts]

    def _report_missed(
        self, persona: PersonaFile, world: Sequence[Record], context: StageContext
    ) -> None:
        events = [one for one in world if isinstance(one, TimelineEvent)]
        told = {event.card for event in events}
        cards = [card for card in (*persona.cards, *persona.side) if card.id in told]
        sessions = len({event.session for event in events})
        for one in missed(persona, self.sizes, cards, sessions):
            message = f"{persona.id}.sizes.{one.field}: expected {one.asked:g}, got {one.got:g}"
            fix = "Change this size, or another that leaves it no room."
            context.emit(SIZE_MISSED.finding(persona.id, "", message, fix))

    def parts(self, made: Sequence[Record]) -> Mapping[str, str]:
        """Content hash by part: each event with its facts."""
        return timeline_parts([one for one in made if not isinstance(one, Flaw)])

    def part_of(self, finding: Finding, made: Sequence[Record]) -> str | None:
        """The event that a finding is about."""
        return timeline_part_of(finding, made)

    def repair(
        self,
        _given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        _attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The timeline with its flagged events as the world has them."""
        return mended_timeline(made, self._world(context), flagged)


class DialogueStage:
    """The conversation, its pictures and the mentions of its facts."""

    name = "dialogue"
    version = "2"
    scope = Scope.CONVERSATION
    reads = frozenset({"asset", "event", "fact", "persona"})

    def __init__(
        self,
        personas: Personas,
        flaws: Mapping[str, int] | None = None,
        models: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the personas and flaws, and which models word it if the grammar does not.

        Events carry the hash of the words that the grammar tells them in.
        """
        self.personas = personas
        self.flaws = Flaws(flaws or {}, personas.by_id)
        self.models = models
        self.config: dict[str, Any] = {
            **self.flaws.config,
            **({"models": models} if models else {}),
        }

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The dialogue of one persona, the user's own files and planted flaws included."""
        persona = self.personas.by_id[context.shard]
        clean = self._told(records, context)
        wanted = self.flaws.share(persona.id, self.name)
        planter = DialoguePlanter(
            persona, self.flaws.donors(persona.id), records, clean, context.random
        )
        planted = planter.plant(wanted)
        before, after = (self.parts(made) for made in (clean, planter.records))
        yield from planter.records
        yield from flaw_records(persona.id, self.name, planted, before, after)
        _report_shortfall(persona.id, self.name, wanted, planted, context)

    def _told(self, records: Sequence[Record], context: StageContext) -> list[Record]:
        """The conversation, assets and mentions of one persona."""
        told = self._teller(records, context).tell(_events(records))
        assets = [record for record in records if isinstance(record, Asset)]
        facts = [record for record in records if isinstance(record, Fact)]
        shown = show_material(told.conversation, assets, facts, context.random)
        made = [shown.conversation, *told.assets, *told.mentions, *shown.mentions]
        return SourcedImages(assets, facts, context.random).told(made)

    def _teller(self, records: Sequence[Record], context: StageContext) -> Storyteller:
        facts = [record for record in records if isinstance(record, Fact)]
        persona = self.personas.by_id[context.shard]
        teller = Storyteller(persona, facts, context.blobs, context.random)
        if self.models:
            teller.wording = ModelWording(persona, context.write, teller.scenery.pixels)
        return teller

    def parts(self, made: Sequence[Record]) -> Mapping[str, str]:
        """Content hash by part: each round with its mentions, each session's head."""
        return dialogue_parts([one for one in made if not isinstance(one, Flaw)])

    def part_of(self, finding: Finding, made: Sequence[Record]) -> str | None:
        """The round or session that a finding is about."""
        return dialogue_part_of(finding, made)

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The dialogue with its flagged rounds told again in words drawn afresh."""
        teller, events = self._teller(given, context), _events(given)

        def mended(made: Sequence[Record]) -> Sequence[Record]:
            if self.models:
                mender = ModelMender(teller, events, made, context.random, context.write)
                return mender.mended(flagged, attempt)
            return DialogueMender(teller, events, made, context.random).mended(flagged, attempt)

        assets = [record for record in given if isinstance(record, Asset)]
        facts = [record for record in given if isinstance(record, Fact)]
        return SourcedImages(assets, facts, context.random).around(made, flagged, mended)


def _events(records: Sequence[Record]) -> list[TimelineEvent]:
    events = [record for record in records if isinstance(record, TimelineEvent)]
    return sorted(events, key=lambda event: event.position)


def _report_shortfall(
    persona: str,
    stage: str,
    wanted: Mapping[FlawKind, int],
    planted: Sequence[Planted],
    context: StageContext,
) -> None:
    for kind, number in wanted.items():
        got = sum(one.kind is kind for one in planted)
        if got < number:
            message = f"{persona}.flaws.{kind}: expected {number} in its {stage}, got {got}"
            fix = "Ask for fewer, or make the history longer (sizes)."
            context.emit(FLAW_SHORTFALL.finding(persona, "", message, fix))


class QuestionStage:
    """The question bank, eight types, each gold the result of its query."""

    name = "questions"
    version = "4"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "event", "fact", "mention", "asset"})

    def __init__(
        self,
        personas: Personas,
        wanted: Mapping[str, int],
        with_documents: Mapping[str, int] | None = None,
        reach: float = USUAL_REACH,
    ) -> None:
        """Say how many questions of each type every persona gets, and how far they reach.

        A history that shows documents gets the numbers of `with_documents` where they are given.
        """
        self.personas = personas
        self.wanted = dict(wanted)
        self.with_documents = dict(with_documents or {})
        self.reach = reach
        self.config: dict[str, Any] = {
            "questions": self.wanted,
            "document_questions": self.with_documents,
            "reach": reach,
        }

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """Items and tallies of one persona, type by type; what falls short is a finding."""
        persona = self.personas.by_id[context.shard]
        bundle = Bundle.from_records(records)

        @cache
        def bank() -> QuestionBank:
            return QuestionBank(History(bundle, persona, self.reach), context.random)

        read = combined_hash(content_hash(record) for record in records)
        inputs: list[JsonValue] = [read, content_hash(persona.model_dump(mode="json")), self.reach]
        for code in MAKERS:
            target = self._targets(bundle).get(code, 0)

            def make(code: str = code, target: int = target) -> list[Record]:
                items, tally = bank().of_type(code, target)
                return [*items, tally]

            made = context.unit(f"bank/{code}", [*inputs, target], make) if target else []
            yield from made
            for tally in made:
                if isinstance(tally, BankTally) and tally.kept < tally.wanted:
                    context.emit(_shortfall(tally))

    def _targets(self, bundle: Bundle) -> dict[str, int]:
        shown = {image.asset for _, image in bundle.conversation.attachments()}
        pages = any(asset.parent for asset in bundle.assets if asset.id in shown)
        return {**self.wanted, **(self.with_documents if pages else {})}


def _shortfall(tally: BankTally) -> Finding:
    return SHORTFALL.finding(
        tally.conversation,
        "",
        f"{tally.conversation}.questions.{tally.code}: expected {tally.wanted}, got {tally.kept}",
        "Ask for fewer, or make the history longer (sizes).",
    )

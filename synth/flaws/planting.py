"""Planted flaws: how many go where, and the record of each.

The simulator can plant what M3Exam's self-checks look for (§2.2, A.4), so that audits are
measured on histories whose flaws are known. Flaws are planted after a stage has made its records
and before anything audits them; no rule ever reads where they are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.flaw import Flaw, FlawKind
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import PersonaFile

TIMELINE: Final = "timeline"
DIALOGUE: Final = "dialogue"
_DRAWS: Final = 8

FLAW_SHORTFALL = SYNTHESIS_RULES.declare(
    "flaws.shortfall",
    Severity.WARNING,
    "A history takes as many planted flaws of each kind as the recipe asks for.",
    "design: the simulator's dials",
)


@dataclass(frozen=True)
class Flaws:
    """The flaws of a recipe: how many of each kind, dealt evenly to its personas and stages.

    Attributes:
        wanted: Number by kind, over all personas.
        personas: Every persona of the recipe, by id; flaws borrow from other people's lives.
    """

    wanted: Mapping[str, int]
    personas: Mapping[str, PersonaFile]

    @property
    def config(self) -> dict[str, Any]:
        """What a stage's units depend on; nothing where nothing is planted."""
        if not any(self.wanted.values()):
            return {}
        donors = [self.personas[name].model_dump(mode="json") for name in sorted(self.personas)]
        return {"flaws": {"wanted": dict(self.wanted), "donors": content_hash(donors)}}

    def share(self, persona: str, stage: str) -> dict[FlawKind, int]:
        """How many of each kind a stage plants into one persona's history."""
        names = sorted(self.personas)
        mine: dict[FlawKind, int] = {}
        for offset, kind in enumerate(FlawKind):
            for number in range(self.wanted.get(kind, 0)):
                owner = names[(number + offset) % len(names)]
                if owner == persona and _stage(kind, number, len(names)) == stage:
                    mine[kind] = mine.get(kind, 0) + 1
        return mine

    def donors(self, persona: str) -> list[PersonaFile]:
        """The other personas; a recipe of one persona has none but itself and its side events."""
        return [self.personas[name] for name in sorted(self.personas) if name != persona]


def _stage(kind: FlawKind, number: int, personas: int) -> str:
    if kind is FlawKind.HALLUCINATION:
        return DIALOGUE
    # Each persona has its share in both stages, however many there are.
    turn = number if personas % 2 else number + number // personas
    return (TIMELINE, DIALOGUE)[turn % 2]


@dataclass(frozen=True)
class Planted:
    """What a planter did to one part.

    Attributes:
        kind: What the audit should find.
        target: Name of the part.
        form: Which way it was planted.
        changed: What is there now.
    """

    kind: FlawKind
    target: str
    form: str
    changed: str


Plant = Callable[[Random], Planted | None]
"""Plants one flaw somewhere; None where a way that was drawn has no place left."""


def planted_by(
    plants: Mapping[FlawKind, Plant], wanted: Mapping[FlawKind, int], randoms: Randoms
) -> list[Planted]:
    """Plant flaws kind by kind; where one finds no place, another way is drawn a few times."""
    done: list[Planted] = []
    for kind, plant in plants.items():
        for number in range(wanted.get(kind, 0)):
            for draw in range(_DRAWS):
                one = plant(randoms("flaws", str(kind), str(number), str(draw)))
                if one is not None:
                    done.append(one)
                    break
    return done


def flaw_records(
    conversation: str,
    stage: str,
    planted: Sequence[Planted],
    clean: Mapping[str, str],
    flawed: Mapping[str, str],
) -> list[Flaw]:
    """The records of planted flaws.

    Args:
        conversation: Id of the conversation.
        stage: Stage whose records they are in.
        planted: What was planted, a part at most once.
        clean: Content hash by part before.
        flawed: Content hash by part after.
    """
    return [
        Flaw(
            id=record_id(conversation, f"flaw-{stage}-{number}"),
            conversation=conversation,
            kind=one.kind,
            stage=stage,
            target=one.target,
            form=one.form,
            changed=one.changed,
            clean_sha256=clean[one.target],
            flawed_sha256=flawed[one.target],
        )
        for number, one in enumerate(planted, start=1)
    ]

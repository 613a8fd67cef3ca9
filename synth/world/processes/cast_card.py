"""A card of a persona, or a stage of one, with its place in a history."""

from dataclasses import dataclass
from datetime import date

from memassay.schemas.records.event import EventLine
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.processes.parts import StagePart


@dataclass(frozen=True)
class CastCard:
    """A card, or the part of it that a stage tells, with its line and when it comes up.

    Attributes:
        card: The card or part.
        line: Its line.
        session: 1-based session that tells it.
        told: Day of that session.
        happened: Day on which it happened.
        outcomes: How what the card leaves open turned out.
    """

    card: CardSpec
    line: EventLine
    session: int
    told: date
    happened: date
    outcomes: dict[str, str]

    @property
    def stage(self) -> str | None:
        """The stage of the card, where that has any."""
        return self.card.stage if isinstance(self.card, StagePart) else None

    @property
    def opens(self) -> int:
        """Minute of the day from which on it can happen."""
        return self.card.stages[self.stage].opens if self.stage else 0

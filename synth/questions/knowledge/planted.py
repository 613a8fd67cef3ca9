"""What was planted in a history: a fact, what it does to another one, and how it is asked for."""

from dataclasses import dataclass
from enum import StrEnum

from memassay.schemas.records.ledger import Fact


class PlantKind(StrEnum):
    """What a later fact does to an earlier one of its subject.

    Of a merge the later fact takes the place of several, and has a property of its own.
    """

    CORRECTION = "correction"
    CHANGE = "change"
    MERGE = "merge"
    CONTRADICTION = "contradiction"
    AGREEMENT = "agreement"

    @property
    def revises(self) -> bool:
        """Whether the later fact takes the place of the earlier one."""
        return self in (PlantKind.CORRECTION, PlantKind.CHANGE, PlantKind.MERGE)


@dataclass(frozen=True)
class Planted:
    """Two facts of one subject, the second told later than the first.

    Attributes:
        kind: What the later one does.
        before: The earlier one.
        after: The later one.
        claim: What both say, as a sentence with `{value}`.
        ask: Question for what holds at the end; of what revises.
    """

    kind: PlantKind
    before: Fact
    after: Fact
    claim: str
    ask: str = ""

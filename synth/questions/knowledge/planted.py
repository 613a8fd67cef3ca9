"""What was planted in a history: a fact, what it does to another one, and how it is asked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactOperation, FactScope, FactStatus


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
        ask: Question for what holds at the end; of what revises.
        claim: A statement about `{value}`; of what revises.
        about: What is spoken of, as a noun phrase; of a contradiction or an agreement.
    """

    kind: PlantKind
    before: Fact
    after: Fact
    ask: str = ""
    claim: str = ""
    about: str = ""


def revisions(history: Bundle) -> Iterator[Planted]:
    """Every correction and change of a ledger, under questions that any subject fits."""
    known = {one.id: one for one in history.facts}
    for fact in history.facts:
        old = [known[name] for name in fact.supersedes if name in known]
        if fact.operation is not FactOperation.REVISE or len(old) != 1 or not _is_told(fact):
            continue
        was_wrong = old[0].status is FactStatus.RETRACTED
        kind = PlantKind.CORRECTION if was_wrong else PlantKind.CHANGE
        named = f"the {fact.attribute.replace('_', ' ')} of {fact.subject.replace('_', ' ')}"
        ask = f"After the correction, what is {named}?" if was_wrong else f"What is {named} now?"
        claim = f"{named[0].upper()}{named[1:]} is {{value}}."
        yield Planted(kind, old[0], fact, ask=ask, claim=claim, about=named)


def _is_told(fact: Fact) -> bool:
    return fact.scope is FactScope.HISTORY and fact.status is FactStatus.ASSERTED

"""What flows between the operators of a query: facts or scalars, with what they rest on."""

from collections.abc import Iterable
from dataclasses import dataclass

from memassay.schemas.queries.scalars.scalar import Scalar
from memassay.schemas.records.ledger import Fact


@dataclass(frozen=True)
class FactList:
    """Facts on their way through a query.

    Attributes:
        facts: The facts, by place in the conversation, or in sequence.
        why: Ids of the facts that the result rests on.
        aside: Facts taken back by asking time; only `as_of` looks at them.
        context: Ids of facts that were passed over: superseded, taken back, ended.
        settled: Ids of facts that `as_of` found to hold at its point.
        in_sequence: Whether the order of the facts is part of the result.
        over: Facts passed over because they had ended at the point of `as_of`.
    """

    facts: tuple[Fact, ...]
    why: frozenset[str]
    aside: tuple[Fact, ...] = ()
    context: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()
    in_sequence: bool = False
    over: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Values:
    """Scalars on their way through a query.

    Attributes:
        scalars: The values, in order of place or of a sequence.
        why: Ids of the facts that the result rests on.
        context: Ids of facts that were passed over: superseded, taken back, ended.
        in_sequence: Whether the order of the values is part of the result.
        denials: Those of why that are proven by their denial.
        told: Those of these that have to be read as stated too.
    """

    scalars: list[Scalar]
    why: frozenset[str]
    context: frozenset[str] = frozenset()
    in_sequence: bool = False
    denials: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()


def ids(facts: Iterable[Fact]) -> frozenset[str]:
    """Ids of some facts."""
    return frozenset(fact.id for fact in facts)

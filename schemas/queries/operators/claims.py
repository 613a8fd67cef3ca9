"""The operator `conflict`: whether facts contradict what a question asserts."""

from typing import NamedTuple

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.queries.grammar.expressions import Facts
from memassay.schemas.queries.grammar.truth import Claim, Conflict
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList, Values, ids
from memassay.schemas.queries.scalars.arithmetic import are_same
from memassay.schemas.queries.scalars.dates import date_order
from memassay.schemas.queries.scalars.scalar import literal, truth, value_of
from memassay.schemas.records.ledger import Fact, FactScope, ValueType
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.text import normalise


def conflict(query: Conflict, run: Evaluation) -> Values:
    """Truth; why is the facts that contradict a claim, or else those that confirm it.

    A claim of several facts is contradicted if one of them is.

    Raises:
        NoResultError: No fact speaks to the claim.
        AmbiguousError: Facts speak for both sides of one claim.
    """
    claims, claimed, passed = _claims(query.claim, run)
    found = run.some(query.against, "conflict.against")
    against: list[Fact] = []
    agreeing: list[Fact] = []
    for claim in claims:
        sides = _sides(claim, found, run)
        if sides.against and sides.agreeing:
            raise AmbiguousError(
                f"conflict: expected facts of one mind, got {sides.agreeing[0].id} for the claim "
                f"and {sides.against[0].id} against it; put as_of around the selection"
            )
        against += sides.against
        agreeing += sides.agreeing
    if not against and not agreeing:
        about = " or ".join(f"{claim.attribute} of {claim.subject}" for claim in claims)
        raise NoResultError(
            f"conflict: expected facts that speak to {about}, got none that do; check the filters"
        )
    beyond = found.why - ids(found.facts)
    return Values(
        [truth(bool(against))],
        ids(against or agreeing) | beyond | claimed,
        found.context | passed,
    )


def _claims(
    claim: Claim | Facts, run: Evaluation
) -> tuple[list[Claim], frozenset[str], frozenset[str]]:
    """What a question asserts, the facts this rests on, and those that were passed over.

    Raises:
        QueryTypeError: A fact is none of the question's own material.
    """
    if isinstance(claim, Claim):
        return [claim], frozenset(), frozenset()
    found = run.some(claim, "conflict.claim")
    for fact in found.facts:
        if fact.scope is not FactScope.QUESTION:
            raise QueryTypeError(
                f"conflict.claim: expected facts of the question's own images, got {fact.id} of "
                f"the {fact.scope}; select scope question"
            )
    claims = [
        # Not validated: the value of a fact may be empty.
        Claim.model_construct(
            subject=fact.subject, attribute=fact.attribute, value=value_of(fact).said
        )
        for fact in found.facts
    ]
    return claims, found.why, found.context


class _Sides(NamedTuple):
    against: list[Fact]
    agreeing: list[Fact]


def _sides(claim: Claim, found: FactList, run: Evaluation) -> _Sides:
    """The facts that contradict one claim, and those that confirm it."""
    sides = _Sides([], [])
    for fact in found.facts:
        if run.ledger.side(fact, "attribute") != normalise(claim.attribute):
            continue
        same_subject = run.ledger.side(fact, "subject") == normalise(claim.subject)
        if not same_subject and claim.one == "value":
            continue
        same_value = _agrees(fact, claim.value)
        if same_subject and same_value:
            sides.agreeing.append(fact)
        elif same_value or (same_subject and fact.order is None and claim.one == "value"):
            sides.against.append(fact)
    return sides


def _agrees(fact: Fact, claim: str) -> bool:
    """Whether a fact says what a claim says; a coarser date that holds the fact's agrees."""
    value = value_of(fact)
    claimed = literal(claim, value, "conflict.claim")
    both_dates = value.type is ValueType.DATE and is_when(value.text)
    if both_dates and len(claimed.text) < len(value.text):
        return date_order(claimed.text, value.text) is None
    return are_same(value, claimed, "conflict.claim")

"""The operator `conflict`: whether facts contradict what a question asserts."""

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryError
from memassay.schemas.queries.grammar.truth import Claim, Conflict
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import Values, ids
from memassay.schemas.queries.scalars.arithmetic import are_same
from memassay.schemas.queries.scalars.dates import date_order
from memassay.schemas.queries.scalars.scalar import literal, truth, value_of
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.text import normalise


def conflict(query: Conflict, run: Evaluation) -> Values:
    """Truth; why is the facts that contradict the claim, or else those that confirm it."""
    claim = query.claim
    if not isinstance(claim, Claim):
        raise QueryError("conflict.claim: expected a stated claim, got facts")
    found = run.some(query.against, "conflict.against")
    against: list[Fact] = []
    agreeing: list[Fact] = []
    for fact in found.facts:
        if run.ledger.side(fact, "attribute") != normalise(claim.attribute):
            continue
        same_subject = run.ledger.side(fact, "subject") == normalise(claim.subject)
        if not same_subject and claim.one == "value":
            continue
        same_value = _agrees(fact, claim.value)
        if same_subject and same_value:
            agreeing.append(fact)
        elif same_value or (same_subject and fact.order is None and claim.one == "value"):
            against.append(fact)
    if not against and not agreeing:
        raise NoResultError(
            f"conflict: expected facts that speak to {claim.attribute} of {claim.subject}, got "
            "none that do; check the filters"
        )
    if against and agreeing:
        raise AmbiguousError(
            f"conflict: expected facts of one mind, got {agreeing[0].id} for the claim and "
            f"{against[0].id} against it; put as_of around the selection"
        )
    beyond = found.why - ids(found.facts)
    return Values([truth(bool(against))], ids(against or agreeing) | beyond, found.context)


def _agrees(fact: Fact, claim: str) -> bool:
    """Whether a fact says what a claim says; a coarser date that holds the fact's agrees."""
    value = value_of(fact)
    claimed = literal(claim, value, "conflict.claim")
    both_dates = value.type is ValueType.DATE and is_when(value.text)
    if both_dates and len(claimed.text) < len(value.text):
        return date_order(claimed.text, value.text) is None
    return are_same(value, claimed, "conflict.claim")

"""The operator `as_of`: what held at a point."""

from typing import Final

from memassay.schemas.errors import NotVisibleError, QueryTypeError
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.grammar.expressions import AsOf, Scalars
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList, ids
from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.civil_time import is_when

END: Final = "end"
"""The point of `as_of` that means asking time."""


def as_of(query: AsOf, run: Evaluation) -> FactList:
    """The facts that held; those passed over are context and support nothing."""
    of = run.facts(query.of)
    pool = run.ledger.ordered([*of.facts, *of.aside])
    held, known, support = _held(query.at, pool, run)
    facts = tuple(fact for fact in pool if fact.id in held)
    return FactList(
        facts=facts,
        why=((of.why - ids(pool)) | ids(facts) | support),
        context=(of.context - ids(pool)) | (known - held),
        settled=held,
    )


def _held(
    at: "str | Scalars", pool: list[Fact], run: Evaluation
) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Ids of the facts that held at a point, of those known by it, and why that point."""
    support: frozenset[str] = frozenset()
    if not isinstance(at, str):
        scalar, found = run.one(at, at.op)
        at, support = scalar.text, found.why
        if not is_when(at) and parse_place(at) is None:
            raise QueryTypeError(f"as_of.at: expected a date or session, got {at!r}")
    if is_when(at):
        held = [fact for fact in pool if run.states.held_on(fact, at, run.moment)]
        return ids(held), ids(pool), support
    moment = run.moment if at == END else run.ledger.point(at)
    if not moment.sessions <= run.moment.sessions:
        raise NotVisibleError(
            f"as_of.at: expected a point no later than asking time, got {at!r}; ask later"
        )
    held = [fact for fact in pool if run.states.held_at(fact, moment)]
    known = [fact for fact in pool if run.ledger.known(fact, moment)]
    return ids(held), ids(known), support

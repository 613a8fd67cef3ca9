"""The operator `as_of`: what held at a point."""

from typing import Final, NamedTuple

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
    pool = run.ledger.in_order([*of.facts, *of.aside])
    point = _point(query.at, pool, run)
    nothing_yet = is_when(point.at) or not point.known
    if pool and nothing_yet and not point.held | point.over:
        run.early = point.at
    return FactList(
        facts=tuple(fact for fact in pool if fact.id in point.held),
        why=((of.why - ids(pool)) | point.held | point.support),
        context=(of.context - ids(pool)) | (point.known - point.held),
        settled=point.held,
        over=(*of.over, *(fact for fact in pool if fact.id in point.over)),
    )


class _Point(NamedTuple):
    """A point, ids of the facts that held at it, were known by it and over at it; why it."""

    at: str
    held: frozenset[str]
    known: frozenset[str]
    over: frozenset[str]
    support: frozenset[str]


def _point(at: "str | Scalars", pool: list[Fact], run: Evaluation) -> _Point:
    support: frozenset[str] = frozenset()
    if not isinstance(at, str):
        scalar, found = run.one(at, at.op)
        at, support = scalar.text, found.why
        if not is_when(at) and parse_place(at) is None:
            raise QueryTypeError(f"as_of.at: expected a date or session, got {at!r}")
    if is_when(at):
        held = [fact for fact in pool if run.states.held_on(fact, at, run.moment)]
        over = [fact for fact in pool if run.states.over_on(fact, at, run.moment)]
        return _Point(at, ids(held), ids(pool), ids(over), support)
    moment = run.moment if at == END else run.ledger.point(at)
    if not moment.sessions <= run.moment.sessions:
        raise NotVisibleError(
            f"as_of.at: expected a point no later than asking time, got {at!r}; ask later"
        )
    known = [fact for fact in pool if run.ledger.is_known(fact, moment)]
    held = [fact for fact in known if run.states.held_at(fact, moment)]
    over = [fact for fact in known if run.states.ending(fact, moment) is not None]
    return _Point(at, ids(held), ids(known), ids(over), support)

"""The operators `absent`, `exists` and `ended`: never there, there, or there and no more."""

from memassay.schemas.errors import EndedError, QueryError
from memassay.schemas.queries.grammar.expressions import AsOf, Facts, SelectFacts, Where
from memassay.schemas.queries.grammar.query import parts
from memassay.schemas.queries.grammar.truth import Absent, Ended, Exists
from memassay.schemas.queries.operators.bounds import within_bounds
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.filters import Filter
from memassay.schemas.queries.operators.flow import FactList, Values, ids
from memassay.schemas.queries.scalars.scalar import truth
from memassay.schemas.records.ledger import Fact, FactOperation


def absent(query: Absent, run: Evaluation) -> Values:
    """Truth; an absence rests on nothing, what is there on itself.

    Raises:
        EndedError: Something was there, and has ended.
    """
    found = run.facts(query.of)
    _refuse_ended(query, found, run)
    return Values([truth(not found.facts)], ids(found.facts), found.context)


def exists(query: Exists, run: Evaluation) -> Values:
    """Truth; what is there rests on itself, an absence on nothing.

    Raises:
        EndedError: Something was there, and has ended.
    """
    found = run.facts(query.of)
    _refuse_ended(query, found, run)
    why = found.why if found.facts else frozenset()
    return Values([truth(bool(found.facts))], why, found.context)


def all_ended(query: Ended, run: Evaluation) -> Values:
    """Whether nothing of what was there holds any more.

    Why is what says so of each end: what deletes or replaces it, its denial, or (past its
    `valid_to`) the fact itself; if something has not ended, that.

    Raises:
        NoResultError: Nothing was there.
    """
    found = run.facts(query.of)
    pool = run.ledger.in_order([*found.facts, *found.aside]) or _passed_over(query.of, found, run)
    if not pool:
        raise run.nothing("ended")
    beyond, context = found.why - ids(found.facts), found.context | ids(pool)
    endings = [run.states.ending(fact, run.moment) for fact in pool]
    lasting = [fact for fact, ending in zip(pool, endings, strict=True) if ending is None]
    if lasting:
        return Values([truth(False)], ids(lasting) | beyond, context)
    told = [ending for ending in endings if ending is not None]
    denials = ids(ending.by for ending in told if ending.in_denial)
    stated = ids(ending.by for ending in told if not ending.in_denial) | beyond
    return Values([truth(True)], denials | stated, context, denials=denials, told=denials & stated)


def _refuse_ended(query: Absent | Exists, found: FactList, run: Evaluation) -> None:
    """Refuse to call absent, or there, what was there and has ended.

    What `as_of` found to hold at its point was there then, whatever came later.
    """
    states, moment = run.states, run.moment
    for fact in found.facts:
        if fact.id in found.settled or states.ending(fact, moment) is None:
            return
    gone = [*found.facts, *found.aside, *_passed_over(query.of, found, run)]
    for fact in run.ledger.in_order(gone)[:1]:
        ending = states.ending(fact, moment)
        told = ending.told if ending else f"{fact.id}, which no longer held"
        raise EndedError(f"{query.op}: expected what never ended, got {told}; ask for `ended`")


def _passed_over(of: Facts, found: FactList, run: Evaluation) -> list[Fact]:
    """What `as_of` passed over as ended, and deletions that the filters of a selection fit."""
    while isinstance(of, AsOf):
        of = of.of
    deletions: tuple[Fact, ...] = ()
    if isinstance(of, SelectFacts) and of.of is None and of.where.operation is None:
        wide = of.where.model_copy(update={"operation": FactOperation.DELETE, "during": None})
        fitting = Filter(wide, run.ledger, run.moment).select().facts
        deletions = tuple(fact for fact in fitting if _clearly_fits(fact, of.where, run))
    return run.ledger.in_order([*found.over, *deletions])


def _clearly_fits(fact: Fact, where: Where, run: Evaluation) -> bool:
    """Whether a deletion, which nobody asks for, fits all filters; what is open does not."""
    try:
        fits = Filter(where, run.ledger, run.moment).fits(fact)
        return fits and bool(within_bounds(FactList((fact,), frozenset()), where, run).facts)
    except QueryError:
        return False


def decoys(query: Absent | Exists, run: Evaluation) -> tuple[str, ...]:
    """What nearly is there: interference that fits, then what misses by one filter; by place."""
    filters = [
        Filter(part.where, run.ledger, run.moment)
        for _, part in parts(query.of)
        if isinstance(part, SelectFacts)
    ]
    jokes = run.ledger.in_order(fact for each in filters for fact in each.interference())
    near = run.ledger.in_order(fact for each in filters for fact in each.near_misses())
    return tuple(dict.fromkeys(fact.id for fact in [*jokes, *near]))

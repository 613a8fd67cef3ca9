"""The operators that find facts: `select` and `follow`."""

from dataclasses import replace

from memassay.schemas.errors import NoResultError
from memassay.schemas.queries.grammar.expressions import Follow, SelectFacts, Where
from memassay.schemas.queries.operators.bounds import within_bounds
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.filters import Filter
from memassay.schemas.queries.operators.flow import FactList, ids
from memassay.schemas.records.ledger import Fact


def select(query: SelectFacts, run: Evaluation) -> FactList:
    """The facts of the ledger, or of `of`, that fit every filter."""
    if query.of is None:
        return within_bounds(_select(query.where, run), query.where, run)
    of = run.facts(query.of)
    fits = Filter(query.where, run.ledger, run.moment).fits
    facts, aside = (tuple(filter(fits, each)) for each in (of.facts, of.aside))
    return within_bounds(replace(of, facts=facts, aside=aside), query.where, run)


def follow(query: Follow, run: Evaluation) -> FactList:
    """A join: facts whose one side equals a side of a fact of `of`; why is both sides."""
    of = run.some(query.of, "follow.of")
    joined: dict[str, set[str]] = {}
    for fact in of.facts:
        if (key := run.ledger.side(fact, query.from_)) is not None:
            joined.setdefault(key, set()).add(fact.id)
    if not joined:
        raise NoResultError("follow: expected facts with a source, got none; name another side")
    to = {str(query.to): sorted(joined)}
    where = Where.model_validate({"attribute": query.attribute, **to})
    found = _select(where, run)

    def follows(fact: Fact) -> bool:
        """Whether another fact leads to a fact: none is joined to itself."""
        return bool(joined[run.ledger.sides[fact.id][query.to]] - {fact.id})

    facts, aside = (tuple(filter(follows, each)) for each in (found.facts, found.aside))
    return FactList(facts, of.why | ids(facts), aside, of.context | ids(aside))


def _select(where: Where, run: Evaluation) -> FactList:
    selection = Filter(where, run.ledger, run.moment).select()
    run.hidden |= {fact.id: fact for fact in selection.hidden}
    facts, aside = selection.facts, selection.aside
    return FactList(facts, ids(facts), aside, ids(aside))

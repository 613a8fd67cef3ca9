"""The operators that find facts: `select` and `follow`."""

from collections.abc import Iterable
from dataclasses import replace

from memassay.schemas.errors import NoResultError
from memassay.schemas.queries.grammar.expressions import Follow, SelectFacts, Where
from memassay.schemas.queries.operators.bounds import bounded
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.filters import Filter
from memassay.schemas.queries.operators.flow import FactList, ids
from memassay.schemas.records.ledger import Fact


def select(query: SelectFacts, run: Evaluation) -> FactList:
    """The facts of the ledger, or of `of`, that fit every filter."""
    if query.of is None:
        return bounded(_selected(query.where, run), query.where, run)
    of = run.facts(query.of)
    fits = Filter(query.where, run.ledger, run.moment).fits
    facts, aside = (tuple(filter(fits, each)) for each in (of.facts, of.aside))
    return bounded(replace(of, facts=facts, aside=aside), query.where, run)


def follow(query: Follow, run: Evaluation) -> FactList:
    """A join: facts whose one side equals a side of a fact of `of`; why is both sides."""
    of = run.some(query.of, "follow.of")
    keys = {key for fact in of.facts if (key := run.ledger.side(fact, query.from_)) is not None}
    if not keys:
        raise NoResultError("follow: expected facts with a source, got none; name another side")
    to = {str(query.to): sorted(keys)}
    where = Where.model_validate({"attribute": query.attribute, **to})
    found = _selected(where, run, but=of.facts)
    return replace(found, why=of.why | found.why, context=of.context | found.context)


def _selected(where: Where, run: Evaluation, but: Iterable[Fact] = ()) -> FactList:
    selection = Filter(where, run.ledger, run.moment).select()
    left_out = ids(but)
    run.hidden |= {fact.id: fact for fact in selection.hidden}
    facts = tuple(fact for fact in selection.facts if fact.id not in left_out)
    aside = tuple(fact for fact in selection.aside if fact.id not in left_out)
    return FactList(facts, ids(facts), aside, ids(aside))

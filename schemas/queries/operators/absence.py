"""The operator `absent`: that nothing of a kind is known, and what nearly is."""

from memassay.schemas.queries.grammar.expressions import SelectFacts
from memassay.schemas.queries.grammar.query import parts
from memassay.schemas.queries.grammar.truth import Absent
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.filters import Filter
from memassay.schemas.queries.operators.flow import Values, ids
from memassay.schemas.queries.scalars.scalar import truth


def absent(query: Absent, run: Evaluation) -> Values:
    """Truth; an absence rests on nothing, what is there on itself."""
    found = run.facts(query.of)
    return Values([truth(not found.facts)], ids(found.facts), found.context)


def decoys(query: Absent, run: Evaluation) -> tuple[str, ...]:
    """Facts that fit a selection of the query but for one filter, by place."""
    near = [
        fact
        for _, part in parts(query.of)
        if isinstance(part, SelectFacts)
        for fact in Filter(part.where, run.ledger, run.moment).near_misses()
    ]
    return tuple(fact.id for fact in run.ledger.ordered(near))

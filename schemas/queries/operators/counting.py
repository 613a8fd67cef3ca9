"""The operators `count` and `fold`: numbers of many facts."""

from memassay.schemas.errors import QueryError
from memassay.schemas.queries.grammar.expressions import Count, Fold, Gaps
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import Values
from memassay.schemas.queries.operators.refusals import refuse_contradiction, refuse_superseded
from memassay.schemas.queries.scalars.arithmetic import fold as folded
from memassay.schemas.queries.scalars.scalar import Scalar, value_of
from memassay.schemas.records.ledger import ValueType


def count(query: Count, run: Evaluation) -> Values:
    """How many facts there are, or how many are distinct; why is all of them."""
    found = run.facts(query.of)
    # Zero out of nothing is an absence: it has no evidence, and `absent` says so honestly.
    if not found.why:
        raise run.nothing("count")
    if query.distinct is None:
        refuse_superseded(found, run, "count")
        amount = len(found.facts)
    elif query.distinct == "value":
        amount = len({value_of(fact).key for fact in found.facts})
    elif query.distinct == "subject":
        amount = len({run.ledger.side(fact, "subject") for fact in found.facts})
    else:
        raise QueryError(f"count: expected what is counted, got {query.distinct}")
    return Values([Scalar(str(amount), ValueType.NUMBER)], found.why, found.context)


def fold(query: Fold, run: Evaluation) -> Values:
    """Sum, mean, smallest or largest of numbers; why is all members."""
    if isinstance(query.of, Gaps):
        gaps = run.values(query.of)
        return Values([folded(gaps.scalars, query.with_)], gaps.why, gaps.context)
    found = run.some(query.of, "fold")
    if query.with_ in {"sum", "mean"}:
        refuse_superseded(found, run, f"fold with {query.with_}")
        refuse_contradiction(found, run, f"fold with {query.with_}")
    scalars = [value_of(fact) for fact in found.facts]
    return Values([folded(scalars, query.with_)], found.why, found.context)

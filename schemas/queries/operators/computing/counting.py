"""The operators `count` and `fold`: numbers of many facts."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from memassay.schemas.queries.grammar.expressions import Count, Fold, Gaps
from memassay.schemas.queries.grammar.words import FactField
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import Values
from memassay.schemas.queries.operators.reading import field_of, period_of
from memassay.schemas.queries.operators.refusals import refuse_contradiction, refuse_superseded
from memassay.schemas.queries.scalars.arithmetic import fold as folded
from memassay.schemas.queries.scalars.scalar import Scalar, value_of
from memassay.schemas.records.ledger import Fact, FactHolder, FactScope, ValueType
from memassay.schemas.values.civil_time import Precision

_READ: Final[Mapping[str, Callable[[Fact, Evaluation], list[Scalar]]]] = {
    "value": partial(field_of, FactField.VALUE),
    "subject": partial(field_of, FactField.SUBJECT),
    "session": partial(field_of, FactField.SESSION),
    "attachment": partial(field_of, FactField.ATTACHMENT),
    "day": partial(period_of, Precision.DAY),
}


def count(query: Count, run: Evaluation) -> Values:
    """How many facts there are, or how many are distinct; why is all of them."""
    found = run.facts(query.of)
    # Zero out of nothing is an absence: it has no evidence, and `absent` says so honestly.
    if not found.facts and not any(_has_place(run.ledger.facts[name]) for name in found.why):
        raise run.nothing("count")
    if query.distinct is None:
        refuse_superseded(found, run, "count")
        amount = len(found.facts)
    else:
        read = _READ[query.distinct]
        amount = len({scalar.key for fact in found.facts for scalar in read(fact, run)})
    return Values([Scalar(str(amount), ValueType.NUMBER)], found.why, found.context)


def _has_place(fact: Fact) -> bool:
    """Whether a fact is told in the conversation: its place is evidence."""
    return fact.scope is FactScope.HISTORY and fact.holder is not FactHolder.EXTERNAL


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

"""The operator `group`: which key has the most, the least or the nth most."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.grammar.expressions import Group
from memassay.schemas.queries.grammar.words import FactField, GroupBy, Measure, Order, Which
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList, Values
from memassay.schemas.queries.operators.order import Stretch, sort_by_key
from memassay.schemas.queries.operators.reading import field_of, period_of
from memassay.schemas.queries.operators.refusals import refuse_contradiction, refuse_superseded
from memassay.schemas.queries.scalars.arithmetic import fold, numbers_of_one_unit
from memassay.schemas.queries.scalars.scalar import Scalar, distinct, number, value_of
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.values.civil_time import Precision

_KEYS: Final[Mapping[GroupBy, Callable[[Fact, Evaluation], list[Scalar]]]] = {
    **{by: partial(field_of, FactField(by)) for by in GroupBy if by is not GroupBy.MONTH},
    GroupBy.MONTH: partial(period_of, Precision.MONTH),
}


def group(query: Group, run: Evaluation) -> Values:
    """The key of one group; why is all members of all groups."""
    found = run.some(query.of, "group")
    measure = _measure(query.with_, found, run)
    members: dict[tuple[str, str | None], dict[str, Fact]] = {}
    spellings: list[Scalar] = []
    for fact in found.facts:
        for key in _KEYS[query.by](fact, run):
            members.setdefault(key.key, {})[fact.id] = fact
            spellings.append(key)
    groups = [(measure(list(members[key.key].values())), key) for key in distinct(spellings)]
    return Values([_choose_key(groups, query)], found.why, found.context)


def _choose_key(groups: list[tuple[Scalar, Scalar]], query: Group) -> Scalar:
    """The key of the group at the position asked for.

    Raises:
        NoResultError: There are fewer groups than `n`.
        AmbiguousError: Another group has the same measure.
    """
    ordered = sorted(groups, key=lambda pair: number(pair[0], "group"), reverse=True)
    at = {Which.MAX: 0, Which.MIN: len(groups) - 1}.get(query.which, (query.n or 1) - 1)
    if at >= len(ordered):
        raise NoResultError(f"group: expected at least {at + 1} groups, got {len(ordered)}")
    measure, chosen = ordered[at]
    tied = [key.said for other, key in groups if number(other, "group") == number(measure, "group")]
    if len(tied) > 1:
        raise AmbiguousError(
            f"group: expected one {query.by} of {query.which} {query.with_}, got "
            f"{', '.join(map(repr, tied[:5]))} with {measure.said}; leave one out, or measure "
            "otherwise"
        )
    return chosen


def _measure(
    measure: Measure, found: FactList, run: Evaluation
) -> Callable[[Sequence[Fact]], Scalar]:
    """What gives the number of one group, after what cannot be measured is refused.

    Raises:
        QueryTypeError: A fact is no number, or their units differ.
        AmbiguousError: Facts of several states, or against each other, cannot be put together.
    """
    where = f"group with {measure}"
    if measure in {Measure.COUNT, Measure.SUM, Measure.MEAN}:
        refuse_superseded(found, run, where)
    if measure is Measure.COUNT:
        return lambda facts: Scalar(str(len(facts)), ValueType.NUMBER)
    if measure in {Measure.SUM, Measure.MEAN}:
        refuse_contradiction(found, run, where)
    numbers_of_one_unit([value_of(fact) for fact in found.facts], where)
    if measure is Measure.LAST:
        dates = {
            fact.id: date
            for date, fact in sort_by_key(found.facts, Order.DATE, run.ledger, run.moment).facts
        }
        return lambda facts: value_of(_last(facts, dates, run))
    return lambda facts: fold([value_of(fact) for fact in facts], measure)


def _last(facts: Sequence[Fact], dates: Mapping[str, Stretch], run: Evaluation) -> Fact:
    """The last fact by date; of those with one date the last by place.

    Raises:
        AmbiguousError: The date or place of another is the same, or their order is open.
    """
    places = {fact.id: _place(fact, run) for fact in facts}
    last = max(facts, key=lambda fact: (dates[fact.id][:2], places[fact.id]))
    for other in facts:
        low, high = dates[other.id][:2], dates[last.id][:2]
        by_place = low == high and (0, 0) < places[other.id] < places[last.id]
        if other is not last and not by_place and not (low != high and low[1] <= high[0]):
            raise AmbiguousError(
                f"group with last: expected facts of which one comes last, got {other.id} and "
                f"{last.id}, whose order is not known; state it more precisely"
            )
    return last


def _place(fact: Fact, run: Evaluation) -> tuple[int, int]:
    """Round and turn in which a fact is first seen; zeros if it is not."""
    seen = run.ledger.mentions_by(fact, run.moment)
    if not seen:
        return 0, 0
    turn = parse_place(seen[0].turn) if seen[0].turn is not None else None
    return run.ledger.place(seen[0].round), (turn.turn or 0) if turn else 0

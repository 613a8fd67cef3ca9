"""The operators `shift` and `gaps`: dates moved by durations, and the distances of neighbours."""

from itertools import pairwise
from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.queries.grammar.expressions import Gaps, Scalars, Shift
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import Values
from memassay.schemas.queries.operators.order import in_sequence, sort_by_key
from memassay.schemas.queries.operators.reading import field_of
from memassay.schemas.queries.scalars.arithmetic import difference
from memassay.schemas.queries.scalars.scalar import Scalar, literal, number
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.durations import TIME_UNITS, precise_enough, shift_date, time_unit

_DATE: Final = Scalar("2024-03-01", ValueType.DATE)
_DURATION: Final = Scalar("1", ValueType.NUMBER)


def shift(query: Shift, run: Evaluation) -> Values:
    """The date a duration later or earlier; why is both sides."""
    date, dated = _operand(query.of, _DATE, "shift.of", run)
    duration, lasting = _operand(query.by, _DURATION, "shift.by", run)
    parts = [dated, lasting]
    return Values(
        [_shift(date, duration, -1 if query.direction == "earlier" else 1)],
        frozenset().union(*(part.why for part in parts)),
        frozenset().union(*(part.context for part in parts)),
    )


def _operand(
    operand: str | Scalars, like: Scalar, where: str, run: Evaluation
) -> tuple[Scalar, Values]:
    """A value with what it rests on; a text rests on nothing."""
    if isinstance(operand, str):
        return literal(operand, like, where), Values([], frozenset())
    return run.one(operand, where)


def _shift(date: Scalar, duration: Scalar, sign: int) -> Scalar:
    """A date moved by a duration.

    Raises:
        QueryTypeError: One is no date, the other no whole number of a unit of time, or the
            result lies beyond the calendar.
        AmbiguousError: The duration is finer than the date.
    """
    if date.type is not ValueType.DATE or not is_when(date.text):
        raise QueryTypeError(f"shift.of: expected a date, got {date.text!r} ({date.type})")
    amount, unit = number(duration, "shift.by"), time_unit(duration.unit or "")
    if unit is None or amount != amount.to_integral_value():
        raise QueryTypeError(
            f"shift.by: expected a whole number of {', '.join(TIME_UNITS)}, got {duration.said!r}"
        )
    if not precise_enough(date.text, unit):
        raise AmbiguousError(
            f"shift: expected a date precise enough for a number of {unit}s, got {date.text}; "
            "state it more precisely, or use a coarser unit"
        )
    try:
        return Scalar(shift_date(date.text, sign * int(amount), unit), ValueType.DATE)
    except ValueError as error:
        raise QueryTypeError(f"shift: {error}") from error


def gaps(query: Gaps, run: Evaluation) -> Values:
    """What lies between neighbours in an order, later minus earlier; why is all members.

    Raises:
        NoResultError: There are fewer than two facts.
    """
    of = run.some(query.of, "gaps.of")
    if len(of.facts) < _FEWEST:
        raise NoResultError(
            f"gaps: expected at least two facts, got {of.facts[0].id}; check the filters"
        )
    pairs, support = sort_by_key(of.facts, query.by, run.ledger, run.moment)
    values = [field_of(query.field, fact, run)[0] for fact in in_sequence(pairs, query.by)]
    between = [
        difference(later, earlier, query.unit, query.rounding)
        for earlier, later in pairwise(values)
    ]
    return Values(between, of.why | support, of.context, in_sequence=True)


_FEWEST: Final = 2

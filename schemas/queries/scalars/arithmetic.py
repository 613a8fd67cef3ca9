"""Numbers and dates of one unit: folded, compared and subtracted exactly.

Numbers are computed with `decimal`; no float takes part. Dates have a precision, so some orders
and distances cannot be known: an error.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import Final

from memassay.schemas.errors import AmbiguousError, QueryTypeError
from memassay.schemas.queries.scalars.dates import date_order, time_between
from memassay.schemas.queries.scalars.scalar import Scalar, number, number_text, shortest
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.durations import TIME_UNITS
from memassay.schemas.values.text import same

_N: Final = ValueType.NUMBER
_WORDS: Final = frozenset({ValueType.TEXT, ValueType.ENTITY})


def numbers_of_one_unit(scalars: Sequence[Scalar], where: str) -> tuple[list[Decimal], str | None]:
    """Numbers and their common unit.

    Raises:
        QueryTypeError: One is no number, or the units differ.
    """
    numbers = [number(scalar, where) for scalar in scalars]
    units = {scalar.unit for scalar in scalars}
    if len(units) > 1:
        listed = ", ".join(sorted(str(unit) for unit in units))
        raise QueryTypeError(f"{where}: expected numbers of one unit, got {listed}")
    return numbers, scalars[0].unit


def fold(scalars: Sequence[Scalar], how: str) -> Scalar:
    """Sum, mean, min or max of numbers of one unit.

    A mean that does not come out even is rounded half to even, two decimals finer than the
    finest of its numbers.

    Raises:
        QueryTypeError: One is no number, or the units differ.
    """
    numbers, unit = numbers_of_one_unit(scalars, f"fold with {how}")
    if how in {"min", "max"}:
        return Scalar(number_text(min(numbers) if how == "min" else max(numbers)), _N, unit)
    with localcontext() as context:
        context.prec = _digits(scalars)
        total = sum(numbers, Decimal(0))
        if how == "sum":
            return Scalar(number_text(total), _N, unit)
        finest = max(_decimals(value) for value in numbers)
        mean = (total / len(numbers)).quantize(Decimal(1).scaleb(-finest - 2), ROUND_HALF_EVEN)
        short = mean.quantize(Decimal(1).scaleb(-finest))
        return Scalar(
            number_text(short) if short == mean else shortest(number_text(mean)), _N, unit
        )


def _digits(scalars: Sequence[Scalar]) -> int:
    """Digits with which sums of some numbers are exact, and means exact to far more than shown."""
    return 2 * max(len(scalar.text) for scalar in scalars) + len(str(len(scalars))) + 10


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def are_same(left: Scalar, right: Scalar, where: str) -> bool:
    """Whether two values are the same.

    Raises:
        QueryTypeError: Their types or units cannot be compared.
        AmbiguousError: Two dates that overlap at different precision.
    """
    _comparable(left, right, where)
    if left.type in _WORDS or left.type is ValueType.BOOLEAN:
        return same(left.text, right.text) or left.key == right.key
    return order_of(left, right, where) == 0


def order_of(left: Scalar, right: Scalar, where: str) -> int:
    """-1, 0 or 1: the first number or date is less (earlier), the same, or more (later).

    Raises:
        QueryTypeError: They are not two numbers of one unit or two dates.
        AmbiguousError: Two dates whose precision leaves their order open.
    """
    _comparable(left, right, where)
    if left.type is ValueType.NUMBER:
        (first, second), _ = numbers_of_one_unit([left, right], where)
        return (first > second) - (first < second)
    if left.type is not ValueType.DATE:
        raise QueryTypeError(f"{where}: expected numbers or dates, got {left.text!r}")
    order = date_order(_when(left, where), _when(right, where))
    if order is None:
        raise AmbiguousError(
            f"{where}: expected dates of which one is earlier, got {left.text} and {right.text}; "
            "state them more precisely"
        )
    return order


def _comparable(left: Scalar, right: Scalar, where: str) -> None:
    alike = left.type is right.type or {left.type, right.type} <= _WORDS
    if not alike:
        raise QueryTypeError(
            f"{where}: expected two values of one type, got {left.text!r} ({left.type}) and "
            f"{right.text!r} ({right.type})"
        )


def _when(scalar: Scalar, where: str) -> str:
    if scalar.type is not ValueType.DATE or not is_when(scalar.text):
        raise QueryTypeError(f"{where}: expected a date, got {scalar.text!r} ({scalar.type})")
    return scalar.text


def difference(left: Scalar, right: Scalar, unit: str | None, rounding: str) -> Scalar:
    """The first value minus the second.

    Args:
        left: A number or a date.
        right: A value of the same type and unit.
        unit: Unit of both numbers (None: whichever they share), or the unit of time.
        rounding: `exact`, or `down` for completed units between dates.

    Raises:
        QueryTypeError: They cannot be subtracted, or are not in the unit.
        AmbiguousError: The dates are too coarse for the unit.
        NoResultError: The dates are no whole number of units apart, and rounding is exact.
    """
    _comparable(left, right, "diff")
    if left.type is ValueType.NUMBER:
        (first, second), shared = numbers_of_one_unit([left, right], "diff")
        if unit is not None and unit != shared:
            raise QueryTypeError(f"diff: expected numbers in {unit}, got {shared or 'no unit'}")
        with localcontext() as context:
            context.prec = _digits([left, right])
            return Scalar(number_text(first - second), _N, shared)
    if unit not in TIME_UNITS:
        units = ", ".join(TIME_UNITS)
        raise QueryTypeError(f"unit: expected one of {units}, got {unit!r} between dates")
    amount = time_between(_when(right, "diff"), _when(left, "diff"), unit, rounding)
    return Scalar(str(amount), _N, unit)

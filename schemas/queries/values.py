"""Scalars of the query language: numbers, dates and texts, compared and subtracted exactly.

Numbers are decimal strings computed with `decimal`; no float takes part. A date stands for the
whole stretch its precision names, so some orders and distances cannot be known: an error.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.ids import natural_key
from memassay.schemas.queries.dates import date_order, time_between
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.durations import TIME_UNITS
from memassay.schemas.values.text import normalise, same

_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_MEASURE: Final = re.compile(r"(-?[0-9][0-9,]*(?:\.[0-9]+)?)\s*(.*)", re.DOTALL)
_TRUTH: Final = {"true": "true", "yes": "true", "false": "false", "no": "false"}
_N: Final = ValueType.NUMBER
_WORDS: Final = frozenset({ValueType.TEXT, ValueType.ENTITY})


@dataclass(frozen=True)
class Scalar:
    """One value: its text, how to read it, and the unit of a number."""

    text: str
    type: ValueType
    unit: str | None = None

    @property
    def said(self) -> str:
        """The value with its unit, for people: `26.40 EUR`, `4 weeks`, `12%`."""
        if self.type is not ValueType.NUMBER or self.unit is None:
            return self.text
        if self.unit == "%":
            return f"{self.text}%"
        many = self.unit in TIME_UNITS and self.key[0].removeprefix("-") != "1"
        return f"{self.text} {self.unit}{'s' if many else ''}"

    @property
    def key(self) -> tuple[str, str | None]:
        """Equal for values that are the same: `12` and `12.0`, `Rex` and `rex`."""
        if self.type is ValueType.NUMBER and _NUMBER.fullmatch(self.text):
            return _shortest(self.text), self.unit
        return normalise(self.text), self.unit


def truth(value: bool) -> Scalar:
    """A truth as a scalar."""
    return Scalar("true" if value else "false", ValueType.BOOLEAN)


def value_of(fact: Fact) -> Scalar:
    """The value a fact states."""
    return Scalar(fact.value.text, fact.value.type, fact.value.unit)


def number(scalar: Scalar, where: str) -> Decimal:
    """A scalar as a number.

    Raises:
        QueryTypeError: It is none; `where` names the operator.
    """
    if scalar.type is not ValueType.NUMBER or not _NUMBER.fullmatch(scalar.text):
        raise QueryTypeError(f"{where}: expected a number, got {scalar.text!r} ({scalar.type})")
    return Decimal(scalar.text)


def number_text(value: Decimal) -> str:
    """A number as a decimal string without an exponent and without a negative zero."""
    return format(value if value else abs(value), "f")


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
            number_text(short) if short == mean else _shortest(number_text(mean)), _N, unit
        )


def _digits(scalars: Sequence[Scalar]) -> int:
    """Digits with which sums of some numbers are exact, and means exact to far more than shown."""
    return 2 * max(len(scalar.text) for scalar in scalars) + len(str(len(scalars))) + 10


def _shortest(text: str) -> str:
    """A decimal string without needless zeros: `12.50` and `012.5` are `12.5`."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, part = digits.partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    short = f"{whole}.{part}" if part else whole
    return short if short == "0" else sign + short


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def literal(text: str, like: Scalar, where: str) -> Scalar:
    """A text of the query read like the value it stands beside.

    Raises:
        QueryTypeError: It is no number or date where the other is one.
    """
    if like.type is ValueType.NUMBER:
        found = _MEASURE.fullmatch(text.strip())
        if found is None:
            raise QueryTypeError(f"{where}: expected a number like {like.said!r}, got {text!r}")
        return Scalar(found[1].replace(",", ""), _N, found[2] or like.unit)
    if like.type is ValueType.DATE and not is_when(text):
        raise QueryTypeError(f"{where}: expected a date like {like.text!r}, got {text!r}")
    if like.type is ValueType.BOOLEAN:
        if normalise(text) not in _TRUTH:
            raise QueryTypeError(f"{where}: expected true or false, got {text!r}")
        return Scalar(_TRUTH[normalise(text)], ValueType.BOOLEAN)
    return Scalar(text, like.type)


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
        raise QueryTypeError(f"diff: expected one of {', '.join(TIME_UNITS)}, got {unit!r}")
    amount = time_between(_when(right, "diff"), _when(left, "diff"), unit, rounding)
    return Scalar(str(amount), _N, unit)


def distinct(scalars: Iterable[Scalar]) -> list[Scalar]:
    """Each value once, in natural order; of two spellings of one value the first in order."""
    found: dict[tuple[str, str | None], Scalar] = {}
    for scalar in sorted(scalars, key=lambda each: (natural_key(each.text), each.unit or "")):
        found.setdefault(scalar.key, scalar)
    return list(found.values())


def the_one(scalars: Sequence[Scalar], where: str) -> Scalar:
    """The only value of a list.

    Raises:
        NoResultError: The list is empty.
        AmbiguousError: It holds several values.
    """
    values = distinct(scalars)
    if not values:
        raise NoResultError(f"{where}: expected a value, got none; check the filters")
    if len(values) > 1:
        listed = ", ".join(repr(value.said) for value in values[:5])
        raise AmbiguousError(
            f"{where}: expected one value, got {len(values)}: {listed}; narrow the query, or ask "
            "for all"
        )
    return values[0]

"""Scalars of the query language: numbers, dates and texts, read from facts and from queries.

Numbers are decimal strings; no float takes part. A date means the whole stretch its
precision names.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.durations import TIME_UNITS
from memassay.schemas.values.text import normalise

_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_MEASURE: Final = re.compile(r"(-?[0-9][0-9,]*(?:\.[0-9]+)?)\s*(.*)", re.DOTALL)
_TRUTH: Final = {"true": "true", "yes": "true", "false": "false", "no": "false"}


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
            return shortest(self.text), self.unit
        return normalise(self.text), self.unit


def shortest(text: str) -> str:
    """A decimal string without needless zeros: `12.50` and `012.5` are `12.5`."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, part = digits.partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    short = f"{whole}.{part}" if part else whole
    return short if short == "0" else sign + short


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
        raise QueryTypeError(
            f"{where}: expected a number, got {scalar.text!r} ({scalar.type}); select only numbers"
        )
    return Decimal(scalar.text)


def number_text(value: Decimal) -> str:
    """A number as a decimal string without an exponent and without a negative zero."""
    return format(value if value else abs(value), "f")


def literal(text: str, like: Scalar, where: str) -> Scalar:
    """A text of the query read like the value beside it.

    Raises:
        QueryTypeError: It is no number or date where the other is one.
    """
    if like.type is ValueType.NUMBER:
        found = _MEASURE.fullmatch(text.strip())
        if found is None:
            raise QueryTypeError(f"{where}: expected a number like {like.said!r}, got {text!r}")
        return Scalar(found[1].replace(",", ""), ValueType.NUMBER, found[2] or like.unit)
    if like.type is ValueType.DATE and not is_when(text):
        raise QueryTypeError(f"{where}: expected a date like {like.text!r}, got {text!r}")
    if like.type is ValueType.BOOLEAN:
        if normalise(text) not in _TRUTH:
            raise QueryTypeError(f"{where}: expected true or false, got {text!r}")
        return Scalar(_TRUTH[normalise(text)], ValueType.BOOLEAN)
    return Scalar(text, like.type)


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

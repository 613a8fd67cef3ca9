"""Lengths of time that a text or a gold states."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import add_months, whole_months_between
from memassay.schemas.values.text import NUMBER_WORDS, normalise

_COUNT: Final = "|".join(("[0-9]{1,3}", *sorted(NUMBER_WORDS, key=len, reverse=True), "an?"))
_LENGTH: Final = re.compile(rf"\b(?P<count>{_COUNT})[- ](?P<unit>day|week|month|year)s?\b(?! old)")
_AGO: Final = re.compile(r"\s+(?:ago|back|before|after|later)\b")
_DAYS: Final = {"day": 1.0, "week": 7.0}
_MONTHS: Final = {"month": 1, "year": 12}


class Length(NamedTuple):
    """A number of units of time.

    Attributes:
        number: How many.
        unit: `day`, `week`, `month` or `year`.
    """

    number: int
    unit: str


def lengths(text: str) -> list[Length]:
    """The lengths of time that a text states, in its order; "three years ago" is a date."""
    return [length for length, _ in _find_lengths(normalise(text))]


def _find_lengths(plain: str) -> Iterator[tuple[Length, str]]:
    for found in _LENGTH.finditer(plain):
        if not _AGO.match(plain, found.end()):
            word = found["count"]
            number = 1 if word in {"a", "an"} else int(NUMBER_WORDS.get(word, word))
            yield Length(number, found["unit"]), found["count"]


def length_in(value: str) -> Length | None:
    """The one length of time that a gold states; None if it states none, or several."""
    plain = normalise(value)
    found = [
        length for length, word in _find_lengths(plain) if word not in {"a", "an"} or len(plain) < 8
    ]
    return found[0] if len(found) == 1 else None


def units_between(earlier: date, later: date, unit: str) -> float:
    """How many units lie between two days; months and years by the calendar."""
    if unit in _DAYS:
        return (later - earlier).days / _DAYS[unit]
    months = whole_months_between(earlier, later)
    anchor = add_months(earlier, months)
    return (months + (later - anchor).days / 30.44) / _MONTHS[unit]

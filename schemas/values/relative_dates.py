"""Relative dates by calendar: what "last Saturday" or "two weeks ago" means on a given day.

Only expressions with one agreed reading are resolved. An expression with two readings gives
both; anything else gives None, so that a rule can stay silent where people would differ.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import WEEKDAYS, add_months
from memassay.schemas.values.text import NUMBER_WORDS, normalise

_WORD_NUMBERS: Final = {word: int(value) for word, value in NUMBER_WORDS.items()} | {
    "a": 1,
    "an": 1,
}
_NUMBER: Final = (
    "(?P<number>[0-9]{1,3}|"
    + "|".join(word.replace("-", "[- ]") for word in sorted(_WORD_NUMBERS, key=len, reverse=True))
    + ")"
)
_DAY_NAMES: Final = tuple(name.casefold() for name in WEEKDAYS)
_WEEKDAY: Final = f"(?P<weekday>{'|'.join(_DAY_NAMES)})"


class DayRange(NamedTuple):
    """A closed range of days that an expression can mean."""

    first: date
    last: date

    def contains(self, day: date) -> bool:
        """Whether a day lies in the range, ends included."""
        return self.first <= day <= self.last


class RelativeDate(NamedTuple):
    """An expression found in a text and the days it can mean, one range a reading."""

    expression: str
    readings: tuple[DayRange, ...]


def _one(day: date) -> tuple[DayRange, ...]:
    return (DayRange(day, day),)


def _number(found: re.Match[str]) -> int:
    word = found["number"].replace(" ", "-")
    return int(word) if word.isdigit() else _WORD_NUMBERS[word]


def _weekday_before(found: re.Match[str], spoken: date) -> tuple[DayRange, ...]:
    back = (spoken.weekday() - _DAY_NAMES.index(found["weekday"])) % 7 or 7
    nearest = spoken - timedelta(days=back)
    monday = spoken - timedelta(days=spoken.weekday() + 7)
    of_last_week = monday + timedelta(days=_DAY_NAMES.index(found["weekday"]))
    return tuple(DayRange(day, day) for day in sorted({nearest, of_last_week}))


def _weekday_after(found: re.Match[str], spoken: date) -> tuple[DayRange, ...]:
    ahead = (_DAY_NAMES.index(found["weekday"]) - spoken.weekday()) % 7 or 7
    nearest = spoken + timedelta(days=ahead)
    monday = spoken + timedelta(days=7 - spoken.weekday())
    of_next_week = monday + timedelta(days=_DAY_NAMES.index(found["weekday"]))
    return tuple(DayRange(day, day) for day in sorted({nearest, of_next_week}))


def _units_away(found: re.Match[str], spoken: date, sign: int) -> tuple[DayRange, ...]:
    count, unit = sign * _number(found), found["unit"]
    if unit == "day":
        return _one(spoken + timedelta(days=count))
    if unit == "week":
        return _one(spoken + timedelta(weeks=count))
    return _one(add_months(spoken, count * (12 if unit == "year" else 1)))


def _week(offset: int) -> Callable[[re.Match[str], date], tuple[DayRange, ...]]:
    def resolve(_found: re.Match[str], spoken: date) -> tuple[DayRange, ...]:
        monday = spoken + timedelta(days=7 * offset - spoken.weekday())
        sunday_first = monday - timedelta(days=1)
        return (
            DayRange(monday, monday + timedelta(days=6)),
            DayRange(sunday_first, sunday_first + timedelta(days=6)),
        )

    return resolve


def _month(offset: int) -> Callable[[re.Match[str], date], tuple[DayRange, ...]]:
    def resolve(_found: re.Match[str], spoken: date) -> tuple[DayRange, ...]:
        first = add_months(spoken.replace(day=1), offset)
        return (DayRange(first, add_months(first, 1) - timedelta(days=1)),)

    return resolve


def _year(offset: int) -> Callable[[re.Match[str], date], tuple[DayRange, ...]]:
    def resolve(_found: re.Match[str], spoken: date) -> tuple[DayRange, ...]:
        return (DayRange(date(spoken.year + offset, 1, 1), date(spoken.year + offset, 12, 31)),)

    return resolve


_UNIT: Final = "(?P<unit>day|week|month|year)s?"
_RULES: Final[list[tuple[str, Callable[[re.Match[str], date], tuple[DayRange, ...]]]]] = [
    (r"today", lambda _found, spoken: _one(spoken)),
    (r"(?:the )?day before yesterday", lambda _found, spoken: _one(spoken - timedelta(days=2))),
    (r"(?<!before )yesterday", lambda _found, spoken: _one(spoken - timedelta(days=1))),
    (r"(?:the )?day after tomorrow", lambda _found, spoken: _one(spoken + timedelta(days=2))),
    (r"(?<!after )tomorrow", lambda _found, spoken: _one(spoken + timedelta(days=1))),
    (rf"{_NUMBER} {_UNIT} ago", lambda found, spoken: _units_away(found, spoken, -1)),
    (r"(?:a )?fortnight ago", lambda _found, spoken: _one(spoken - timedelta(weeks=2))),
    (rf"in {_NUMBER} {_UNIT}", lambda found, spoken: _units_away(found, spoken, 1)),
    (rf"last {_WEEKDAY}", _weekday_before),
    (rf"next {_WEEKDAY}", _weekday_after),
    (r"last week(?!end)", _week(-1)),
    (r"next week(?!end)", _week(1)),
    (r"last month", _month(-1)),
    (r"next month", _month(1)),
    (r"last year", _year(-1)),
    (r"next year", _year(1)),
]
_COMPILED: Final = [(re.compile(rf"\b(?:{text})\b"), resolve) for text, resolve in _RULES]
_PART_OF_MORE: Final = re.compile(
    rf"(?:\b(?:half|before|after|{_NUMBER} (?:or|to))\s|[0-9][.,/:]|\w-)$"
)
"""What may come before an expression and gives it another meaning: half (a year ago),
two or (three days ago), 2-(3 days ago), the week before (last week)."""


def relative_dates(text: str, spoken: date) -> list[RelativeDate]:
    """The relative dates of a text spoken on a day, in the order of the text.

    Args:
        text: What was spoken.
        spoken: The day it was spoken on.
    """
    return [found for _, found in sorted(_scan(normalise(text), spoken))]


def _scan(text: str, spoken: date) -> Iterator[tuple[int, RelativeDate]]:
    for pattern, resolve in _COMPILED:
        for found in pattern.finditer(text):
            if _PART_OF_MORE.search(text[: found.start()]):
                continue
            try:
                yield found.start(), RelativeDate(found.group(), resolve(found, spoken))
            except (OverflowError, ValueError):  # before year 1 or after year 9999
                continue

"""What the turns of a session say of the day on which they are spoken: weekday, month, season."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple

from memassay.schemas.records.conversation import Session
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, weekday

_NOW: Final = (
    r"\b(?:[Tt]oday(?: is|'s|,| being)|[Ii]t(?:'s| is)(?: already| finally| only)?|[Hh]appy)"
)
_WEEKDAY: Final = re.compile(
    rf"(?:{_NOW}|\b[Tt]his) (?:a )?(?P<name>{'|'.join(WEEKDAYS)})\b(?! (?:before|after|last|next))"
)
_MONTH: Final = re.compile(rf"{_NOW} (?P<name>{'|'.join(MONTHS)})\b(?! [0-9])")
_SEASON: Final = re.compile(
    rf"(?:{_NOW}|\b[Tt]his) (?P<name>spring|summer|autumn|fall|winter)\b"
    r"|\b(?P<here>[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter) (?:is|has) (?:here|come|finally)\b"
)
_DAY: Final = re.compile(
    rf"{_NOW} (?:the )?(?:(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?"
    rf"(?P<month>{'|'.join(MONTHS)})|(?P<first>{'|'.join(MONTHS)}) (?P<then>[0-9]{{1,2}}))"
)
_FEASTS: Final[Mapping[str, tuple[int, int, int]]] = {
    "happy new year": (1, 1, 15),
    "happy halloween": (10, 25, 31),
    "happy thanksgiving": (11, 8, 30),
    "merry christmas": (12, 15, 31),
}
"""Month, first and last day on which people wish each other so (our choice)."""
_SEASONS: Final[Mapping[str, frozenset[int]]] = {
    "spring": frozenset({3, 4, 5, 6}),
    "summer": frozenset({6, 7, 8, 9}),
    "autumn": frozenset({9, 10, 11, 12}),
    "fall": frozenset({9, 10, 11, 12}),
    "winter": frozenset({12, 1, 2, 3}),
}
"""Months of the northern half of the earth, by the calendar and by the weather."""


class SaidDay(NamedTuple):
    """What must be true of the day of a session; an empty set asks for nothing.

    Attributes:
        weekdays: Names, of which it is one.
        months: Numbers, of which its month is one.
        days: Pairs of month and day, of which it is one.
    """

    weekdays: frozenset[str]
    months: frozenset[int]
    days: frozenset[tuple[int, int]]

    def fits(self, day: date) -> bool:
        """Whether all that is said is true on a day."""
        return (
            (not self.weekdays or weekday(day) in self.weekdays)
            and (not self.months or day.month in self.months)
            and (not self.days or (day.month, day.day) in self.days)
        )


def said_day(session: Session) -> SaidDay:
    """What the turns of a session say of its day; what they say twice must hold twice."""
    texts = [turn.text for one in session.rounds for turn in one.turns]
    return SaidDay(
        frozenset(found["name"] for text in texts for found in _WEEKDAY.finditer(text)),
        _all(
            [frozenset({MONTHS.index(name) + 1}) for name in _names(_MONTH, texts)]
            + [_SEASONS[name.casefold()] for name in _names(_SEASON, texts)]
        ),
        frozenset(
            pair for text in texts for pair in (*_named_days(text), *_feast_days(text.casefold()))
        ),
    )


def _names(pattern: re.Pattern[str], texts: Iterable[str]) -> list[str]:
    return [
        next(name for name in found.groups() if name)
        for text in texts
        for found in pattern.finditer(text)
    ]


def _all(demands: list[frozenset[int]]) -> frozenset[int]:
    """What fits every demand; the first where none fits all."""
    kept = demands[0] if demands else frozenset[int]()
    for one in demands[1:]:
        kept = kept & one or kept
    return kept


def _named_days(text: str) -> list[tuple[int, int]]:
    return [
        (MONTHS.index(found["month"] or found["first"]) + 1, int(found["day"] or found["then"]))
        for found in _DAY.finditer(text)
    ]


def _feast_days(text: str) -> list[tuple[int, int]]:
    return [
        (month, day)
        for words, (month, first, last) in _FEASTS.items()
        if words in text
        for day in range(first, last + 1)
    ]

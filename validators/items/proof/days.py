"""Dates: whether a text names the same day, or the month, the year or the weekday it is in."""

import re
from datetime import date
from typing import Final

from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, Precision, is_when, precision
from memassay.schemas.values.text import normalise
from memassay.validators.items.proof.verdict import Verdict
from memassay.validators.texts.gold_dates import GoldDate, gold_date, weekday_dates

_NUMERIC: Final = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})")
_MONTH: Final = "|".join(f"{name.lower()}|{name[:3].lower()}" for name in MONTHS)
_PARTIAL: Final = re.compile(
    rf"(?:(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: of)? )?(?P<month>{_MONTH})\.?"
    r"(?: (?P<after>[0-9]{1,2})(?:st|nd|rd|th)?)?"
)
_YEAR: Final = re.compile("[0-9]{1,4}")
_WEEKDAYS: Final = [name.lower() for name in WEEKDAYS]


def day_of(text: str) -> GoldDate | None:
    """The date that is the whole of a gold, unless it is a number that may mean anything."""
    return None if _YEAR.fullmatch(text.strip()) else gold_date(text)


def day_verdict(text: str, gold: str, meant: GoldDate) -> Verdict:
    """How a text compares with a date; `meant` is the day or days that the gold, a text, names."""
    if not meant.exact:
        return Verdict.UNSURE
    timed = is_when(gold) and precision(gold) in {Precision.MINUTE, Precision.SECOND}
    said = gold_date(text) or _numeric(text, meant)
    if said is None:
        return _partial(normalise(text).strip(" .,"), meant)
    if any(weekday != WEEKDAYS[day.weekday()] for weekday, day in weekday_dates(text)):
        return Verdict.OTHER
    if said[:2] == meant[:2] and said.exact:
        finer = is_when(text) and precision(text) in {Precision.MINUTE, Precision.SECOND}
        if timed or finer:
            return Verdict.UNSURE if finer else Verdict.COARSER
        return Verdict.SAME
    if said.first <= meant.first and meant.last <= said.last:
        return Verdict.COARSER
    return Verdict.OTHER if said.exact else Verdict.UNSURE


def _numeric(text: str, meant: GoldDate) -> GoldDate | None:
    """A day in figures alone: the gold if either order gives it, since countries differ."""
    found = _NUMERIC.fullmatch(text.strip())
    if found is None:
        return None
    left, right, year = map(int, found.groups())
    read = [_day(year, right, left), _day(year, left, right)]
    day = meant.first if meant.first in read else next(filter(None, read), None)
    return GoldDate(day, day, True) if day else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _partial(text: str, meant: GoldDate) -> Verdict:
    """A weekday, a month or a day of a month without its year, which a date has."""
    first = meant.first
    if text in _WEEKDAYS:
        alike = meant.first == meant.last and first.weekday() == _WEEKDAYS.index(text)
        return Verdict.COARSER if alike else Verdict.OTHER
    found = _PARTIAL.fullmatch(text)
    if found is None:
        return Verdict.UNSURE
    day = found["day"] or found["after"]
    alike = MONTHS[first.month - 1].lower().startswith(found["month"]) and (
        first.month == meant.last.month and (day is None or int(day) == first.day)
    )
    return Verdict.COARSER if alike else Verdict.OTHER

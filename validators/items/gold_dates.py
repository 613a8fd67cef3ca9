"""Reading the date or the duration that a gold answer states, and nothing else."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, interval, is_when
from memassay.schemas.values.text import NUMBER_WORDS, normalise

_MONTH: Final = "(?P<month>" + "|".join(f"{name[:3].lower()}[a-z]*" for name in MONTHS) + r")\.?"
_DAY: Final = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = "(?P<year>[12][0-9]{3})"
_DATE: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<year>[12][0-9]{3})-(?P<number>[0-9]{2})-(?P<day>[0-9]{2})",
        rf"{_DAY} (?:of )?{_MONTH},? {_YEAR}",
        rf"{_MONTH} {_DAY},? {_YEAR}",
        rf"{_MONTH},? {_YEAR}",
        _YEAR,
    )
)
_WEEKDAY: Final = "(?P<weekday>" + "|".join(name.lower() for name in WEEKDAYS) + ")"
_SHIFTED: Final = re.compile(
    rf"(?:{_WEEKDAY}|(?P<unit>day|week|weekend))"
    r" (?P<side>before|after) (?P<rest>.+)"
)
_NAMED: Final = re.compile(rf"{_WEEKDAY},? (?:the )?(?P<rest>.+)")
_NAMED_OUTRIGHT: Final = re.compile(
    r"\b(?:[0-9]{1,2}(?:st|nd|rd|th)|[12][0-9]{3})\b"
    rf"|\b[0-9]{{1,2}} {_MONTH}\b|\b{_MONTH.replace('?P<month>', '?:')} [0-9]{{1,2}}\b"
)
_COUNT: Final = "(?P<count>[0-9]{1,4}|" + "|".join(NUMBER_WORDS) + ")"
_DURATION: Final = re.compile(rf"(?:about |around )?{_COUNT} (?P<unit>day|week|month|year)s?\.?")
_DAYS_IN: Final = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
_WEEK_REACH: Final = 13


class GoldDate(NamedTuple):
    """The days a gold can mean.

    Attributes:
        first: First of them.
        last: Last of them.
        exact: Whether the gold fixes them, unlike "the week before 9 June".
    """

    first: date
    last: date
    exact: bool


def gold_date(value: str) -> GoldDate | None:
    """The date that is the whole of a gold; None if it says anything else."""
    text = normalise(value).strip(" .!")
    text = re.sub(r"^(?:on|in|the) ", "", re.sub(r"^(?:on|in) ", "", text))
    if is_when(text.upper()):
        span = interval(text.upper())
        return GoldDate(span.start.date(), (span.end - timedelta(seconds=1)).date(), True)
    shifted = _SHIFTED.fullmatch(text)
    if shifted is not None:
        return _shifted(shifted)
    named = _NAMED.fullmatch(text)
    return _absolute(named["rest"] if named else text)


def _absolute(text: str) -> GoldDate | None:
    for pattern in _DATE:
        found = pattern.fullmatch(text.strip())
        if found is not None:
            return _from_parts(found.groupdict())
    return None


def _from_parts(parts: dict[str, str | None]) -> GoldDate | None:
    when = str(parts["year"])
    month = parts.get("number") or _month_number(parts.get("month"))
    if month is None and parts.get("month"):
        return None
    if month:
        when += f"-{int(month):02d}"
    if month and parts.get("day"):
        when += f"-{int(str(parts['day'])):02d}"
    if not is_when(when):
        return None
    span = interval(when)
    return GoldDate(span.start.date(), (span.end - timedelta(seconds=1)).date(), True)


def _month_number(name: str | None) -> str | None:
    if name is None:
        return None
    # "Marathon 2023" begins like March; only a month's name or its abbreviation is one.
    found = [
        number
        for number, month in enumerate(MONTHS, start=1)
        if month.lower() == name or name in (month[:3].lower(), month[:4].lower())
    ]
    return str(found[0]) if found else None


def _shifted(found: "re.Match[str]") -> GoldDate | None:
    """A gold such as "the Friday before 9 June 2023"."""
    anchor = _absolute(found["rest"])
    if anchor is None or anchor.first != anchor.last:
        return None
    day, sign = anchor.first, -1 if found["side"] == "before" else 1
    if found["weekday"]:
        number = [name.lower() for name in WEEKDAYS].index(found["weekday"])
        step = (sign * (number - day.weekday()) - 1) % 7 + 1
        meant = day + timedelta(days=sign * step)
        return GoldDate(meant, meant, True)
    if found["unit"] == "day":
        meant = day + timedelta(days=sign)
        return GoldDate(meant, meant, True)
    edges = sorted([day + timedelta(days=sign), day + timedelta(days=sign * _WEEK_REACH)])
    return GoldDate(edges[0], edges[1], False)


def names_a_date(text: str) -> bool:
    """Whether a text names a day of a month, or a year, outright."""
    return _NAMED_OUTRIGHT.search(normalise(text)) is not None


def weekday_dates(value: str) -> Iterator[tuple[str, date]]:
    """Weekdays that a text puts right in front of a full date, with that date."""
    text = normalise(value)
    for pattern in _DATE[:3]:
        for found in re.finditer(rf"\b{_WEEKDAY},? (?:the )?{pattern.pattern}", text):
            day = _from_parts(found.groupdict())
            if day is not None and day.first == day.last:
                yield found["weekday"].capitalize(), day.first


def duration(value: str) -> tuple[int, float] | None:
    """Number and days in the unit of a gold such as "three weeks"; None for anything else."""
    found = _DURATION.fullmatch(normalise(value))
    if found is None:
        return None
    count = found["count"]
    return int(NUMBER_WORDS.get(count, count)), _DAYS_IN[found["unit"]]

"""Dates in any notation, read where only one reading exists."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import MONTHS, is_when, start, weekday

_WEEKDAY: Final = re.compile(
    r"\(?\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?\)?,?"
)
_ZONE: Final = re.compile(r"(?<=[0-9m]) ?(?:z|utc|gmt|[+-][0-9]{2}:?[0-9]{2})$")
_TIME: Final = re.compile(
    r"(?:\bat )?\b(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})"
    r"(?:\.[0-9]+)?)?)?(?: ?(?P<half>[ap])\.?m\b\.?)?(?P<on>,? on\b)?"
)
_NAME: Final = "(?P<name>[a-z]{3,9})"
_WORDED: Final = (
    re.compile(
        rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -]{_NAME}\.?,?[ -](?P<year>[0-9]{{4}})"
    ),
    re.compile(rf"{_NAME}\.? (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,? (?P<year>[0-9]{{4}})"),
    re.compile(rf"(?P<year>[0-9]{{4}})[ -]{_NAME}[ -](?P<day>[0-9]{{1,2}})"),
    re.compile(rf"{_NAME},? (?P<year>[0-9]{{4}})"),
)
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})(?:\2([0-9]{1,2}))?")
_COMPACT: Final = re.compile(r"((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2})")
_COMPACT_TIME: Final = re.compile(r"([0-9]{8})t([0-9]{2})([0-9]{2})([0-9]{2})?(z|[+-][0-9:]+)?")
_YEAR_LAST: Final = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})")


class DateRead(NamedTuple):
    """A date as it was read.

    Attributes:
        when: As a `When`; a zone is dropped, because the time beside it is the local one.
        weekday: The right day of the week, where the text has another one; else None.
    """

    when: str
    weekday: str | None


def read_date(text: str) -> DateRead | None:
    """The only reading of a date that exists; None if there is none, or more than one.

    `8/5/2023` is two days, `31 June` is none, and `1:56` without am or pm is two times.
    """
    rest = _tidy(text)
    named = _WEEKDAY.search(rest)
    if named is not None:
        rest = _tidy(rest[: named.start()] + " " + rest[named.end() :])
    found = {each for each in _readings(rest) if is_when(each)}
    if len(found) != 1:
        return None
    (when,) = found
    if named is None:
        return DateRead(when, None)
    if len(when) < len("2023-05-08"):
        return None
    right = weekday(start(when).date())
    return DateRead(when, None if right.lower().startswith(named[1][:3]) else right)


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" ,").lower()


def _readings(text: str) -> Iterator[str]:
    """Every date that the text can be, days that do not exist among them."""
    yield from _days(text)
    if compact := _COMPACT_TIME.fullmatch(text):
        day, hour, minute, second, _ = compact.groups()
        clock = f"T{hour}:{minute}" + (f":{second}" if second else "")
        yield from (f"{each}{clock}" for each in _days(day))
    if re.fullmatch(r"[0-9-]+t[0-9:.]+(?:z|[+-][0-9:]+)?", text):
        text = text.replace("t", " ", 1)
    text = _ZONE.sub("", text)
    for found in _TIME.finditer(text):
        time = _clock(found)
        before, after = text[: found.start()], text[found.end() :]
        rest = _tidy(f"{before.strip(' ,')} {after.strip(' ,')}")
        if time is not None:
            yield from (f"{day}T{time}" for day in _days(rest) if len(day) == len("2023-05-08"))


def _clock(found: re.Match[str]) -> str | None:
    """A time of the day; None if it is none, or if it could be both before and after noon."""
    hour, half = int(found["hour"]), found["half"]
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    elif found["minute"] is None or len(found["hour"]) == 1:
        return None
    second = f":{found['second']}" if found["second"] else ""
    return f"{hour:02d}:{found['minute'] or '00'}{second}"


def _days(text: str) -> Iterator[str]:
    """Every day, month or year that the text can be."""
    if re.fullmatch("[0-9]{4}", text):
        yield text
    for pattern in _WORDED:
        found = pattern.fullmatch(text)
        month = _month(found["name"]) if found is not None else None
        if found is not None and month is not None:
            parts = found.groupdict()
            yield _iso(parts["year"], month, parts.get("day"))
    if compact := _COMPACT.fullmatch(text):
        yield "-".join(compact.groups())
    if first := _YEAR_FIRST.fullmatch(text):
        yield _iso(first[1], int(first[3]), first[4])
    if last := _YEAR_LAST.fullmatch(text):
        yield _iso(last[4], int(last[3]), last[1])
        yield _iso(last[4], int(last[1]), last[3])


def _iso(year: str, month: int, day: str | None) -> str:
    return f"{year}-{month:02d}" + ("" if day is None else f"-{int(day):02d}")


def _month(name: str) -> int | None:
    """The number of a month that is written out or cut to three or four letters."""
    fits = [
        at for at, each in enumerate(MONTHS, 1) if each.lower() == name or each.lower()[:3] == name
    ]
    return fits[0] if fits else 9 if name == "sept" else None

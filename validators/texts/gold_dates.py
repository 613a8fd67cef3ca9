"""Reading the date or the duration that a gold answer states, and nothing else."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, add_months, interval, is_when
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
_TIMES: Final = "|".join(("a", "last", "next", *NUMBER_WORDS))
_SHIFTED: Final = re.compile(
    rf"(?:{_WEEKDAY}|(?:(?P<times>{_TIMES}|[0-9]{{1,2}}) )?(?P<unit>day|weekend|week|month|year)s?)"
    r" (?P<side>before|after) (?P<rest>.+)"
)
_WITHIN: Final = re.compile(
    r"(?:(?P<part>first|second|third|last) )?(?P<unit>week|weekend) of (?P<rest>.+)"
)
_PART_OF_MONTH: Final = re.compile(
    r"(?P<part>beginning|start|middle|end|early|mid|late)(?: of | in |[- ])(?P<rest>.+)"
)
_SEASON: Final = re.compile(
    r"(?P<season>spring|summer|autumn|fall|winter)(?: of)? (?P<year>[12][0-9]{3})"
)
_FEW_DAYS: Final = re.compile(r"(?:a )?(?:few|couple of) days (?P<side>before|after) (?P<rest>.+)")
_VAGUE: Final = re.compile(r"(?:around|about|approximately|roughly|circa|towards?) ")
_NAMED: Final = re.compile(rf"{_WEEKDAY},? (?:the )?(?P<rest>.+)")
_NAMED_OUTRIGHT: Final = re.compile(
    r"\b(?:[0-9]{1,2}(?:st|nd|rd|th)|[12][0-9]{3})\b"
    rf"|\b[0-9]{{1,2}} {_MONTH}\b|\b{_MONTH.replace('?P<month>', '?:')} [0-9]{{1,2}}\b"
)
_COUNT: Final = "(?P<count>[0-9]{1,4}|" + "|".join(NUMBER_WORDS) + ")"
_BETWEEN: Final = re.compile(r"between (?P<first>.+?) and (?P<last>.+)")
_DURATION: Final = re.compile(rf"(?:about |around )?{_COUNT} (?P<unit>day|week|month|year)s?\.?")
_DAYS_IN: Final = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
_WEEK_REACH: Final = 13
_WHOLE_YEAR: Final = 360
_LEAST_YEAR: Final = 1000
_SLIP: Final = 0.85
"""A word so like the name of a month is that name with a slip: "Janury", "Setpember"."""


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
    text = _tidy(value)
    vague = _VAGUE.match(text)
    found = _read(text[vague.end() :] if vague else text)
    return found._replace(exact=False) if vague and found else found


def _tidy(value: str) -> str:
    """A gold without marks that are slips of the pen: `21January`, `3\u0060 July`, `April.2023`."""
    text = re.sub(r"(?<=[0-9])[`'*]+", "", normalise(value)).strip(" .!")
    text = re.sub(r"(?<=[0-9])(?=[a-z]{3})|(?<=[a-z])\.(?=[0-9])|(?<=,)(?=[0-9])", " ", text)
    text = re.sub(r"^(?:on|in|during|at) ", "", text)
    return re.sub(r"^the ", "", text)


def _read(text: str) -> GoldDate | None:
    if is_when(text.upper()):
        span = interval(text.upper())
        return GoldDate(span.start.date(), (span.end - timedelta(seconds=1)).date(), True)
    for pattern, meant in _RELATIVE:
        found = pattern.fullmatch(text)
        if found is not None:
            return meant(found)
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
        if month.lower() == name
        or name in (month[:3].lower(), month[:4].lower())
        or SequenceMatcher(None, month.lower(), name).ratio() >= _SLIP
    ]
    return str(found[0]) if found else None


def _shifted_date(found: "re.Match[str]") -> GoldDate | None:
    """A gold such as "the Friday before 9 June 2023" or "two weeks before 11 August 2023"."""
    anchor = _absolute(found["rest"])
    if anchor is None or anchor.first != anchor.last:
        return None
    day, sign = anchor.first, -1 if found["side"] == "before" else 1
    if found["weekday"]:
        number = [name.lower() for name in WEEKDAYS].index(found["weekday"])
        step = (sign * (number - day.weekday()) - 1) % 7 + 1
        meant = day + timedelta(days=sign * step)
        return GoldDate(meant, meant, True)
    count, unit = _times(found["times"]), found["unit"]
    if unit == "day":
        meant = day + timedelta(days=sign * count)
        return GoldDate(meant, meant, True)
    if unit in {"month", "year"}:
        meant = add_months(day, sign * count * (12 if unit == "year" else 1))
        return GoldDate(meant - timedelta(days=16), meant + timedelta(days=16), False)
    if unit == "weekend" and sign < 0:
        friday = day - timedelta(days=(day.weekday() + 2) % 7 + 1 + 7 * (count - 1))
        return GoldDate(friday, friday + timedelta(days=2), False)
    near = day + timedelta(days=sign * (1 if count == 1 else 7 * (count - 1)))
    edges = sorted([near, day + timedelta(days=sign * (7 * count + _WEEK_REACH - 7))])
    return GoldDate(edges[0], edges[1], False)


def _times(word: str | None) -> int:
    if word in {None, "a", "last", "next"}:
        return 1
    return int(NUMBER_WORDS.get(str(word), str(word)))


def _within(found: "re.Match[str]") -> GoldDate | None:
    """A gold such as "the first week of May 2023" or "the weekend of 24 June 2022"."""
    anchor = _absolute(found["rest"])
    if anchor is None:
        return None
    if anchor.first == anchor.last and found["part"] is None:
        return GoldDate(anchor.first - timedelta(6), anchor.first + timedelta(6), False)
    if found["part"] is None or not _is_month(anchor):
        return None
    if found["part"] == "last":
        return GoldDate(anchor.last - timedelta(days=9), anchor.last, False)
    begin = anchor.first + timedelta(weeks=("first", "second", "third").index(found["part"]))
    return GoldDate(begin, begin + timedelta(days=9), False)


def _part_of_month(found: "re.Match[str]") -> GoldDate | None:
    anchor = _absolute(found["rest"])
    if anchor is None or not _is_month(anchor):
        return None
    at = {"beginning": 0, "start": 0, "early": 0, "middle": 9, "mid": 9}.get(found["part"], 18)
    return GoldDate(anchor.first + timedelta(at), anchor.first + timedelta(at + 12), False)


def _is_month(span: GoldDate) -> bool:
    return span.first != span.last and span.first.month == span.last.month


def _few_days(found: "re.Match[str]") -> GoldDate | None:
    anchor = _absolute(found["rest"])
    if anchor is None:
        return None
    if found["side"] == "before":
        return GoldDate(anchor.first - timedelta(days=10), anchor.first - timedelta(1), False)
    return GoldDate(anchor.last + timedelta(days=1), anchor.last + timedelta(10), False)


def _between(found: "re.Match[str]") -> GoldDate | None:
    """A gold such as "between October 19 and 24, 2023": the last date names what both share."""
    last = _absolute(found["last"])
    tail = re.search(rf"{_YEAR}$", found["last"])
    if last is None:
        month = re.match(r"[a-z]+\.?", found["first"])
        last = _absolute(f"{month.group()} {found['last']}") if month else None
    if last is None:
        return None
    first = _absolute(found["first"]) or (tail and _absolute(f"{found['first']} {tail.group()}"))
    return GoldDate(first.first, last.last, False) if first and first.first <= last.last else None


def _season(found: "re.Match[str]") -> GoldDate | None:
    year = int(found["year"])
    first = {"spring": 3, "summer": 6, "winter": 12}.get(found["season"], 9)
    # A month more on either side: seasons begin by the stars, by the weather, or in the south.
    begin = add_months(date(year, first, 1), -1)
    return GoldDate(begin, add_months(begin, 5) - timedelta(days=1), False)


_RELATIVE: Final = (
    (_SHIFTED, _shifted_date),
    (_WITHIN, _within),
    (_PART_OF_MONTH, _part_of_month),
    (_FEW_DAYS, _few_days),
    (_SEASON, _season),
    (_BETWEEN, _between),
)


def names_a_date(text: str) -> bool:
    """Whether a text names a day of a month, or a year, outright."""
    return _NAMED_OUTRIGHT.search(normalise(text)) is not None


def may_name(text: str, gold: GoldDate) -> bool:
    """Whether some day of a month or year that a text names outright can be that of a gold."""
    plain = normalise(text)
    return any(_is_named(found, gold) for found in _NAMED_OUTRIGHT.finditer(plain))


def _is_named(found: "re.Match[str]", gold: GoldDate) -> bool:
    number = re.search("[0-9]+", found.group())
    if number is None or (gold.last - gold.first).days > _WHOLE_YEAR:
        return True
    value = int(number.group())
    if value >= _LEAST_YEAR:
        return gold.first.year <= value <= gold.last.year
    month = _month_number((re.search("[a-z]{3,}", found.group()) or [None])[0])
    span = range((gold.last - gold.first).days + 1)
    days = [gold.first + timedelta(days=step) for step in span]
    return any(each.day == value and month in (None, str(each.month)) for each in days)


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

"""Months that words of a sentence speak of, counted from the year 0."""

import re
from typing import Final

from memassay.schemas.values.text import ORDINALS
from memassay.synth.lives.unifying.persons.facts import month_of
from memassay.synth.lives.unifying.reading.claims import Told

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
MONTH: Final = rf"(?P<month>{'|'.join(MONTHS)})"
_SEASONS: Final = {
    "spring": (3, 5),
    "summer": (6, 8),
    "autumn": (9, 11),
    "fall": (9, 11),
    "winter": (12, 14),
    "christmas": (12, 12),
    "new year": (12, 13),
    "new year's": (12, 13),
    "easter": (3, 4),
}
SEASON: Final = rf"(?P<season>{'|'.join(sorted(_SEASONS, key=len, reverse=True))})"
_DAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NEAR: Final = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|this (?:week|morning|weekend|afternoon|"
    rf"evening|{_DAY})|"
    rf"(?:on|next|last|this past) (?:week|weekend|{_DAY})|on {_DAY}|\d+ (?:days?|weeks?) ago|"
    rf"(?:a few|some|several|\d+|a couple of) (?:days|weeks) ago|the day after tomorrow|"
    rf"in (?:\d+|a few) (?:days|weeks)|just now|the other day|recently|soon)\b"
)
_MONTHS_OFF: Final = (
    (re.compile(r"\blast month\b"), -1),
    (re.compile(r"\bnext month\b"), 1),
    (re.compile(r"\bthis month\b"), 0),
)
_AGO: Final = re.compile(r"\b(?P<number>\d+) (?P<unit>years?|months?) ago\b")
_YEAR: Final = re.compile(
    r"\b(?:in|of|since|from|until|back in|year)(?: \w+){0,2}? (?P<year>(?:19|20)\d\d)\b"
)
_IN_MONTH: Final = re.compile(
    rf"\b(?:in|on|last|this|next|since|until|at)(?: the)?(?: \w+)?(?: of)? {MONTH}\b"
)
_IN_SEASON: Final = re.compile(rf"\b(?P<when>in|last|this|next|over|at|since)(?: the)? {SEASON}\b")
_TENS: Final = {
    "twent": 20,
    "thirt": 30,
    "fort": 40,
    "fift": 50,
    "sixt": 60,
    "sevent": 70,
    "eight": 80,
    "ninet": 90,
}
_ORDINAL: Final = re.compile(
    rf"\b(?:(?P<tens>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|\d0)[- ])?"
    rf"(?P<ones>{'|'.join(ORDINALS)})\b|\b(?P<round>{'|'.join(_TENS)})ieth\b"
)


def ordinals(text: str) -> str:
    """A text with `twenty-first` as `21th`: all in figures with the same ending."""

    def figure(found: re.Match[str]) -> str:
        if found["round"]:
            return f"{_TENS[found['round']]}th"
        tens = found["tens"] or "0"
        number = int(tens) if tens.isdigit() else _TENS[tens[:-1]]
        return f"{number + ORDINALS[found['ones']]}th"

    return re.sub(r"\b(\d+)(?:st|nd|rd)\b", r"\1th", _ORDINAL.sub(figure, text))


def event(text: str, told: Told, *, ahead: bool = False) -> tuple[int, int] | None:
    """First and last month in which a lower-case text says that something is or was."""
    now = month_of(told)
    if found := _YEAR.search(text):
        year = int(found["year"]) * 12
        if named := _IN_MONTH.search(text):
            return (year + MONTHS.index(named["month"]),) * 2
        return year, year + 11
    if found := _AGO.search(text):
        span = int(found["number"]) * (12 if found["unit"].startswith("year") else 1)
        slack = max(1, span // 10) if span < 24 else 8
        return now - span - slack, now - span + slack
    for pattern, off in _MONTHS_OFF:
        if pattern.search(text):
            return now + off, now + off
    if found := _IN_MONTH.search(text):
        return _nearest(now, MONTHS.index(found["month"]), MONTHS.index(found["month"]), ahead)
    if _NEAR.search(text):
        return now - 1, now + 1
    if found := _IN_SEASON.search(text):
        low, high = _SEASONS[found["season"]]
        return _nearest(now, low - 2, high, ahead or found["when"] == "next")
    return None


def _nearest(now: int, low: int, high: int, ahead: bool) -> tuple[int, int]:
    year = now // 12 * 12
    while year + low > now and not ahead:
        year -= 12
    while year + high < now and ahead:
        year += 12
    return year + low, year + high

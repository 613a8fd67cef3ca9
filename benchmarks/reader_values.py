"""Values as a reader finds them in text: dates, times of day, numbers with their units."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_NAMES: Final = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_DAY_MONTH: Final = re.compile(rf"\b(\d{{1,2}})\.? ({_NAMES})\.?,? (\d{{4}})\b", re.IGNORECASE)
_MONTH_DAY: Final = re.compile(rf"\b({_NAMES})\.? (\d{{1,2}}),? (\d{{4}})\b", re.IGNORECASE)
_ISO: Final = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_CLOCK: Final = re.compile(r"\b(\d{1,2}):(\d{2})\b")
_NUMBER: Final = re.compile(r"(?<![\w.:/-])-?\d+(?:\.\d+)?(?![\d:]|\.\d)")


@dataclass(frozen=True)
class Found:
    """A value in a text: where it stands and the number, day or time it says."""

    start: int
    end: int
    value: str


def days_in(text: str) -> list[Found]:
    """Calendar days in a text, as ISO dates."""
    found = []
    for match in _DAY_MONTH.finditer(text):
        found.append((match, match.group(3), match.group(2), match.group(1)))
    for match in _MONTH_DAY.finditer(text):
        found.append((match, match.group(3), match.group(1), match.group(2)))
    read = [(match, _day(year, _month(name), day)) for match, year, name, day in found]
    for match in _ISO.finditer(text):
        year, month, day = match.groups()
        read.append((match, _day(year, int(month), day)))
    days = [Found(match.start(), match.end(), day) for match, day in read if day]
    return sorted(days, key=lambda one: one.start)


_AGO: Final = re.compile(
    r"\b(?:(?P<day>today|yesterday)|(?P<count>[a-z-]+|\d+) (?P<unit>day|week)s? ago)\b",
    re.IGNORECASE,
)
_WORDS: Final = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty
"""
_COUNTS: Final = {word: at for at, word in enumerate(_WORDS.split(), 1)} | {"a": 1}


def days_told(text: str, told: str | None) -> list[Found]:
    """Calendar days in a text, also those that are counted back from the day it was said on."""
    found = days_in(text)
    for match in _AGO.finditer(text) if told else ():
        named, count = (match["day"] or "").lower(), (match["count"] or "").lower()
        back = {"today": 0, "yesterday": 1}.get(named)
        if count:
            number = int(count) if count.isdigit() else _COUNTS.get(count)
            back = None if number is None else number * (7 if match["unit"] == "week" else 1)
        if back is not None:
            day = date.fromisoformat(str(told)) - timedelta(days=back)
            found.append(Found(match.start(), match.end(), day.isoformat()))
    return sorted(found, key=lambda one: one.start)


def _month(name: str) -> int:
    return next(at for at, full in enumerate(_MONTHS, 1) if full.startswith(name.lower()[:3]))


def _day(year: str, month: int, day: str) -> str | None:
    try:
        return date(int(year), month, int(day)).isoformat()
    except ValueError:
        return None


def clocks_in(text: str) -> list[Found]:
    """Times of day in a text, as `HH:MM`."""
    return [
        Found(match.start(), match.end(), f"{int(match.group(1)):02d}:{match.group(2)}")
        for match in _CLOCK.finditer(text)
    ]


def numbers_in(text: str, unit: str | None = None) -> list[Found]:
    """Numbers in a text that are part of no date or time, with a unit if one is named."""
    taken = [(one.start, one.end) for one in (*days_in(text), *clocks_in(text))]
    found = []
    for match in _NUMBER.finditer(text):
        inside = any(start <= match.start() < end for start, end in taken)
        if not inside and (unit is None or _followed_by(text[match.end() :], unit)):
            found.append(Found(match.start(), match.end(), plain(match.group())))
    return found


def _followed_by(rest: str, unit: str) -> bool:
    return re.match(rf"\s?{re.escape(unit)}(?!\w)", rest, re.IGNORECASE) is not None


def plain(number: str) -> str:
    """A number without what does not change it: `22.0` and `22` are alike."""
    return f"{Decimal(number).normalize():f}"


def decimal_of(text: str | None) -> Decimal | None:
    """The first number of a text, whatever its decimal mark; None if it has none."""
    match = re.search(r"-?\d+(?:[.,]\d+)?", text or "")
    return Decimal(match.group().replace(",", ".")) if match else None


def amount(text: str) -> tuple[str, str] | None:
    """Number and unit of a text that is nothing else, such as `22.0 cm`; else None."""
    match = re.fullmatch(r"(-?\d+(?:\.\d+)?)\s?(%|[^\d\s].*)?", text.strip())
    if match is None or clocks_in(text) or days_in(text):
        return None
    return plain(match.group(1)), (match.group(2) or "").strip()


def kind_of(value: str) -> str:
    """Whether a gold is a `day`, a `clock`, a `number` or a `phrase`."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return "day"
    if re.fullmatch(r"\d{1,2}:\d{2}", value):
        return "clock"
    return "number" if amount(value) else "phrase"

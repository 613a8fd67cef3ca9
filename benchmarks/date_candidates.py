"""Calendar arithmetic for candidate wrong dates in published golds; standard library only.

Relative expressions and gold dates are read as closed day intervals. A gold is a candidate when
its interval meets none of the intervals of the expressions in the cited turns. Every reading
that English allows is taken ("last Saturday" on a Sunday is yesterday or eight days ago), so a
candidate contradicts all of them.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

MONTHS = (
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
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        )
    )
} | {"a": 1, "an": 1}
MONTH = "(?P<month>" + "|".join(f"{name[:3]}[a-z]*" for name in MONTHS) + ")"
WEEKDAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:day)?"
COUNT = r"(?P<count>\d+|" + "|".join(sorted(NUMBERS)) + ")"
# A gold counts as a date only if it holds no other words than these and the date itself.
DATE_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about after and around at before between beginning day days early end few first from "
        "he in it last late mid of on season she since some start spring summer autumn fall "
        "winter the then they to two three until was week weekend weekends weeks year years",
    )
)


class Span(NamedTuple):
    """Closed interval of days."""

    first: date
    last: date

    def meets(self, other: "Span") -> bool:
        """Whether the two intervals share a day."""
        return self.first <= other.last and other.first <= self.last


class Reading(NamedTuple):
    """One relative expression of a turn: its words, its spans, and whether it fixes them."""

    words: str
    spans: tuple[Span, ...]
    sharp: bool


def span(anchor: date, first: int, last: int) -> Span:
    """Days ``anchor + first`` to ``anchor + last``."""
    return Span(anchor + timedelta(days=first), anchor + timedelta(days=last))


def month_span(year: int, month: int) -> Span:
    """The month counted on from January of ``year``; ``month`` may lie outside 1..12."""
    start = date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    following = date(start.year + start.month // 12, start.month % 12 + 1, 1)
    return Span(start, following - timedelta(days=1))


def year_span(year: int) -> Span:
    """The calendar year."""
    return Span(date(year, 1, 1), date(year, 12, 31))


def weekday_number(word: str) -> int:
    """Monday 0 to Sunday 6 from a name or its usual abbreviation."""
    return next(n for n, name in enumerate(DAYS) if name.startswith(word.lower()[:3]))


def number(word: str) -> int:
    """Value of a numeral or a number word up to twelve; articles are one."""
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def weekday_back(anchor: date, weekday: int, weeks: int = 0) -> Span:
    """The latest such weekday strictly before ``anchor``, then ``weeks`` more back."""
    back = (anchor.weekday() - weekday - 1) % 7 + 1
    return span(anchor, -back - 7 * weeks, -back - 7 * weeks)


def weekday_on(anchor: date, weekday: int, weeks: int = 0) -> Span:
    """The first such weekday strictly after ``anchor``, then ``weeks`` more on."""
    ahead = (weekday - anchor.weekday() - 1) % 7 + 1
    return span(anchor, ahead + 7 * weeks, ahead + 7 * weeks)


def units_back(anchor: date, count: int, unit: str) -> Span:
    """``count`` units before ``anchor`` with the slack that the unit leaves."""
    if unit == "day":
        return span(anchor, -count, -count)
    if unit in {"week", "weekend"}:
        return span(anchor, -7 * count - 6, -7 * count + 6)
    if unit == "month":
        first = month_span(anchor.year, anchor.month - count - 1).first
        return Span(first, min(anchor, month_span(anchor.year, anchor.month - count + 1).last))
    return Span(date(anchor.year - count - 1, 7, 1), date(anchor.year - count + 1, 6, 30))


Builder = Callable[[date, "re.Match[str]"], tuple[Span, ...]]
RELATIVE: tuple[tuple[str, bool, Builder], ...] = (
    (r"(?<!day before )\b(?:yesterday|last night)\b", True, lambda day, _: (span(day, -1, -1),)),
    (r"\bday before yesterday\b", True, lambda day, _: (span(day, -2, -2),)),
    (
        rf"\b{COUNT} days? (?:later|from now)\b|\bin {COUNT.replace('count', 'ahead')} days?\b",
        False,
        lambda day, m: (span(day, *[number(m["count"] or m["ahead"])] * 2),),
    ),
    (r"\btomorrow\b", True, lambda day, _: (span(day, 1, 1),)),
    (
        rf"\b{COUNT} (?P<unit>day|week|weekend|month|year)s? ago\b",
        True,
        lambda day, m: (units_back(day, number(m["count"]), m["unit"].lower()),),
    ),
    (r"\bfew days (?:ago|back)\b", False, lambda day, _: (span(day, -7, -1),)),
    (r"\bfew weeks (?:ago|back)\b", False, lambda day, _: (span(day, -42, -8),)),
    (r"\bfew (?:months|years) (?:ago|back)\b", False, lambda day, _: (span(day, -3650, -31),)),
    (
        rf"\b(?:last|past) {WEEKDAY}\b",
        True,
        lambda day, m: tuple(weekday_back(day, weekday_number(m["weekday"]), w) for w in (0, 1)),
    ),
    (
        rf"\bnext {WEEKDAY}\b",
        True,
        lambda day, m: tuple(weekday_on(day, weekday_number(m["weekday"]), w) for w in (0, 1)),
    ),
    (
        rf"\b(?:on|this) {WEEKDAY}\b",
        False,
        lambda day, m: (
            weekday_back(day, weekday_number(m["weekday"])),
            span(day, 0, 0),
            weekday_on(day, weekday_number(m["weekday"])),
        ),
    ),
    (r"\blast week\b", False, lambda day, _: (span(day, -13, -1),)),
    (r"\b(?:last|past) weekend\b", False, lambda day, _: (span(day, -10, -1),)),
    (r"\bthis weekend\b", False, lambda day, _: (span(day, -4, 7),)),
    (r"\bnext week(?:end)?\b", False, lambda day, _: (span(day, 1, 14),)),
    (r"\bthis week\b", False, lambda day, _: (span(day, -7, 7),)),
    (r"\blast month\b", True, lambda day, _: (month_span(day.year, day.month - 1),)),
    (r"\bthis month\b", True, lambda day, _: (month_span(day.year, day.month),)),
    (r"\bnext month\b", True, lambda day, _: (month_span(day.year, day.month + 1),)),
    (r"\blast year\b", True, lambda day, _: (year_span(day.year - 1),)),
    (r"\bnext year\b", True, lambda day, _: (year_span(day.year + 1),)),
    (
        r"\b(?P<which>last|this|next) summer\b",
        False,
        lambda day, m: (
            Span(
                date(day.year + {"last": -1, "this": 0, "next": 1}[m["which"].lower()], 5, 15),
                date(day.year + {"last": 0, "this": 0, "next": 1}[m["which"].lower()], 9, 30),
            ),
        ),
    ),
    (r"\b(?:today|tonight|this morning|this evening)\b", False, lambda day, _: (span(day, 0, 0),)),
)


def readings(text: str, spoken: date) -> list[Reading]:
    """Relative expressions of a turn spoken on a day, in order of appearance."""
    found = [
        (match.start(), Reading(match.group(0).lower(), build(spoken, match), sharp))
        for pattern, sharp, build in RELATIVE
        for match in re.finditer(pattern, text, re.IGNORECASE)
    ]
    return [reading for _, reading in sorted(found, key=lambda each: each[0])]


def _absolute(text: str, year: int) -> tuple[Span, str] | None:
    """The absolute date in a gold and its precision (day, month or year)."""
    if match := re.search(r"(\d{4})-(\d\d)-(\d\d)", text):
        day = date(*(int(part) for part in match.groups()))
        return Span(day, day), "day"
    day_first = rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? *{MONTH}\b[,. ]*(?P<year>\d{{4}})?"
    month_first = rf"\b{MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d),? *(?P<year>\d{{4}})?"
    for pattern in (day_first, month_first):
        if match := re.search(pattern, text, re.IGNORECASE):
            month = 1 + next(n for n, m in enumerate(MONTHS) if m[:3] == match["month"].lower()[:3])
            day = date(int(match["year"] or year), month, int(match["day"]))
            return Span(day, day), "day"
    if match := re.search(rf"\b{MONTH}\b[,. ]*(?P<year>\d{{4}})?", text, re.IGNORECASE):
        month = 1 + next(n for n, m in enumerate(MONTHS) if m[:3] == match["month"].lower()[:3])
        return month_span(int(match["year"] or year), month), "month"
    if match := re.search(r"\b((?:19|20)\d\d)\b", text):
        return year_span(int(match[1])), "year"
    return None


def _words(text: str) -> list[str]:
    """Lower-case words without digits."""
    return re.findall(r"[a-z]+", text.lower())


def gold_span(answer: str, spoken: date) -> tuple[Span, str] | None:
    """Interval and precision of a gold date; None where it is no date this grammar knows."""
    spaced = re.sub(r"\d+(?:(?:st|nd|rd|th)\b)?", " ", answer)
    other = re.sub(rf"\b{MONTH}\b|\b{WEEKDAY}\b", " ", spaced, flags=re.IGNORECASE)
    found = _absolute(answer, spoken.year)
    if found is None or re.search(r"[^\s\w.,-]", answer) or set(_words(other)) - DATE_WORDS:
        return None
    base, precision = found
    if re.search(
        r"\b(first|last|end|start) (week|weekend)? ?of\b|\baround\b", answer, re.IGNORECASE
    ):
        return base, "loose"
    if re.search(r"\b(between|since|season|summer|week of|weekend of)\b", answer, re.IGNORECASE):
        return Span(base.first - timedelta(days=7), base.last + timedelta(days=7)), "loose"
    match = re.search(
        rf"(?P<unit>{WEEKDAY}|(?:day|week|weekend|year)s?) (?P<side>before|after)\b",
        answer,
        re.IGNORECASE,
    )
    if match is None:
        return base, precision
    return _shifted(base, match)


def _shifted(base: Span, match: "re.Match[str]") -> tuple[Span, str]:
    """A gold of the form "the Friday before DATE"."""
    back = match["side"].lower() == "before"
    anchor = base.first if back else base.last
    if match["weekday"]:
        step = weekday_back if back else weekday_on
        return step(anchor, weekday_number(match["weekday"])), "day"
    reach = {"d": 7, "w": 21, "y": 3650}[match["unit"].lower()[0]]
    return (span(anchor, -reach, -1) if back else span(anchor, 1, reach)), "loose"

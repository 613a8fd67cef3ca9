"""Values that a sentence tells: years, lengths of time, ages, how often, months, sums."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.text import content_tokens

YEAR: Final = "year in which"
_AGE: Final = "age"
_OFTEN: Final = "times a year"
MONTH: Final = "month"
_LENGTH: Final = re.compile(
    r"\b(?P<number>[0-9]+(?:\.[0-9]+)?)(?: |-)(?P<unit>year|month|week|day|hour|minute|mile"
    r"|kilometer|million|thousand|percent|dollar)s?\b(?P<then> (?:old|later|apart|earlier|before"
    r"|after|in advance))?"
)
_ANNIVERSARY: Final = re.compile(r"\b(?P<number>[0-9]+) ?(?:st|nd|rd|th) anniversary\b")
_IN_YEAR: Final = re.compile(
    r"(?:\b(?:in|since|of|from|until|by|around|about) |^)(?P<year>(?:19|20)[0-9]{2})\b"
)
_AT_AGE: Final = re.compile(
    r"\b(?:when i was|at age|at age of|aged|turned) (?P<number>[0-9]{1,2})\b"
)
_PER: Final = {"day": 365.0, "week": 52.0, "month": 12.0, "year": 1.0}
_FEW: Final = 3
_RATE: Final = re.compile(
    r"\b(?P<number>once|twice|[0-9]+ times|(?:few|couple|several|multiple) times)"
    r"(?: or [\w ]+?)?(?: (?:a|per|each|every))? (?P<per>day|week|month|year)\b"
)
_EVERY: Final = re.compile(
    r"\bevery (?P<other>other |second )?(?:single )?(?P<each>day|week|month|year|morning|evening"
    r"|night|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
_DAILY: Final = frozenset({"day", "morning", "evening", "night"})
_NAMES: Final = [name.casefold() for name in MONTHS]
_IN_MONTH: Final = re.compile(
    rf"\b(?:(?:in|last|since|of|until|on|around) (?:(?:early|late|mid)[ -])?"
    rf"|[0-9]+(?:st|nd|rd|th)?(?: of)? )(?P<month>{'|'.join(_NAMES)})\b"
)
_ALIKE: Final = 1.01
"""Years that differ by no more are one: a year ago may be that year or the one before."""


class Value(NamedTuple):
    """A value of a kind, such as 5 years.

    Attributes:
        kind: What is measured: a unit, or what it says of time.
        number: How much.
        plain: Whether it is said as it is, not counted back from the day.
    """

    kind: str
    number: float
    plain: bool = True

    def agrees(self, other: "Value") -> bool:
        """Whether two values of one kind may be one."""
        apart = abs(self.number - other.number)
        return apart <= (_ALIKE if self.kind == YEAR else 0.0)


@lru_cache(maxsize=1 << 14)
def values(text: str, day: date | None) -> frozenset[Value]:
    """The values that a text tells on a day."""
    line = " ".join(content_tokens(text))
    if not any(letter.isdigit() for letter in line):
        return frozenset({*_rates(line), *_months(text)})
    return frozenset({*_lengths(line, day), *_years(line), *_rates(line), *_months(text)})


def _lengths(line: str, day: date | None) -> Iterator[Value]:
    for found in _LENGTH.finditer(line):
        number, unit = float(found["number"]), found["unit"]
        if (found["then"] or "").strip() == "old":
            yield Value(_AGE, number)
        elif not found["then"]:
            yield Value(unit, number)
            if unit == "year" and day:
                yield Value(YEAR, day.year - number, plain=False)
    for found in _ANNIVERSARY.finditer(line):
        yield Value("year", float(found["number"]))
    for found in _AT_AGE.finditer(line):
        yield Value(_AGE, float(found["number"]))


def _years(line: str) -> Iterator[Value]:
    for found in _IN_YEAR.finditer(line):
        yield Value(YEAR, float(found["year"]))


def _rates(line: str) -> Iterator[Value]:
    for found in _RATE.finditer(line):
        word = found["number"].split()[0]
        times = {"once": 1, "twice": 2}.get(word) or (int(word) if word.isdigit() else _FEW)
        yield Value(_OFTEN, times * _PER[found["per"]])
    for found in _EVERY.finditer(line):
        each = found["each"]
        rate = _PER["day"] if each in _DAILY else _PER.get(each, _PER["week"])
        yield Value(_OFTEN, rate / 2 if found["other"] else rate)


def _months(text: str) -> Iterator[Value]:
    for found in _IN_MONTH.finditer(text.lower()):
        yield Value(MONTH, 1.0 + _NAMES.index(found["month"]))

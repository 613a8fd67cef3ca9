"""Rules on days that texts name: they exist, and their weekday is right."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS, is_when, start, weekday
from memassay.validators.places import Parts, turns
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "our choice: dates by calendar"
_HALF_A_YEAR: Final = timedelta(days=183)
_MONTH: Final = "(?P<month>" + "|".join(MONTHS) + ")"
_DAY: Final = "(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,? (?P<year>[12][0-9]{3}))?(?![0-9])"
_DATE: Final = (rf"{_DAY} (?:of )?{_MONTH}{_YEAR}", rf"{_MONTH} {_DAY}{_YEAR}")
_WEEKDAY: Final = "(?P<weekday>" + "|".join(WEEKDAYS) + ")"
_NAMED: Final = [re.compile(rf"\b{_WEEKDAY},? (?:the )?{each}") for each in _DATE]
_EVERY_DAY: Final = [re.compile(rf"\b{each}") for each in _DATE]
_MOST_DAYS: Final = 31
_NO_YEAR: Final = 2024
"""A leap year, in which every day that may be has its place."""


def _read(found: "re.Match[str]", year: int) -> date | None:
    """The day that a date in a text means; one without a year is in the given one."""
    number = MONTHS.index(found["month"]) + 1
    when = f"{int(found['year'] or year):04d}-{number:02d}-{int(found['day']):02d}"
    return start(when).date() if is_when(when) else None


def _session_day(bundle: Bundle, turn: str) -> date | None:
    when = bundle.date_by_round.get(turn.rpartition(".")[0])
    known = when is not None and is_when(when) and len(when) >= len("2024-01-31")
    return start(str(when)).date() if known else None


def _texts(bundle: Bundle) -> Iterator[tuple[str, Parts, str, date | None]]:
    """What turns, questions and golds say, with record, place and the day of a turn's session."""
    for parts, turn in turns(bundle):
        yield bundle.id, (*parts, "text"), turn.text, _session_day(bundle, turn.id)
    for item in bundle.questions:
        yield item.id, ("question", "text"), item.question.text, None
        for at, value in enumerate(item.answer.values):
            yield item.id, ("answer", "values", at), value, None


@RULES.conversation("days.exists", Severity.ERROR, _SOURCE)
def exists(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A month has the day that a turn, a question or a gold names in it."""
    for target, parts, text, _ in _texts(bundle):
        for found in (each for pattern in _EVERY_DAY for each in pattern.finditer(text)):
            if int(found["day"]) <= _MOST_DAYS and _read(found, _NO_YEAR) is None:
                fix = "correct the day or the month"
                yield problem(target, parts, "a day that exists", found.group(), fix)


@RULES.conversation("days.weekday", Severity.ERROR, _SOURCE)
def weekdays(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A weekday beside a date in a text is the weekday of that date."""
    for target, parts, text, day in _texts(bundle):
        for pattern in _NAMED:
            for found in pattern.finditer(text):
                # Without a year the date may be in the year of the session or in one beside it.
                years = (day.year - 1, day.year, day.year + 1) if day else ()
                read = [_read(found, year) for year in ((0,) if found["year"] else years)]
                meant = _near([each for each in read if each is not None], day)
                if meant and all(weekday(each) != found["weekday"] for each in meant):
                    yield problem(
                        target,
                        parts,
                        f"{weekday(meant[0])} for {meant[0]}",
                        found.group(),
                        "correct the weekday or the date",
                    )


def _near(meant: list[date], day: date | None) -> list[date]:
    """Of dates in several years those within half a year of the session, or all."""
    near = [each for each in meant if day is not None and abs(each - day) <= _HALF_A_YEAR]
    return near or meant

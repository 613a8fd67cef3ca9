"""Rules on date arithmetic: golds agree with what the cited words mean by the calendar."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import WEEKDAYS, is_when, start, weekday
from memassay.schemas.values.relative_dates import DayRange, RelativeDate, relative_dates
from memassay.validators.items.dates.gold_dates import (
    GoldDate,
    duration,
    gold_date,
    names_a_date,
    weekday_dates,
)
from memassay.validators.places import evidence_turns
from memassay.validators.registry import problem, question_rule
from memassay.validators.wording import key_words, says, sentences

_SLACK: Final = {"week": 6, "month": 45, "year": 400}
"""Days by which people are out when they count back in a unit, at most."""
_SHARP: Final = ("yesterday", "tomorrow", " ago", "month", "year", *map(str.casefold, WEEKDAYS))
"""What an expression must hold to fix its days; "last week" and "in two weeks" do not."""


def _rests_on_words(item: QAItem) -> bool:
    """Whether words of the history may answer an item, and not pixels alone."""
    return item.answerable and (not item.modalities or Modality.TEXT in item.modalities)


def _day(when: str | None) -> date | None:
    """The day of a date; None if there is none that is known to the day."""
    if when is None or not is_when(when) or len(when) < len("2024-01-31"):
        return None
    return start(when).date()


def _spoken(bundle: Bundle, item: QAItem) -> list[tuple[str, date]]:
    """The cited texts, each with the day it was spoken on; undated ones are left out."""
    found: list[tuple[str, date]] = []
    for turn in evidence_turns(bundle, item):
        day = _day(bundle.date_by_round.get(turn.id.rpartition(".")[0]))
        if day is not None:
            found.append((turn.text, day))
    return found


def _with_slack(found: RelativeDate) -> list[DayRange]:
    """The readings of an expression, widened by what people are out when they count back."""
    days = next((_SLACK[unit] for unit in _SLACK if unit in found.expression), 0)
    if " ago" not in found.expression and not found.expression.startswith("in "):
        days = 0
    margin = timedelta(days=days)
    return [DayRange(each.first - margin, each.last + margin) for each in found.readings]


def _allows(found: RelativeDate, gold: GoldDate) -> bool:
    return any(
        reading.first <= gold.last and gold.first <= reading.last for reading in _with_slack(found)
    )


def _is_certain(
    item: QAItem, gold: GoldDate, spoken: list[tuple[str, date]], said: list[RelativeDate]
) -> bool:
    """Whether a contradiction leaves no doubt.

    One expression that fixes its days, in one session, in a sentence about what is asked; a
    gold that is exact, is not the day of the session, and is not named outright.
    """
    days = {day for _, day in spoken}
    if len(said) != 1 or len(days) != 1 or not gold.exact:
        return False
    only, day = said[0], next(iter(days))
    if not any(word in only.expression for word in _SHARP) or only.expression.startswith("in "):
        return False
    if gold.first <= day <= gold.last and gold.first == gold.last:
        return False
    about = [part for text, _ in spoken for part in sentences(text) if relative_dates(part, day)]
    return any(key_words(item.question.text) & key_words(part) for part in about)


def _contradiction(
    bundle: Bundle, item: QAItem, value: str
) -> tuple[list[RelativeDate], bool] | None:
    """The cited expressions if none of them allows a gold date, and whether that is certain."""
    spoken = _spoken(bundle, item)
    gold = gold_date(value)
    if gold is None or any(names_a_date(text) for text, _ in spoken):
        return None
    said = [each for text, day in spoken for each in relative_dates(text, day)]
    if not said or any(_allows(each, gold) for each in said):
        return None
    return said, _is_certain(item, gold, spoken, said)


def _meaning(said: list[RelativeDate]) -> str:
    return "; ".join(
        f"{each.expression}: {' or '.join(_days(reading) for reading in each.readings)}"
        for each in said
    )


def _days(reading: DayRange) -> str:
    if reading.first == reading.last:
        return f"{weekday(reading.first)} {reading.first}"
    return f"{reading.first} to {reading.last}"


def _problem(item: QAItem, at: int, value: str, said: list[RelativeDate]) -> Problem:
    return problem(
        item.id,
        ("answer", "values", at),
        f"what the cited words mean ({_meaning(said)})",
        value,
        "count again from the day of the session",
    )


@question_rule(
    "dates.contradicts",
    Severity.ERROR,
    "LoCoMo data, category 2: wrong date arithmetic",
    applies=_rests_on_words,
)
def contradicts(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A gold date is a day that the one relative date of its evidence can mean."""
    for at, value in enumerate(item.answer.values):
        found = _contradiction(bundle, item, value)
        if found is not None and found[1]:
            yield _problem(item, at, value, found[0])


@question_rule(
    "dates.unlikely",
    Severity.WARNING,
    "LoCoMo data, category 2: wrong date arithmetic",
    applies=_rests_on_words,
)
def unlikely(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A gold date agrees with at least one relative date of its evidence."""
    for at, value in enumerate(item.answer.values):
        found = _contradiction(bundle, item, value)
        if found is not None and not found[1]:
            yield _problem(item, at, value, found[0])


@question_rule("dates.weekday", Severity.ERROR, "our choice: dates by calendar")
def weekdays(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A gold that names a weekday and a full date names the weekday of that date."""
    for at, value in enumerate(item.answer.values):
        for name, day in weekday_dates(value):
            if weekday(day) != name:
                yield problem(
                    item.id,
                    ("answer", "values", at),
                    f"{weekday(day)} for {day}",
                    value,
                    "correct the weekday or the date",
                )


@question_rule(
    "dates.duration",
    Severity.WARNING,
    "our choice: how many weeks between",
    # What a query counted is proven by executing it again.
    applies=lambda item: item.answerable and item.query is None,
)
def durations(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The number of days, weeks, months or years between two sessions is what passed."""
    spoken = _spoken(bundle, item)
    days = sorted({day for _, day in spoken})
    asked = item.question.text.casefold()
    if len(days) != 2 or not any(word in asked for word in ("between", "passed", "elapsed")):
        return
    for at, value in enumerate(item.answer.values):
        told = duration(value)
        if told is None or any(says(text, value) for text, _ in spoken):
            continue
        count, unit_days = told
        passed = (days[1] - days[0]).days / unit_days
        if abs(passed - count) > 1:
            yield problem(
                item.id,
                ("answer", "values", at),
                f"{passed:.1f} of that unit between {days[0]} and {days[1]}",
                value,
                "count again, or cite the sessions that are meant",
            )

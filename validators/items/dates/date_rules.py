"""Rules on date arithmetic: golds agree with what the cited words mean by the calendar."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Mended, Problem, RuleContext
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import WEEKDAYS, day_forms, weekday
from memassay.schemas.values.relative_dates import DayRange, RelativeDate, relative_dates
from memassay.validators.places import evidence_turns
from memassay.validators.registry import RULES, problem, question_rule
from memassay.validators.texts.gold_dates import (
    GoldDate,
    gold_date,
    may_name,
)
from memassay.validators.texts.intervals import meets, stays
from memassay.validators.texts.spoken import day_of, meanings, spoken_dates
from memassay.validators.wording import key_words, sentences

_SHARP: Final = ("yesterday", "tomorrow", " ago", "month", "year", *map(str.casefold, WEEKDAYS))
"""What an expression must hold to fix its days; "last week" and "in two weeks" do not."""
_HALF: Final = {"week": timedelta(days=3), "month": timedelta(days=15), "year": timedelta(days=183)}
"""Half a unit: who counts back in a unit rounds to it, and is out by no more."""
_TODAY: Final = re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.I)
_WHOLE_YEAR: Final = 360
_ALIKE: Final = 0.6
"""Share of a question's key words that a sentence must say to tell surely what is asked."""
_CALENDAR_WORDS: Final = key_words("date day week weekend month year time first")


def _rests_on_words(item: QAItem) -> bool:
    """Whether words of the history name the answer of an item.

    Pixels alone show no day, unless nothing but the format of the answer tells; and a day that a
    query gets by adding a length of time is in no text.
    """
    if item.query is not None and item.query.get("op") == "shift":
        return False
    dated = item.query is None and item.answer.format is AnswerFormat.DATE
    return item.answerable and (dated or not item.modalities or Modality.TEXT in item.modalities)


def _cited_texts(bundle: Bundle, item: QAItem) -> list[tuple[str, date]]:
    """The cited texts, each with the day it was spoken on; undated ones are left out."""
    found: list[tuple[str, date]] = []
    for turn in evidence_turns(bundle, item):
        day = day_of(bundle.date_by_round.get(turn.id.rpartition(".")[0]))
        if day is not None:
            found.append((turn.text, day))
    return found


def _dates(item: QAItem, text: str, day: date) -> Sequence[RelativeDate]:
    """The relative dates of a text; what a query proves is held against the sharp ones only."""
    return relative_dates(text, day) if item.query is not None else spoken_dates(text, day)


def _allows(found: RelativeDate, gold: GoldDate) -> bool:
    return any(
        reading.first <= gold.last and gold.first <= reading.last for reading in _widen(found, gold)
    )


def _widen(found: RelativeDate, gold: GoldDate) -> list[DayRange]:
    """The readings of an expression, widened by half a unit where it counts in weeks or more.

    "Two years ago" is a calendar year, as soon as the gold names no more than a year.
    """
    unit = next((name for name in _HALF if name in found.expression), None)
    counts = " ago" in found.expression or found.expression.startswith("in ")
    if unit is None or not counts or "weekend" in found.expression:
        return list(found.readings)
    if unit == "year" and gold.exact and (gold.last - gold.first).days > _WHOLE_YEAR:
        return list(found.readings)
    return [DayRange(each.first - _HALF[unit], each.last + _HALF[unit]) for each in found.readings]


def _is_certain(
    item: QAItem, gold: GoldDate, texts: list[tuple[str, date]], dates: list[RelativeDate]
) -> bool:
    """Whether a contradiction leaves no doubt.

    One expression that fixes its days, in one session, in the sentence that tells what is asked
    and no other does; a gold that is exact, and is not the day of the session.
    """
    days = {day for _, day in texts}
    if len(dates) != 1 or len(days) != 1 or not gold.exact:
        return False
    only, day = dates[0], next(iter(days))
    loose = only.expression.startswith(("in ", "on "))
    if loose or not any(word in only.expression for word in _SHARP):
        return False
    if gold.first <= day <= gold.last and gold.first == gold.last:
        return False
    return _is_other_year(gold, only) or _dates_the_event(item, texts, only)


def _is_other_year(gold: GoldDate, only: RelativeDate) -> bool:
    """Whether a gold is the right day of a wrong year."""
    meant = [each.first for each in only.readings if each.first == each.last]
    same = [(each.month, each.day) == (gold.first.month, gold.first.day) for each in meant]
    return gold.first == gold.last and any(same)


def _dates_the_event(item: QAItem, texts: list[tuple[str, date]], only: RelativeDate) -> bool:
    """Whether the sentence of an expression, and none beside it, tells what is asked."""
    asked = key_words(item.question.text) - _CALENDAR_WORDS - _names(item)
    parts = [
        (len(asked & key_words(part)), any(each == only for each in _dates(item, part, day)))
        for text, day in texts
        for part in sentences(text)
    ]
    dated = max((shared for shared, holds in parts if holds), default=0)
    other = max((shared for shared, holds in parts if not holds), default=0)
    return bool(asked) and dated >= _ALIKE * len(asked) and dated > other


def _names(item: QAItem) -> frozenset[str]:
    """Key words of a question that are written as names; a cited speaker says "I" instead."""
    return key_words(" ".join(re.findall(r"(?<=\s)[A-Z]\w+", item.question.text)))


def _contradiction(bundle: Bundle, item: QAItem, value: str) -> list[RelativeDate]:
    """The one cited expression that a gold date surely contradicts; none if there is a doubt."""
    texts = _cited_texts(bundle, item)
    # "13 August" is a day of the year in which it was said.
    gold = gold_date(value) or next((gold_date(f"{value}, {day.year}") for _, day in texts), None)
    if gold is None or any(may_name(text, gold) for text, _ in texts):
        return []
    dates = [each for text, day in texts for each in _dates(item, text, day)]
    dates += [
        RelativeDate(found.group().casefold(), (DayRange(day, day),))
        for text, day in texts
        for found in _TODAY.finditer(text)
    ]
    if any(_allows(each, gold) for each in dates) or any(
        meets(gold.first, gold.last, stays(text, day)) for text, day in texts
    ):
        return []
    return dates if dates and _is_certain(item, gold, texts, dates) else []


@question_rule(
    "dates.contradicts",
    Severity.ERROR,
    "LoCoMo data, category 2: wrong date arithmetic",
    applies=_rests_on_words,
)
def contradicts(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A gold date is a day that the one relative date of its evidence can mean."""
    for at, value in enumerate(item.answer.values):
        if dates := _contradiction(bundle, item, value):
            yield problem(
                item.id,
                ("answer", "values", at),
                f"what the cited words mean ({meanings(dates)})",
                value,
                "count again from the day of the session",
            )


@RULES.mends("dates.contradicts")
def _recount(bundle: Bundle, finding: Finding) -> Mended | None:
    """The gold with the day that the cited words mean, if it is one day and the gold names one."""
    item = next((each for each in bundle.questions if each.id == finding.target), None)
    value = item.answer.values[0] if item and len(item.answer.values) == 1 else ""
    dates = _contradiction(bundle, item, value) if item else []
    readings = {reading for each in dates for reading in each.readings}
    gold = gold_date(value)
    if gold is None or len(readings) != 1:
        return None
    (meant,) = readings
    respelled = (
        value.replace(old, new)
        for old, new in zip(_spellings(gold.first), _spellings(meant.first), strict=True)
        if old in value
    )
    for text in respelled:
        again = gold_date(text)
        if again and again.first == again.last == meant.first == meant.last:
            return Mended("/answer/values/0", value, (text,))
    return None


def _spellings(day: date) -> list[str]:
    name = weekday(day)
    return [*day_forms(day.isoformat()), day.isoformat(), name, name.lower()]

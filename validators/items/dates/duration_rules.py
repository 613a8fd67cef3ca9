"""Rules on durations: a gold that counts days, weeks, months or years counts them right."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import combinations, product
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.relative_dates import DayRange
from memassay.validators.registry import problem
from memassay.validators.texts.durations import Length, length_in, units_between
from memassay.validators.texts.gold_dates import names_a_date
from memassay.validators.texts.history import History, is_unbacked, unbacked_rule
from memassay.validators.texts.spoken import DatedSentence, sentences_of
from memassay.validators.wording import says

_BETWEEN: Final = re.compile(
    r"\b(?:between|pass(?:ed)?|elapsed?|lapsed?|take|took|until|before|after|later|apart)\b"
)
_LASTING: Final = re.compile(r"\b(?:how long|since when|how many (?:day|week|month|year)s?)\b")
_TWO: Final = 2
_UP: Final = 0.6
"""A count is rounded up if that is near, and a count of whole units only is no more than it."""
_PART: Final = {"day": 0.0, "week": 0.75, "month": 0.75, "year": 0.75}
"""By how much of a unit a count may be out: less than one, for part of a unit is rounded."""


def _asks_length(item: QAItem) -> bool:
    asked = item.question.text.casefold()
    return is_unbacked(item) and _LASTING.search(asked) is not None and _length(item) is not None


def _length(item: QAItem) -> Length | None:
    return length_in(item.answer.values[0]) if len(item.answer.values) == 1 else None


def _sentences(history: History, item: QAItem) -> list[DatedSentence]:
    return [said for each in history.evidence(item) for said in sentences_of(history.bundle, each)]


@unbacked_rule(
    "dates.duration",
    Severity.WARNING,
    "our choice: how many weeks between",
    applies=_asks_length,
)
def between(history: History, item: QAItem) -> Iterator[Problem]:
    """The number of days, weeks, months or years between two events is what passed."""
    told, spoken = _length(item), _sentences(history, item)
    days = sorted({said.day for said in spoken})
    asked = item.question.text.casefold()
    if told is None or len(days) < _TWO or not (_BETWEEN.search(asked) or len(days) > _TWO):
        return
    if any(says(said.text, item.answer.values[0]) or names_a_date(said.text) for said in spoken):
        return
    spans = [
        sorted(
            (
                units_between(one.first, two.last, told.unit),
                units_between(one.last, two.first, told.unit),
            )
        )
        for earlier, later in combinations(days, 2)
        for one, two in product(_ranges(spoken, earlier), _ranges(spoken, later))
    ]
    part = _PART[told.unit]
    if any(
        low - part < told.number < high + min(part, _UP) or told.number in (low, high)
        for low, high in spans
    ):
        return
    low, high = min(each[0] for each in spans), max(each[1] for each in spans)
    yield problem(
        item.id,
        ("answer", "values", 0),
        f"{low:.1f} to {high:.1f} {told.unit}s between {days[0]} and {days[1]}",
        item.answer.values[0],
        "count again, or cite the sessions that are meant",
    )


def _ranges(spoken: list[DatedSentence], day: date) -> list[DayRange]:
    """The days that an event told on a day may have had: that day, and those named in the text."""
    said = [each for one in spoken if one.day == day for each in one.dates]
    named = [reading for each in said for reading in each.readings if reading.first <= day]
    return [DayRange(day, day), *named]

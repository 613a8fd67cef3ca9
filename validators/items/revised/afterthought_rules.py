"""A rule on afterthoughts: behind what gives a gold the same turn does not take it back."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import content_tokens
from memassay.validators.items.dates.gold_dates import gold_date, names_a_date
from memassay.validators.items.dates.spoken import day_said, spoken_dates
from memassay.validators.items.revised.remarks import Weight, takes_back
from memassay.validators.items.unbacked.index import (
    History,
    asks_directly,
    roots,
    unbacked_rule,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_GIVES: Final = 0.4
"""Share of a gold in a sentence that gives it."""
_SAYS: Final = 0.5
"""A remark that says so much of the gold repeats it, unless it denies it."""
_DENIES: Final = re.compile(r"\b(?:not|never|used to)\b|n['’]t\b", re.IGNORECASE)
_YOU: Final = re.compile(r"\byour?\b", re.IGNORECASE)


@unbacked_rule(
    "claims.afterthought",
    Severity.WARNING,
    "memassay design: filler that changes the answer",
    applies=asks_directly,
)
def afterthought(history: History, item: QAItem) -> Iterator[Problem]:
    """Who says what a gold rests on does not take it back in the same breath."""
    people = {each.id for each in history.named(item.question.text)}
    for each in history.cited(item):
        for turn in each.turns:
            if people and turn.speaker not in people:
                continue
            remark = _afterthought(history, item, day_said(history.bundle, each), turn.text)
            if remark:
                yield problem(
                    item.id,
                    ("answer", "values"),
                    "words of the evidence that are not taken back behind them",
                    f"{turn.id}: {remark}",
                    "read the turn to its end; correct the gold, or cite the place that holds",
                )
                return


def _afterthought(history: History, item: QAItem, day: date | None, text: str) -> str:
    """The sentence that takes back what a sentence before it in the turn gives; else nothing."""
    parts = sentences(text)
    gives = (at for at, part in enumerate(parts) if _gives(history, item, day, part))
    first = next(gives, len(parts))
    return next((part for part in parts[first + 1 :] if _corrects(history, item, part)), "")


def _gives(history: History, item: QAItem, day: date | None, part: str) -> bool:
    """Whether a sentence gives a gold: its words, its numbers, or a date where it is one."""
    gold = history.gold(item)
    if gold and history.weight(gold & roots(part)) >= _GIVES * history.weight(gold):
        return True
    if any(gold_date(value) for value in item.answer.values):
        return names_a_date(part) or (day is not None and bool(spoken_dates(part, day)))
    numbers = {word for value in item.answer.values for word in content_tokens(value)}
    numbers = {word for word in numbers if word.isdecimal()}
    return bool(numbers) and numbers <= {*content_tokens(part)}


def _corrects(history: History, item: QAItem, part: str) -> bool:
    weight = takes_back(part)
    if weight is None or part.endswith("?") or _YOU.search(part):
        return False
    gold = history.gold(item)
    repeats = gold and history.weight(gold & roots(part)) >= _SAYS * history.weight(gold)
    return weight is Weight.PLAIN or not repeats or _DENIES.search(part) is not None

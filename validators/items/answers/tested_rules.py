"""What of a gold without a ledger no rule can hold against its evidence."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.ids import ATTACHMENT_PATTERN
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import NUMBER_WORDS, content_tokens
from memassay.validators.registry import UNTESTED, problem
from memassay.validators.texts.durations import length_in, lengths
from memassay.validators.texts.gold_dates import GoldDate, gold_date, names_a_date
from memassay.validators.texts.history import History, is_unbacked, roots, unbacked_rule
from memassay.validators.texts.spoken import DatedSentence, sentences_of
from memassay.validators.wording import STOP_WORDS, whole_names, yes_or_no

_OPEN: Final = frozenset({AnswerFormat.FREE, AnswerFormat.DATE, AnswerFormat.NUMBER})
_NAME: Final = re.compile(r"\b[A-Z][\w-]{2,}")
_INSIDE: Final = re.compile(r"(?<=[a-z,;&] )[A-Z][\w-]{2,}")
_NO_NAMES: Final = {*STOP_WORDS, *NUMBER_WORDS, "likely", "twice", "once", "both"}
_IMAGE_ID: Final = re.compile(ATTACHMENT_PATTERN)
_SEVERAL_DAYS: Final = 2


def _is_open(item: QAItem) -> bool:
    return is_unbacked(item) and item.answer.format in _OPEN


@unbacked_rule(
    UNTESTED,
    Severity.INFO,
    "memassay design, the assay: what was checked and what could not be",
    applies=_is_open,
)
def gold(history: History, item: QAItem) -> Iterator[Problem]:
    """Dates, numbers and names of a gold can be held against what its evidence says."""
    spoken = [one for each in history.evidence(item) for one in sentences_of(history.bundle, each)]
    text = " . ".join(history.texts[each.id] for each in history.evidence(item))
    for at, value in enumerate(item.answer.values):
        if yes_or_no(value) or _IMAGE_ID.search(value):
            continue
        for kind, what in _untested_parts(history, item, value, spoken, text):
            yield problem(
                item.id,
                ("answer", "values", at),
                f"a {kind} that the words of the evidence let a rule test",
                what,
                "read the evidence; no rule has tested this",
            )


def _untested_parts(
    history: History, item: QAItem, value: str, spoken: list[DatedSentence], text: str
) -> Iterator[tuple[str, str]]:
    """What of a gold value nothing was held against: a date, else numbers and names."""
    when, told = gold_date(value), length_in(value)
    if when is not None:
        if not _is_dated(when, spoken):
            yield "date", value
        return
    said = {*content_tokens(text), *content_tokens(item.question.text)}
    measured = told is not None and (
        any(each.unit == told.unit for one in spoken for each in lengths(one.text))
        or len({one.day for one in spoken}) >= _SEVERAL_DAYS
    )
    numbers = [one for one in content_tokens(value) if one[0].isdigit() and one not in said]
    if numbers and not measured:
        yield "number", ", ".join(numbers)
    known = roots(f"{text} . {item.question.text}") | history.names
    strange = [name for name in _names(value) if not roots(name) & known]
    if strange:
        yield "name", whole_names(strange, value)


def _names(value: str) -> list[str]:
    """The words of a gold that are written as names; the first of a sentence need be none."""
    titled = all(word[0].isupper() for word in re.findall(r"[^\W_]{4,}", value))
    found = (_NAME if titled else _INSIDE).findall(value)
    return [name for name in found if name.casefold() not in _NO_NAMES]


def _is_dated(when: GoldDate, spoken: list[DatedSentence]) -> bool:
    return any(
        one.dates or names_a_date(one.text) or when.first <= one.day <= when.last for one in spoken
    )

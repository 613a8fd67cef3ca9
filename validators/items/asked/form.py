"""Whether a question asks for the kind of value that its query gives."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.queries.grammar.expressions import Group
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import is_day
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.names_asked import Doubt
from memassay.validators.wording import yes_or_no

_OPEN: Final = frozenset(
    {AnswerFormat.FREE, AnswerFormat.DATE, AnswerFormat.NUMBER, AnswerFormat.YES_NO}
)
_FIRST: Final = re.compile(
    r"^(?P<who>who|whose|whom)\b|^(?P<date>when) "
    r"(?:is|are|was|were|did|do|does|will|has|had|have|should|must|can)\b"
    r"|^(?:(?:on|by|at|for|since|until) )?(?P<day>what|which) (?:calendar |full )?(?:date|day)\b"
    r"|^(?P<number>how (?:many|much|often)|count)\b|^(?P<where>where)\b"
    r"|^(?P<truth>is|are|was|were|does|do|did|has|have|had|will|would|can|could)\b"
)
"""What the first words of a question ask for."""
_COARSER: Final = re.compile(r"\b(?:which|what) (?:calendar |full )?(?:month|year|week)\b")
_DAYS: Final = spaced(
    "monday tuesday wednesday thursday friday saturday sunday day date month year week morning "
    "noon evening night january february march april may june july august september october "
    "november december spring summer autumn winter today tomorrow"
)


def form(asked: Asked) -> Iterator[Doubt]:
    """A date, a number, a person, a place, yes or no."""
    item = asked.item
    if item.answer.format not in _OPEN or not item.answer.values or not item.answerable:
        return
    kind = kind_of(asked.text)
    if kind is not None and not _fits(kind, item):
        yield Doubt(_NAMES[kind], item.answer.values[0])
    coarser = _COARSER.search(asked.text.casefold())
    if coarser and is_day(item.answer.values[0]) and not isinstance(asked.query, Group):
        yield Doubt("a question for a day", coarser.group())
    truth = item.answer.format is AnswerFormat.YES_NO or yes_or_no(item.answer.values[0])
    if truth and kind is not None and kind != "truth":
        yield Doubt("a question of yes or no", asked.text)


_NAMES: Final = {
    "who": "a person or thing, as the question asks who",
    "date": "a date, as the question asks when",
    "day": "a date, as the question asks for a day",
    "number": "a number, as the question asks how many",
    "where": "a place, as the question asks where",
    "truth": "yes or no, as the question asks whether",
}


def kind_of(text: str) -> str | None:
    """What the first words of a question ask for: a key of `_NAMES`, or None."""
    folded = text.strip().casefold()
    found = _FIRST.match(folded)
    kind = found.lastgroup if found else None
    # `Is it red or blue?`, `Is it hers? If not, whose?`
    return None if kind == "truth" and (" or " in folded or " if " in folded) else kind


def _fits(kind: str, item: QAItem) -> bool:
    value = item.answer.values[0]
    words = tokens(value)
    digits = any(one.isdigit() for one in value) or any(word in NUMBER_WORDS for word in words)
    if kind in {"date", "day"}:
        return digits or not _DAYS.isdisjoint(word.removesuffix("s") for word in words)
    if kind == "number":
        return digits
    if kind == "truth":
        return item.answer.format is AnswerFormat.YES_NO or yes_or_no(value) is not None
    return item.answer.format not in {AnswerFormat.DATE, AnswerFormat.NUMBER, AnswerFormat.YES_NO}

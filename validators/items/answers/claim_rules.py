"""Rules on what a gold says: names and counts of the places it cites, not words of the question."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import content_tokens, tokens
from memassay.validators.items.answers.heard import is_strange
from memassay.validators.registry import problem
from memassay.validators.texts.gold_dates import gold_date
from memassay.validators.texts.history import (
    CONCLUDED_PLACE,
    IMAGE_ID,
    History,
    asks_directly,
    counts,
    is_unbacked,
    recalls_words,
    roots,
    unbacked_rule,
)
from memassay.validators.wording import CONCLUDED, whole_names

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_NAME: Final = re.compile(r"(?<!['’])\b[A-Z][a-zà-ÿ]{2,}\b")
_MADE_BY: Final = re.compile(
    r"\bby [A-Z][\w-]+(?: [A-Z][\w-]+)?|\b[A-Z]\w+['’]s (?=(?:The|A|An) [A-Z])"
)
"""Who made a known work is general knowledge."""
_DAY: Final = re.compile(
    r"\b(?:on|at|during|over|until|since|this|last|next|every) (?:St\.? )?[A-Z]\w+"
    r"(?:['’]s)?(?: (?:Day|Eve|Night|Week|Weekend|Season))?"
    r"|\b(?:[A-Z]\w+(?:['’]s?)? )+(?:Day|Eve|Night|Week|Weekend|Season)\b"
    r"|\b[A-Z]\w+(?= [12][0-9]{3}\b)"
)
"""A day with a name, such as a holiday, is read from the calendar: nobody needs to say it."""
_INSIDE: Final = re.compile(
    r"(?<!\bto )(?<!\bin )(?<!\bfrom )(?<!\bvisit )(?<!\bvisited )"
    r"(?<=[a-z] )[A-Z][a-zà-ÿ]{2,}\b(?! [0-9])"
)
_OPENER: Final = re.compile(
    r"(?:^|(?<=[.!?] ))[A-Z][a-zà-ÿ]+(?= (?:\w+ed )?(?:with|for|of|to|from|in|on)\b)"
)
"""The first word of a phrase is written like a name and need be none: "Mongrel mixed with …"."""
_DOER: Final = re.compile(
    r"(?:^|(?<=[.!?] ))(?!\w+ly\b)[A-Z][a-z]{2,} "
    r"(?=(?:\w+ed|is|was|has|had|will|went|took) (?!by\b))"
)
"""Who does something at the beginning of a sentence: no picture shows a stranger by name there."""
_ALTERNATIVES: Final = re.compile(r"\bor\b|\bwhich of\b|\bboth\b", re.IGNORECASE)
_TELLING: Final = 15
"""Words of a caption that describes a picture and does not only name it (our choice)."""
_ORDER: Final = re.compile(r"[(?]|Please|Answer|Return|Use ")
_LEAST: Final = 2
_NUMBER: Final = re.compile(r"[0-9]+")
_NUMBER_ONLY: Final = re.compile(r"\s*\w+\s*\.?\s*")
_ORDINALS: Final = (
    *("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    "tenth",
)
_HOW_MANY: Final = re.compile(r"\bhow many\b", re.IGNORECASE)


def _names(item: QAItem) -> bool:
    return asks_directly(item) and item.type not in CONCLUDED


@unbacked_rule("claims.unknown_name", Severity.INFO, _SOURCE, applies=_names)
def unheard_name(history: History, item: QAItem) -> Iterator[Problem]:
    """The history says or shows the names of a question and its gold."""
    asked = next(filter(str.strip, _ORDER.split(item.question.text)), "")
    asked = _DAY.sub(" ", asked)
    concluded = counts(item) or CONCLUDED_PLACE.search(asked) is not None
    for name in () if concluded else _INSIDE.findall(asked):
        if is_strange(history, item, name):
            yield problem(
                item.id,
                ("question", "text"),
                "names that the history says or shows",
                name,
                "check the name, or mark the item as not answerable",
            )
            break
    concluded = CONCLUDED_PLACE.search(item.question.text) is not None
    shows = _may_show(history, item)
    for at, value in () if concluded else enumerate(item.answer.values):
        own = value if not shows else " ".join(_DOER.findall(value))
        strange = [
            name
            for name in _NAME.findall(_OPENER.sub("", _MADE_BY.sub("", own)))
            if name not in item.question.text and is_strange(history, item, name)
        ]
        if strange and gold_date(value) is None and not IMAGE_ID.search(value):
            yield problem(
                item.id,
                ("answer", "values", at),
                "names that the history says or shows",
                whole_names(strange, value),
                "check the name; cite what shows it",
            )
            return


def _may_show(history: History, item: QAItem) -> bool:
    """Whether the evidence shows a picture of which a caption tells so little that a name is in it.

    A photograph of books has titles, and its caption says "a photo of books".
    """
    shown = [
        shown
        for each in history.evidence(item)
        for turn in each.turns
        for shown in turn.attachments
    ]
    return any(len(tokens(each.caption or "")) < _TELLING for each in shown)


@unbacked_rule("claims.gold_asked", Severity.INFO, _SOURCE, applies=recalls_words)
def given_away(history: History, item: QAItem) -> Iterator[Problem]:
    """A gold of several words says one that the question does not say."""
    text = item.question.text
    for at, value in enumerate(item.answer.values):
        own = roots(value) - history.names
        if len(own) >= _LEAST and own <= roots(text) and not _ALTERNATIVES.search(text):
            yield problem(
                item.id,
                ("answer", "values", at),
                "a gold that the question does not say",
                value,
                "reword the question so that it does not give the answer away",
            )


def _has_numbers(item: QAItem) -> bool:
    return recalls_words(item) or (is_unbacked(item) and item.answer.format is AnswerFormat.NUMBER)


@unbacked_rule("claims.count", Severity.WARNING, _SOURCE, applies=_has_numbers)
def wrong_count(history: History, item: QAItem) -> Iterator[Problem]:
    """A count that the evidence does not state is that of its places, or of its pictures."""
    cited = history.evidence(item)
    value = item.answer.values[0] if len(item.answer.values) == 1 else ""
    found = [word for word in content_tokens(value) if _NUMBER.fullmatch(word)]
    shown = sum(len(turn.attachments) for each in cited for turn in each.turns)
    # Two places may speak of any number; two pictures are two.
    few = len(cited) < _LEAST or (len(cited) == _LEAST and shown != len(cited))
    if few or len(found) != 1 or not _NUMBER_ONLY.fullmatch(value):
        return
    counted = _HOW_MANY.search(item.question.text) is not None
    text = history.text(item)
    stated = found[0] in content_tokens(text) or _says_ordinal(int(found[0]), text)
    if counted and not stated and int(found[0]) not in (len(cited), shown):
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"the number of places or pictures of the evidence ({len(cited)}, {shown})",
            value,
            "count again, or cite all places",
        )


def _says_ordinal(number: int, text: str) -> bool:
    """Whether a text counts up to a number: "my third one"."""
    return number < len(_ORDINALS) and _ORDINALS[number] in tokens(text)

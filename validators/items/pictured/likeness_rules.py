"""Rules on pictures in questions: what their captions name is what the gold names."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.unbacked.index import (
    History,
    is_unbacked,
    roots,
    unbacked_rule,
    yes_or_no_gold,
)
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "Mem-Gallery data, pictures of questions exchanged"
_FORM: Final = 6
"""Words at the beginning by which two questions ask for the same sort of thing."""
_LONGEST: Final = 5
_LETTERS: Final = 4
_SAME: Final = re.compile(r"\bsame\b", re.IGNORECASE)
_NAMED: Final = re.compile(r"\b[A-Z][a-zà-ÿ]+(?:[ -][A-Z][a-zà-ÿ]+)+")
"""A name of several words, such as that of a breed."""


def _names_picture(item: QAItem) -> bool:
    """Whether an item asks what a picture of its own shows, and has a short name as its gold."""
    named = item.answer.format is AnswerFormat.FREE and len(item.answer.values) == 1
    short = named and len(tokens(item.answer.values[0])) <= _LONGEST
    return short and is_unbacked(item) and bool(_captions(item))


def _captions(item: QAItem) -> str:
    return " . ".join(shown.caption or "" for shown in item.question.attachments)


@RULES.conversation("pictures.other_name", Severity.WARNING, _SOURCE, looks_at=LooksAt.CONVERSATION)
def other_name(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No caption of a question's picture names what another item of the form has as its gold."""
    items = [item for item in bundle.questions if _names_picture(item)]
    golds = {item.id: roots(item.answer.values[0]) for item in items}
    for item in items:
        seen, own = roots(_captions(item)), golds[item.id]
        form = tokens(item.question.text)[:_FORM]
        for other in items:
            its = golds[other.id]
            alike = tokens(other.question.text)[:_FORM] == form
            if alike and its and its <= seen and not its & own and not own <= seen:
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"{other.answer.values[0]}, which the caption of its picture names",
                    item.answer.values[0],
                    "correct the gold, or show the picture that is meant",
                )
                break


def _says_same(item: QAItem) -> bool:
    asks = _SAME.search(item.question.text) is not None and bool(_captions(item))
    return asks and is_unbacked(item) and yes_or_no_gold(item) == "yes"


@unbacked_rule("pictures.same", Severity.WARNING, _SOURCE, applies=_says_same)
def same(history: History, item: QAItem) -> Iterator[Problem]:
    """What is the same as the evidence has no name in its caption that nobody near it says."""
    cited = history.cited(item)
    around = [one for each in cited for one in (each, *history.near(each))]
    said = " . ".join(history.shown[each.id] for each in around).casefold()
    for name in _NAMED.findall(_captions(item)) if cited else ():
        if not all(word[:_LETTERS].casefold() in said for word in re.split(r"[ -]", name)):
            yield problem(
                item.id,
                ("answer", "values", 0),
                f"no, for the evidence says nothing of a {name}",
                item.answer.values[0],
                "correct the gold, or show the picture that is meant",
            )
            return

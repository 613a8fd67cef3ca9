"""Rules on searches for an image: what is asked is true of no other picture."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.text import tokens
from memassay.validators.items.pictured.gallery import FORM, Picture, gallery_of
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    is_unbacked,
    roots,
    unbacked_rule,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "Mem-Gallery data, searches that several pictures fit"
_LEAST: Final = 2
_ONE: Final = spaced("image picture photo photograph")
_DATED: Final = spaced(
    " ".join(MONTHS).casefold() + " early mid late first second third fourth fifth"
)


def _searches(item: QAItem) -> bool:
    return is_unbacked(item) and item.answer.format is AnswerFormat.IMAGE_ID


@unbacked_rule("pictures.several", Severity.WARNING, _SOURCE, applies=_searches)
def several(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks which image shows a thing names something that no other image is said to show."""
    line = set(tokens(item.question.text))
    asked = roots(item.question.text) - roots(FORM) - history.names
    gallery = gallery_of(history)
    gold = [gallery.pictures[each] for each in item.answer.values if each in gallery.pictures]
    if (
        len(gold) != 1
        or len(asked) < _LEAST
        or not _ONE & line
        or _DATED & line
        or item.question.attachments
        or not asked
    ):
        return
    like = [each for each in gallery.pictures.values() if _shows(asked, each)]
    if gold[0] in like and len(like) > 1:
        others = ", ".join(each.shown.id for each in like if each is not gold[0])
        expected = f"a question that {others} does not answer too"
        fix = "ask for what only the one shows, or name all of them"
        yield problem(item.id, ("question", "text"), expected, item.question.text, fix)


def _shows(asked: Words, picture: Picture) -> bool:
    """Whether the first sentence of a caption, which says what a picture is of, says some words."""
    first = sentences(picture.shown.caption or "")[:1]
    return asked <= roots(" ".join(first))

"""Rules on series of pictures: items that are answered by one series agree on which it is."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.items.answers.gallery import Gallery, gallery_of
from memassay.validators.registry import RULES, problem
from memassay.validators.texts.history import (
    History,
    counts,
    history_of,
    is_unbacked,
    openings,
    roots,
    said_in,
    unbacked_rule,
)

_SOURCE: Final = "Mem-Gallery data, several items about one series of pictures"
_LEAST: Final = 2
"""Items, pictures and shared pictures that make a series."""
_OPEN: Final = frozenset({AnswerFormat.FREE})
_COUNTED: Final = re.compile(
    r"\bhow many (?:(?:photo|image|picture|photograph|shot)s of )?(?:the |different )?(?P<what>.+?)"
    r"(?: (?:photo|image|picture|photograph|option|piece|shot)s?)?,? "
    r"(?:did|were|was|are|has|have|is|does|do|in|during|that|appear|from)\b",
    re.IGNORECASE,
)
_OF_PICTURES: Final = (
    "photo image picture share kind type different total time day week month session item style"
)
_UNSAID: Final = 0.3
"""Share of what is counted that no place of the series says, where it is likely another thing."""
Series = frozenset[str]


def _is_of_series(item: QAItem) -> bool:
    """Whether an item is answered by all pictures of one thing: a search, a count, a name."""
    if not is_unbacked(item):
        return False
    searched = item.answer.format is AnswerFormat.IMAGE_ID
    named = item.type is QuestionType.LEARNED_CONCEPT and item.answer.format in _OPEN
    counted = item.type is QuestionType.VISUAL_REASONING and counts(item)
    return searched or named or counted


def _series(bundle: Bundle) -> tuple[Gallery, list[tuple[QAItem, Series]]]:
    gallery = gallery_of(history_of(bundle.history))
    found = ((item, gallery.cited(item)) for item in bundle.questions if _is_of_series(item))
    return gallery, [(item, cited) for item, cited in found if len(cited) >= _LEAST]


@RULES.conversation("pictures.series", Severity.WARNING, _SOURCE, looks_at=LooksAt.CONVERSATION)
def series(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No item lacks one picture of a series that others agree on, or has one too many."""
    if not any(_is_of_series(item) for item in bundle.questions):
        return
    _, items = _series(bundle)
    times = Counter(cited for _, cited in items)
    for item, cited in items:
        for whole, others in sorted(times.items(), key=lambda each: (-each[1], sorted(each[0]))):
            apart = len(whole - cited), len(cited - whole)
            close = len(whole & cited) >= _LEAST and max(apart) == 1 and others > times[cited]
            if close and others >= _LEAST:
                yield problem(
                    item.id,
                    _place(item),
                    f"{', '.join(sorted(whole))}, as {others} items about the series have",
                    sorted(cited),
                    "add the picture that is missing, or drop the one too many",
                )
                break


def _place(item: QAItem) -> tuple[str, ...]:
    named = item.answer.format is AnswerFormat.IMAGE_ID
    return ("answer", "values") if named else ("evidence", "canonical")


@RULES.conversation("pictures.named", Severity.WARNING, _SOURCE, looks_at=LooksAt.CONVERSATION)
def named(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What one series of pictures shows has one name, whichever item asks for it."""
    if not any(_is_name(item) for item in bundle.questions):
        return
    _, items = _series(bundle)
    names: dict[Series, list[QAItem]] = {}
    for item, cited in items:
        if _is_name(item):
            names.setdefault(cited, []).append(item)
    for group in names.values():
        golds = [openings(roots(each.answer.values[0])) for each in group]
        for item, gold in zip(group, golds, strict=True):
            same = sum(bool(gold & other) for other in golds)
            usual = max(golds, key=lambda one: sum(bool(one & other) for other in golds))
            agreed = sum(bool(usual & other) for other in golds)
            if not gold & usual and agreed > same and agreed >= _LEAST:
                other = next(
                    each.answer.values[0]
                    for each, one in zip(group, golds, strict=True)
                    if one == usual
                )
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"{other}, as {agreed} items about the same pictures say",
                    item.answer.values[0],
                    "correct the gold, or cite the pictures that are meant",
                )


def _is_name(item: QAItem) -> bool:
    named = item.type is QuestionType.LEARNED_CONCEPT and item.answer.format in _OPEN
    return named and is_unbacked(item) and len(item.answer.values) == 1


def _counts_pictures(item: QAItem) -> bool:
    pictured = item.type is QuestionType.VISUAL_REASONING and not item.question.attachments
    return pictured and is_unbacked(item) and _COUNTED.search(item.question.text) is not None


@unbacked_rule("pictures.counted", Severity.WARNING, _SOURCE, applies=_counts_pictures)
def counted(history: History, item: QAItem) -> Iterator[Problem]:
    """The places of a series say what is counted in it, where any other place does."""
    found, cited = _COUNTED.search(item.question.text), history.cited(item)
    if found is None or not any(turn.attachments for each in cited for turn in each.turns):
        return
    about = roots(found["what"]) - roots(_OF_PICTURES) - history.names
    there = openings(history.said(cited))
    unsaid = about - said_in(about, there)
    if not unsaid or history.weight(unsaid) < _UNSAID * history.weight(about):
        return
    for each in history.rounds:
        if each not in cited and openings(about) <= openings(history.words[each.id]):
            yield problem(
                item.id,
                ("evidence", "canonical"),
                f"places that speak of {found['what']}, as {each.id} does",
                [one.id for one in cited],
                "cite the pictures that are meant, or ask for what these show",
            )
            return

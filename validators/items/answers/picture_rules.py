"""Rules on searches for pictures: those of the gold fit what is asked best, and are as many."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.text import NUMBER_WORDS
from memassay.validators.items.answers.gallery import FORM, Gallery, Picture, gallery_of
from memassay.validators.registry import problem
from memassay.validators.texts.history import (
    History,
    is_unbacked,
    roots,
    session_of,
    unbacked_rule,
)

_SOURCE: Final = "Mem-Gallery data, visual search: golds moved to other pictures"
_WORSE: Final = 0.38
"""A gold fits worse than another picture if its fit is less than this share of the other's."""
_FITS: Final = 0.4
"""Least fit of a picture that is what a question asks for."""
_MORE: Final = 0.46
_LACKS: Final = 0.15
"""Shares of a question that another picture says and the gold does not: much more alone, or some
where the other says nearly all and the gold nothing that it does not (our choice)."""
_NEARLY_ALL: Final = 0.85
_AS_WELL: Final = 0.9
_MANY: Final = re.compile(
    rf"\b(?P<number>{'|'.join(NUMBER_WORDS)}) (?:[\w-]+ )?(?:images|pictures|photos|photographs)\b",
    re.IGNORECASE,
)
_SEVERAL: Final = 2
_DATED: Final = re.compile(
    rf"\b(?P<part>early|mid|late)[- ]?(?P<month>{'|'.join(MONTHS)})\b"
    r"(?: (?P<year>[0-9]{4}))?",
    re.IGNORECASE,
)
_DAYS: Final = {"early": (1, 13), "mid": (8, 23), "late": (18, 31)}


def _searches(item: QAItem) -> bool:
    """Whether an item asks in words for pictures of the history."""
    pictures = item.answer.format is AnswerFormat.IMAGE_ID and bool(item.answer.values)
    return pictures and is_unbacked(item)


@unbacked_rule("pictures.fit", Severity.WARNING, _SOURCE, applies=_searches)
def fit(history: History, item: QAItem) -> Iterator[Problem]:
    """No other picture fits a search far better than one of its gold."""
    gallery = gallery_of(history)
    gold = [gallery.pictures[name] for name in item.answer.values if name in gallery.pictures]
    asked = history.asked(item) - roots(FORM)
    if item.question.attachments or not asked or not gold:
        return
    others = [one for one in _dated(gallery, item) if one not in gold]
    for at, one in enumerate(gold):
        rest = [each for each in gold if each is not one]
        better = _better(gallery, asked, one, others)
        if better and _told_by_words(gallery, asked, rest, better):
            yield problem(
                item.id,
                ("answer", "values", at),
                f"{better.shown.id}, which fits the question better",
                one.shown.id,
                "name the picture that is asked for, and cite it",
            )
            return


def _better(
    gallery: Gallery, asked: frozenset[str], one: Picture, others: list[Picture]
) -> Picture | None:
    """Another picture that fits a question so much better that the gold is hardly meant."""
    mine = gallery.fit(asked, one)
    for other in sorted(others, key=lambda each: -gallery.fit(asked, each)):
        its = gallery.fit(asked, other)
        more, less = gallery.gain(asked, one, other)
        far = its >= _FITS and mine < _WORSE * its
        only = more - less > _MORE
        inside = not less and more >= _LACKS and its >= _NEARLY_ALL and mine < _AS_WELL * its
        if far or only or inside:
            return other
    return None


def _told_by_words(
    gallery: Gallery, asked: frozenset[str], rest: list[Picture], better: Picture
) -> bool:
    """Whether words tell which pictures are meant: the rest of a list fits as well as that one."""
    least = _AS_WELL * gallery.fit(asked, better)
    return all(gallery.fit(asked, each) >= least for each in rest)


def _dated(gallery: Gallery, item: QAItem) -> list[Picture]:
    """The pictures of the part of a month that a question names, or all."""
    found = _DATED.search(item.question.text)
    every = list(gallery.pictures.values())
    if found is None:
        return every
    month = [name.casefold() for name in MONTHS].index(found["month"].casefold()) + 1
    first, last = _DAYS[found["part"].casefold()]
    then = set()
    for session in gallery.history.bundle.conversation.sessions:
        date = session.date or ""
        fits = date[5:7] == f"{month:02d}" and (not found["year"] or date[:4] == found["year"])
        if fits and first <= int(date[8:10] or 0) <= last:
            then.add(session.id)
    return [one for one in every if session_of(one.round) in then]


def _is_of_month(item: QAItem) -> bool:
    return _searches(item) and _DATED.search(item.question.text) is not None


@unbacked_rule("pictures.month", Severity.WARNING, _SOURCE, applies=_is_of_month)
def month(history: History, item: QAItem) -> Iterator[Problem]:
    """A picture that is asked for by a part of a month was shown in it."""
    gallery = gallery_of(history)
    then = {one.shown.id for one in _dated(gallery, item)}
    for at, name in enumerate(item.answer.values if then else ()):
        if name in gallery.pictures and name not in then:
            fix = "name the picture of that time, or correct the time"
            got = f"{name}, shown on another day"
            yield problem(item.id, ("answer", "values", at), "a picture of that time", got, fix)


@unbacked_rule("pictures.how_many", Severity.WARNING, _SOURCE, applies=_searches)
def how_many(_history: History, item: QAItem) -> Iterator[Problem]:
    """A search for two pictures has a gold of two."""
    found = _MANY.search(item.question.text)
    wanted = int(NUMBER_WORDS[found["number"].casefold()]) if found else 0
    if wanted >= _SEVERAL and len(item.answer.values) != wanted:
        yield problem(
            item.id,
            ("answer", "values"),
            f"{wanted} pictures, as many as the question asks for",
            item.answer.values,
            "add or drop pictures, or correct the number",
        )

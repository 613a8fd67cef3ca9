"""Rules on what captions name: a picture shows the thing that question or gold names."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.validators.items.pictured.caption_words_rules import LOOKS
from memassay.validators.items.pictured.gallery import gallery_of
from memassay.validators.items.pictured.sights import (
    head,
    is_meant,
    may_mean,
    other_thing,
    things,
)
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    is_unbacked,
    openings,
    roots,
    said_in,
    session_of,
    unbacked_rule,
    yes_or_no_gold,
)
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: captions exchanged for those of other things"
_SPECIES: Final = frozenset({"dog", "cat", "bird", "flower", "sweets", "dish", "fruit"})
_SHOWN: Final = _SPECIES | {"drink", "vehicle", "instrument", "building", "animal"}
"""Sorts whose things have names of their own, so that a caption calls one by no other's."""
_CLOTHES: Final = "clothes"
_THIS: Final = re.compile(r"\b(?:this|same|attached|provided|above)\b", re.IGNORECASE)
_IN_PICTURE: Final = re.compile(
    r"\bthe (?P<what>[a-z]{3,})(?: shown)? in (?:the|this) (?:attached |provided |same )?"
    r"(?:picture|image|photo)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"\b[A-Z][a-zà-ÿ]+(?:[ -][A-Z][a-zà-ÿ]+)+")
_PLACE: Final = re.compile(
    r"\b(?:Tower|Bridge|Palace|Temple|Cathedral|Castle|Church|Museum|Square|Park|Gate|House|Wall"
    r"|Basilica|Mosque|Arch|Building|Canyon|Falls)$"
)
_LETTERS: Final = 4
_UNSAID: Final = 0.02
_UNTOLD: Final = 0.05
"""Shares of a caption that its place, and its session, say of a picture nobody speaks of."""


def _shows_own(item: QAItem) -> bool:
    """Whether an item asks what its own picture shows, or for pictures of the same."""
    own = bool(item.question.attachments) and is_unbacked(item) and yes_or_no_gold(item) is None
    searches = item.answer.format is AnswerFormat.IMAGE_ID
    return own and (not searches or _THIS.search(item.question.text) is not None)


@unbacked_rule("pictures.other_sight", Severity.WARNING, _SOURCE, applies=_shows_own)
def other_sight(history: History, item: QAItem) -> Iterator[Problem]:
    """The picture of a question shows nothing that gold and evidence call by another name."""
    golds = " . ".join(item.answer.values)
    known = " . ".join((item.question.text, golds, history.text(item)))
    sorts = _SHOWN | {one.sort for one in things(golds)}
    for at, shown in enumerate(item.question.attachments):
        caption = shown.caption or ""
        if _shows_what_is_asked(item.question.text, caption):
            continue
        other = [
            one.stem
            for one in things(head(caption))
            if one.sort in sorts and not is_meant(one, may_mean(known))
        ]
        other += [name for name in _names(caption) if not _is_known(name, known)]
        if other:
            yield problem(
                item.id,
                ("question", "attachments", at, "caption"),
                f"a picture of what gold and evidence name ({item.answer.values[0]})",
                other[0],
                "correct the gold, or show and caption the picture that is meant",
            )


def _shows_what_is_asked(question: str, caption: str) -> bool:
    """Whether a caption names, beside whatever it begins with, the thing that "the picture" is of.

    A question for the flag in a picture is not answered by the lighthouse beside it. Of a dog, any
    other dog is one too.
    """
    asked = _IN_PICTURE.search(question)
    if asked is None or asked["what"].casefold() in _SHOWN:
        return False
    return asked["what"].casefold() in caption.casefold()


@unbacked_rule("pictures.other_garment", Severity.WARNING, _SOURCE, applies=_shows_own)
def other_garment(_history: History, item: QAItem) -> Iterator[Problem]:
    """The picture of a question shows the garment that its gold names, where it shows garments."""
    garment = " ".join(item.answer.values).strip(" .").rpartition(" ")[2]
    golds = [one for one in things(garment) if one.sort == _CLOTHES]
    for at, shown in enumerate(item.question.attachments if golds else ()):
        there = may_mean(shown.caption or "")
        if _CLOTHES in there and not any(is_meant(one, there) for one in golds):
            yield problem(
                item.id,
                ("question", "attachments", at, "caption"),
                f"a picture of what the gold names ({item.answer.values[0]})",
                shown.caption,
                "correct the gold, or show and caption the picture that is meant",
            )


def _names(caption: str) -> list[str]:
    """The names in a caption; at its beginning any word has a capital."""
    found = _NAME.finditer(caption)
    return [
        each[0]
        for each in found
        if caption[max(0, each.start() - 2) : each.start()].strip(" “‘\"'") not in {"", "."}
        or _PLACE.search(each[0])
    ]


def _is_known(name: str, known: str) -> bool:
    plain = known.casefold()
    return all(word[:_LETTERS].casefold() in plain for word in re.split(r"[ -]", name))


def _asks_in_words(item: QAItem) -> bool:
    return is_unbacked(item) and not item.question.attachments


@unbacked_rule("pictures.gold_sight", Severity.WARNING, _SOURCE, applies=_asks_in_words)
def gold_sight(history: History, item: QAItem) -> Iterator[Problem]:
    """The picture that a gold names, or describes, shows no other thing of the sort."""
    pictures = gallery_of(history)
    if item.answer.format is AnswerFormat.IMAGE_ID:
        golds = [
            pictures.pictures[name] for name in item.answer.values if name in pictures.pictures
        ]
        pairs = [(one, item.question.text, "") for one in golds]
    elif item.answer.format is AnswerFormat.FREE and _is_seen(history, item):
        text = " . ".join(item.answer.values)
        pairs = [(one, text, item.question.text) for one in pictures.at(history.cited(item))]
    else:
        return
    for one, wanted, known in pairs:
        found = other_thing(wanted, one.shown.caption or "", known)
        if found:
            yield problem(
                item.id,
                ("answer", "values"),
                f"a picture of the {found[0]} that is asked for",
                f"{one.shown.id}, which shows the {found[1]}",
                "name and cite the picture that is meant, or correct its caption",
            )
            return


@unbacked_rule("pictures.strange", Severity.WARNING, _SOURCE, applies=_asks_in_words)
def strange(history: History, item: QAItem) -> Iterator[Problem]:
    """The caption of the one picture a search is to find says a word of what is asked or told."""
    pictures = gallery_of(history).pictures
    one = pictures.get(item.answer.values[0]) if len(item.answer.values) == 1 else None
    if one is None:
        return
    told = " . ".join((item.question.text, *(turn.text for turn in one.round.turns)))
    caption = one.shown.caption or ""
    own = one.caption - roots(LOOKS)
    around = history.asked(item) | one.turn | one.reply | one.near
    session = [each for each in history.rounds if session_of(each) == session_of(one.round)]
    talk = roots(" . ".join(turn.text for each in session for turn in each.turns))
    of_sort = {each.sort for each in things(caption)} & may_mean(told, broadly=True).keys()
    unsaid = _share(history, own, around) <= _UNSAID and _share(history, own, talk) <= _UNTOLD
    if unsaid and not of_sort and not _share(history, roots(head(caption)) & own, around):
        yield problem(
            item.id,
            ("answer", "values", 0),
            "a picture whose caption says something of what is asked or told beside it",
            f"{one.shown.id}: {caption}",
            "name and cite the picture that is meant, or correct its caption",
        )


def _share(history: History, some: Words, said: Words) -> float:
    """How much of the weight of some words others say, in any form of them."""
    there = openings(said)
    found = said_in(some, there)
    return history.weight(found) / max(history.weight(some), 1.0)


def _is_seen(history: History, item: QAItem) -> bool:
    """Whether one picture of one place shows what no word of the place tells."""
    cited = history.cited(item)
    turns = [turn for each in cited for turn in each.turns]
    gold = openings(history.gold(item))
    told = openings(roots(" . ".join(turn.text for turn in turns)))
    return (
        len(cited) == 1 and sum(len(turn.attachments) for turn in turns) == 1 and not gold <= told
    )


def _is_named(item: QAItem) -> bool:
    """Whether an item asks for the name of what pictures of the history show."""
    return item.type is QuestionType.LEARNED_CONCEPT and is_unbacked(item)


@unbacked_rule("pictures.evidence_sight", Severity.WARNING, _SOURCE, applies=_is_named)
def evidence_sight(history: History, item: QAItem) -> Iterator[Problem]:
    """Of the pictures that a name rests on, none shows what nobody calls so beside it."""
    cited = history.cited(item)
    pictures = gallery_of(history).at(cited)
    said = [turn.text for each in cited for turn in each.turns]
    for one in pictures:
        shown = [each for each in things(head(one.shown.caption or "")) if each.sort in _SPECIES]
        if not shown:
            continue
        rest = [other.shown.caption or "" for other in pictures if other is not one]
        named = " . ".join((item.question.text, *item.answer.values, *said))
        sorts = {each.sort for each in things(named)}
        known = may_mean(" . ".join((named, *rest)))
        for each in shown:
            if each.sort in sorts and not is_meant(each, known):
                yield problem(
                    item.id,
                    ("evidence", "canonical"),
                    f"pictures of one thing ({item.answer.values[0]})",
                    f"{one.shown.id}, whose caption names the {each.stem}",
                    "cite the pictures that are meant, or correct the caption",
                )
                return

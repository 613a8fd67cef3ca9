"""Rules on captions beside words: a caption fits the turn that shows the picture."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import log
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, SpeakerKind
from memassay.validators.items.pictured.gallery import Picture, gallery_of
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    history_of,
    is_unbacked,
    roots,
    session_of,
)
from memassay.validators.places import rounds
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "Mem-Gallery data, pictures that stand under another turn"
_STEM: Final = 5
_REPLY: Final = 0.6
_ITEM: Final = 0.8
_NEAR: Final = 0.3
"""How much a word counts that a reply says, an item that cites the round, or a round beside it;
one of the turn itself counts 1."""
_FEW: Final = 6
"""Rounds that an item cites, at most, for its words to tell what one of them shows."""
_LENGTH: Final = 0.7
"""How far the length of a caption counts against its words: 1 is a share, 0 a sum."""
_EXCHANGED: Final = 0.45
"""By so much two captions must fit better when they are exchanged (our choice: set so that of
17,000 pairs in twelve scenarios three are found, each of which is exchanged, or shows another
thing than its turn says)."""
_MOVED: Final = 0.6
"""By so much a caption must fit a round without a picture better than the one that shows it."""
_PRESENTS: Final = re.compile(
    r"(?:^|[.!?] )(?:\W*(?:and|okay|ok|so|finally|first|next|then|also|yes|sure|great|well|now"
    r"|but)[,!.]?\s+)*here(?:['’]s| is| are)\b",
    re.IGNORECASE,
)
_BETTER: Final = 0.08
"""By this share of its words a caption must fit a turn that presents something better."""
_A_PICTURE: Final = re.compile(
    r"\bhere(?:['’]s| is| are) (?:a |an |the |my |another |one |some )?(?:[\w-]+ ){0,2}?"
    r"(?:photo|picture|image|shot|snapshot|screenshot)s?\b",
    re.IGNORECASE,
)
"""How a turn says that it shows something, and that this is a picture."""
_SCARCELY: Final = 0.02
_SESSION: Final = 0.2
_ENOUGH: Final = 5
"""A caption of at least so many telling words, of which its place and its session say at most these
shares, is of something else than is presented (our choice)."""
LOOKS: Final = (
    "background white black gray green blue red plain standing sitting small large long dark light"
    " front close view surrounded visible brown against text wearing facing image showing left"
    " right yellow several two three one person woman man young side modern wooden outdoor indoor"
    " blurred with set multiple top"
)
"""Words with which any picture is described."""


class _Placed(NamedTuple):
    """A picture with the words of its caption, and what is said where it is shown."""

    picture: Picture
    caption: Words
    said: Mapping[str, float]


@RULES.conversation("pictures.exchanged", Severity.WARNING, _SOURCE, looks_at=LooksAt.CONVERSATION)
def exchanged(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No two captions each fit the other's turn clearly better than their own."""
    if not _answered_by_assistant(bundle):
        return
    placed = _placed(bundle, history_of(bundle.history))
    times = Counter(word for one in placed for word in one.caption | one.said.keys())
    rarity = {word: log((1 + len(placed)) / (0.5 + count)) for word, count in times.items()}
    for pair in combinations(placed, 2):
        gains = _gain(*pair, rarity), _gain(*pair[::-1], rarity)
        if min(gains) > 0 and sum(gains) > _EXCHANGED:
            for one, other in (pair, pair[::-1]):
                yield problem(
                    bundle.id,
                    (*one.picture.parts, "caption"),
                    f"words about what {one.picture.round.id} says {one.picture.shown.asset} shows",
                    one.picture.shown.caption,
                    f"exchange it with the caption of {other.picture.shown.asset}, or correct it",
                )


def _answered_by_assistant(bundle: Bundle) -> bool:
    """Whether a person without a ledger talks to an assistant, who answers in the same round.

    Where people talk by turns, what a picture shows is said in any of the turns around it.
    """
    kinds = {each.kind for each in bundle.conversation.speakers}
    return SpeakerKind.ASSISTANT in kinds and any(is_unbacked(item) for item in bundle.questions)


def _placed(bundle: Bundle, history: History) -> list[_Placed]:
    asked: dict[str, set[str]] = {}
    for item in bundle.questions:
        cited = history.cited(item) if is_unbacked(item) else []
        for each in cited if len(cited) <= _FEW else ():
            text = " . ".join([item.question.text, *item.answer.values])
            asked.setdefault(each.id, set()).update(roots(text))
    found = []
    for one in gallery_of(history).pictures.values():
        said: dict[str, float] = {}
        by_weight = (
            (one.near, _NEAR),
            (one.reply, _REPLY),
            (asked.get(one.round.id, set[str]()), _ITEM),
            (one.turn, 1.0),
        )
        for some, weight in by_weight:
            for word in some:
                said[word[:_STEM]] = max(weight, said.get(word[:_STEM], 0.0))
        found.append(_Placed(one, _cut(one.caption), said))
    return found


def _gain(one: _Placed, other: _Placed, rarity: Mapping[str, float]) -> float:
    """How much better what only one caption says fits the other's place than its own."""
    own = one.caption - other.caption
    whole = sum(rarity[word] for word in sorted(own))
    gained = sum(
        rarity[word] * (other.said.get(word, 0.0) - one.said.get(word, 0.0)) for word in sorted(own)
    )
    return gained / whole**_LENGTH if whole else 0.0


def _cut(some: Words) -> Words:
    return frozenset(word[:_STEM] for word in some)


def _bare(history: History) -> list[Round]:
    """The rounds that show nothing."""
    return [each for each in history.rounds if not any(turn.attachments for turn in each.turns)]


def _presents(of: Round) -> bool:
    return any(_PRESENTS.search(turn.text) for turn in of.turns[:1])


@RULES.conversation("pictures.presented", Severity.WARNING, _SOURCE, looks_at=LooksAt.CONVERSATION)
def presented(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A turn that says "here is" shows a picture, and its caption has to do with what is said."""
    if not _answered_by_assistant(bundle):
        return
    history = history_of(bundle.history)
    placed = _placed(bundle, history)
    if not placed:
        return
    for one in placed:
        if _presents(one.picture.round) and _is_strange(history, one):
            yield problem(
                bundle.id,
                (*one.picture.parts, "caption"),
                f"words about what {one.picture.round.id} says {one.picture.shown.asset} shows",
                one.picture.shown.caption,
                "caption what is presented, or show the picture that is meant",
            )
    bare = {each.id for each in _bare(history)}
    for parts, each in rounds(bundle):
        if each.id not in bare or not each.turns:
            continue
        lost = _lost(history, each, placed) if _presents(each) else None
        if lost or _A_PICTURE.search(each.turns[0].text):
            such = (
                f", such as {lost.picture.shown.asset} of {lost.picture.round.id}" if lost else ""
            )
            yield problem(
                bundle.id,
                (*parts, "turns", 0, "attachments"),
                f"the picture that {each.turns[0].id} presents{such}",
                "none",
                "attach the picture, or say nothing of it",
            )


def _own(one: _Placed) -> Words:
    return _cut(one.picture.turn | one.picture.reply)


def _is_strange(history: History, one: _Placed) -> bool:
    """Whether neither a place nor its session says a word of a caption."""
    telling = one.caption - {word[:_STEM] for word in roots(LOOKS)}
    talk = [
        turn.text
        for each in history.rounds
        if session_of(each) == session_of(one.picture.round)
        for turn in each.turns
    ]
    session = _cut(roots(" . ".join(talk)))
    whole = history.weight(telling)
    here = history.weight(telling & one.said.keys())
    return (
        len(telling) >= _ENOUGH
        and here <= _SCARCELY * whole
        and history.weight(telling & session) <= _SESSION * whole
    )


def _lost(history: History, bare: Round, placed: list[_Placed]) -> _Placed | None:
    """A picture of the session under a turn that does not present it, and that fits this one."""
    said = _cut(history.words[bare.id])
    return next(
        (
            one
            for one in placed
            if session_of(one.picture.round) == session_of(bare)
            and not _presents(one.picture.round)
            and history.weight(one.caption & said) - history.weight(one.caption & _own(one))
            > _BETTER * history.weight(one.caption)
        ),
        None,
    )


@RULES.conversation("pictures.moved", Severity.WARNING, _SOURCE, looks_at=LooksAt.CONVERSATION)
def moved(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No caption fits a round of its session that shows nothing far better than its own."""
    if not _answered_by_assistant(bundle):
        return
    history = history_of(bundle.history)
    placed = _placed(bundle, history)
    if not placed:
        return
    times = Counter(word for each in history.rounds for word in _cut(history.words[each.id]))
    rarity = {word: log((1 + len(history.rounds)) / (0.5 + n)) for word, n in times.items()}
    empty = [(each, _said_at(history, each)) for each in _bare(history)]
    for one in placed:
        beside = [each for each in empty if session_of(each[0]) == session_of(one.picture.round)]
        own = _fit_at(one.caption, one.said, rarity)
        for each, said in beside:
            if _fit_at(one.caption, said, rarity) - own > _MOVED:
                yield problem(
                    bundle.id,
                    one.picture.parts,
                    f"a picture at {each.id}, which speaks of {one.picture.shown.asset}",
                    one.picture.round.id,
                    "show it where it is spoken of",
                )
                break


def _said_at(history: History, each: Round) -> dict[str, float]:
    beside = [one for one in (history.before(each), history.after(each)) if one is not None]
    said = {word: _NEAR for one in beside for word in _cut(_told(history, one, 0))}
    said |= dict.fromkeys(_cut(_told(history, each, 1)), _REPLY)
    return said | dict.fromkeys(_cut(_told(history, each, 0, 1)), 1.0)


def _told(history: History, each: Round, start: int, end: int | None = None) -> Words:
    return roots(" . ".join(turn.text for turn in each.turns[start:end])) - history.names


def _fit_at(caption: Words, said: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    whole = sum(rarity.get(word, 0.0) for word in sorted(caption))
    told = sum(rarity.get(word, 0.0) * said.get(word, 0.0) for word in sorted(caption))
    return told / whole**_LENGTH if whole else 0.0

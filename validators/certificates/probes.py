"""Probes: an item is asked with parts of its history in view, and what is answered says something.

A right item needs its evidence, and no more than that: nobody answers it from nothing, its
evidence is enough, and the rest of the history does not give its gold as well.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.readings import Answerer, Condition
from memassay.schemas.judgements.certificate import Probe
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators.places import evidence_rounds

CLOSED_BOOK: Final = "closed-book"
EVIDENCE: Final = "evidence-only"
REST: Final = "all-but-evidence"
CAPTIONS: Final = "caption-only"
LAST: Final = "last-sessions"
LAST_SESSIONS: Final = 2
"""How many sessions before the asking the last probe shows; our choice."""
ANSWERED: Final = 0.5
"""Score from which an item counts as answered; our choice."""
_GUESSED: Final = frozenset({AnswerFormat.CHOICE, AnswerFormat.YES_NO})
"""Forms in which one right answer says little: it may have been guessed."""


def conditions(bundle: Bundle, item: QAItem) -> list[Condition]:
    """What an answerer is shown of an item's history, probe by probe.

    Captions are asked about where an image of the evidence has one to be shown by; of an item
    without an answer there is no evidence, and only what is there is shown.
    """
    visible = _visible(bundle, item)
    cited = [one.id for one in evidence_rounds(bundle, item)] if item.answerable else []
    rest = [name for names in visible.values() for name in names if name not in cited]
    found = [Condition(REST, tuple(rest)), Condition(LAST, _last(visible))]
    if cited:
        found = [Condition(CLOSED_BOOK, None), Condition(EVIDENCE, tuple(cited)), *found]
    if cited and Modality.IMAGE in item.modalities and _has_picture(bundle, cited):
        found.append(Condition(CAPTIONS, tuple(cited), images=False))
    return found


def probes(
    bundle: Bundle, item: QAItem, answerer: Answerer, score: Callable[[QAItem, str], float]
) -> list[Probe]:
    """Ask an item under each condition.

    Args:
        bundle: The conversation it asks about.
        item: The item.
        answerer: Who answers.
        score: From 0 to 1, how far an answer to an item is right.

    Raises:
        MemassayError: It cannot be answered.
    """
    asked = conditions(bundle, item)
    said = answerer.answers(bundle, item, asked)
    return [
        Probe(name=one.name, answerer=answerer.name, answer=answer, score=score(item, answer))
        for one, answer in zip(asked, said, strict=True)
    ]


def doubts(bundle: Bundle, item: QAItem, found: Sequence[Probe]) -> list[str]:
    """What the probes say against an item, a sentence each; nothing if they say nothing."""
    right = {one.name for one in found if one.score >= ANSWERED}
    wrong = {one.name for one in found} - right
    if not item.answerable:
        told = wrong & {REST, LAST}
        return ["An answer is found in the history, where there should be none."] if told else []
    return list(_doubts(bundle, item, right, wrong))


def _doubts(bundle: Bundle, item: QAItem, right: set[str], wrong: set[str]) -> Iterator[str]:
    if EVIDENCE in wrong:
        yield "The evidence by itself does not give the gold answer."
    if item.answer.format in _GUESSED:
        return
    if CLOSED_BOOK in right:
        yield "The gold answer is found without the history."
    if CAPTIONS in right and Modality.TEXT not in item.modalities:
        yield "Captions give the gold answer; nobody needs to look at the image."
    last = {
        name for names in list(_visible(bundle, item).values())[-LAST_SESSIONS:] for name in names
    }
    cited = {one.id for one in evidence_rounds(bundle, item)}
    if REST in right or (LAST in right and not last & cited):
        yield "The history gives the gold answer without the evidence cited, too."


def _visible(bundle: Bundle, item: QAItem) -> dict[str, list[str]]:
    """By session, ids of the rounds that are there when an item is asked."""
    talk, asked = bundle.conversation, item.asked_at
    names = [session.id for session in talk.sessions]
    points = {point.id: point.covered_sessions for point in talk.checkpoints}
    if asked.checkpoint in points:
        names = [name for name in names if name in points[asked.checkpoint]]
    elif asked.session in names:
        names = names[: names.index(asked.session) + 1]
    return {
        session.id: [round_.id for round_ in session.rounds]
        for session in talk.sessions
        if session.id in names
    }


def _last(visible: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Rounds of the last sessions."""
    return tuple(name for names in list(visible.values())[-LAST_SESSIONS:] for name in names)


def _has_picture(bundle: Bundle, rounds: Sequence[str]) -> bool:
    """Whether a round shows an image that is there and has a caption."""
    shown = [
        one
        for name in rounds
        for round_ in bundle.rounds_of(name)
        for turn in round_.turns
        for one in turn.attachments
    ]
    present = {one.id for one in bundle.assets if one.availability is Availability.PRESENT}
    return any(one.caption and one.asset in present for one in shown)

"""Rules on distractor sessions: they come from elsewhere, and no question of their host changes."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, SessionArc
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import start
from memassay.validators.items.distractors.subjects import (
    Spoken,
    Subject,
    shown_in,
    spoken,
    subject_of,
)
from memassay.validators.places import evidence_places, visible_sessions
from memassay.validators.registry import RULES, always, problem
from memassay.validators.texts.asked_dates import asked_date, asked_month
from memassay.validators.texts.history import History
from memassay.validators.wording import sentences

_COVERED: Final = 0.5
"""Share of the weight of a question's words from which on a round speaks of it (our choice)."""
_STATED: Final = 0.35
"""The same where a question states what may be so or not: another value is another word."""
_TOGETHER: Final = 3
"""Sentences that are read together, so that an answer has its question (our choice)."""


def distractors(bundle: Bundle) -> list[Session]:
    """Sessions that came from another conversation to distract."""
    return [
        one
        for one in bundle.conversation.sessions
        if one.arc is SessionArc.SIDE and one.origin is not None
    ]


def _answer(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """No distractor session speaks of what a question of its host asks."""
    lent = distractors(bundle)
    if not lent:
        return
    history = context.once(History, bundle.history)
    told = [(session, _Told(session)) for session in lent]
    for item in bundle.questions:
        subject = subject_of(history, item)
        seen = visible_sessions(bundle, item)
        for session, heard in told:
            if seen is not None and session.id not in seen:
                continue
            why = _speaks_of(item, subject, session, heard)
            if why is not None:
                where = ", ".join(evidence_places(item)) or "no place"
                fix = f"leave {session.origin} out, or read both places and say why not"
                got = f"{why[0]}: {why[1]}"
                yield problem(item.id, ("answer", "values"), f"{where} alone", got, fix)


class _Told:
    """What a session tells and shows.

    Attributes:
        whole: All of it together.
        windows: What some sentences in a row speak of, each with the round of the last of them.
        shown: Captions of the pictures of each round that shows any.
    """

    def __init__(self, session: Session) -> None:
        said = [
            (round_.id, part)
            for round_ in session.rounds
            for turn in round_.turns
            for part in (*sentences(turn.text), *(one.caption or "" for one in turn.attachments))
        ]
        ahead = _TOGETHER - 1
        self.windows = [
            (place, spoken(" . ".join(part for _, part in said[max(0, at - ahead) : at + 1])))
            for at, (place, _) in enumerate(said)
        ]
        self.shown = [
            (one.id, [each.caption for each in shown])
            for one in session.rounds
            if (shown := shown_in(one))
        ]
        self.whole = Spoken(
            frozenset().union(*(one.words for _, one in self.windows)),
            frozenset().union(*(one.kinds for _, one in self.windows)),
        )


def _speaks_of(
    item: QAItem, subject: Subject, session: Session, told: _Told
) -> tuple[str, str] | None:
    """The place in a session that speaks of what a question asks, and how; None if none does."""
    if subject.everywhere:
        return session.id, "any session may change it"
    if _asked_then(item, session):
        return session.id, f"falls on the date asked for ({session.date})"
    least = _STATED if item.answer.format is AnswerFormat.YES_NO else _COVERED
    if told.whole.share(subject.words) >= least:
        for place, one in told.windows:
            if one.share(subject.words) >= least:
                both = subject.words.keys() & (one.words | one.kinds)
                return place, f"speaks of {', '.join(sorted(both))}"
    for place, captions in told.shown if subject.pictured or subject.alone else ():
        known = [one for one in captions if one]
        described = spoken(" . ".join(known)).share(subject.pictured) >= _COVERED
        if described or len(known) < len(captions):
            return place, "shows a picture that may be asked for"
    return None


def _asked_then(item: QAItem, session: Session) -> bool:
    """Whether a session falls on the date at which a question places what it asks for."""
    if session.date is None:
        return False
    day = start(session.date).date()
    named, month = asked_date(item.question.text), asked_month(item.question.text)
    if named is not None:
        return named.span.first <= day <= named.span.last
    return month == day.month


RULES.conversation(
    "distractors.answer",
    Severity.WARNING,
    "memassay design, distractor injection: no host answer changes",
    looks_at=LooksAt.QUESTION,
    applies=always,
    concerns=lambda bundle: bool(distractors(bundle)),
)(_answer)

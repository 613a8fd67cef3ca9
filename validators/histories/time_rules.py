"""Rules on time: dates exist, nothing goes back, questions are asked at a place that exists."""

from collections.abc import Iterator
from itertools import pairwise

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import is_when, strictly_after
from memassay.validators.places import Parts, rounds, sessions, turns
from memassay.validators.registry import RULES, problem, question_rule


def _dates(bundle: Bundle) -> Iterator[tuple[str, Parts, str]]:
    """Every date of a bundle with its record and the way to it."""
    for parts, session in sessions(bundle):
        if session.date is not None:
            yield bundle.id, (*parts, "date"), session.date
    for parts, round_ in rounds(bundle):
        if round_.date is not None:
            yield bundle.id, (*parts, "date"), round_.date
    for parts, turn in turns(bundle):
        if turn.time is not None:
            yield bundle.id, (*parts, "time"), turn.time
    for fact in bundle.facts:
        for name, when in (("valid_from", fact.valid_from), ("valid_to", fact.valid_to)):
            if when is not None:
                yield fact.id, (name,), when


@RULES.conversation("time.readable", Severity.ERROR, "memassay civil time, schemas/civil_time.py")
def readable(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Every date is an ISO 8601 local time of any precision and names a day that exists."""
    for target, parts, when in _dates(bundle):
        if not is_when(when):
            yield problem(target, parts, "a day that exists", when, "correct the date")


@RULES.conversation("time.session_order", Severity.ERROR, "Mem-Gallery layout, session dates")
def session_order(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No session is dated before the one in front of it, and no round before what precedes it."""
    for (_, earlier), (parts, later) in pairwise(_in_order(bundle)):
        if strictly_after(earlier, later):
            yield problem(
                bundle.id,
                (*parts, "date"),
                f"a date not before {earlier}",
                later,
                "put sessions in the order of time, or correct the date",
            )


def _in_order(bundle: Bundle) -> Iterator[tuple[Parts, str]]:
    """The dates of sessions and of rounds that have one of their own, as they stand."""
    for parts, session in sessions(bundle):
        if session.date is not None and is_when(session.date):
            yield parts, session.date
        for at, round_ in enumerate(session.rounds):
            if round_.date is not None and is_when(round_.date):
                yield (*parts, "rounds", at), round_.date


@RULES.conversation("time.turn_in_session", Severity.ERROR, "WorldMemArena layout, timestamps")
def turn_in_session(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No turn is dated before its session or round, nor before the turn in front of it."""
    for parts, session in sessions(bundle):
        latest = session.date if session.date is not None and is_when(session.date) else None
        before = session.id
        for at, round_ in enumerate(session.rounds):
            if round_.date is not None and is_when(round_.date):
                latest, before = round_.date, round_.id
            for index, turn in enumerate(round_.turns):
                if turn.time is None or not is_when(turn.time):
                    continue
                if latest is not None and strictly_after(latest, turn.time):
                    yield problem(
                        bundle.id,
                        (*parts, "rounds", at, "turns", index, "time"),
                        f"a time not before {latest}, that of {before}",
                        turn.time,
                        "correct the time, or move the turn",
                    )
                else:
                    latest, before = turn.time, turn.id


@question_rule(
    "time.asked_at_exists",
    Severity.ERROR,
    "WorldMemArena 4, checkpoints",
    applies=lambda item: item.asked_at.checkpoint is not None or item.asked_at.session is not None,
)
def asked_at_exists(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A question is asked at a checkpoint or after a session that exists."""
    asked = item.asked_at
    checkpoints = {each.id for each in bundle.conversation.checkpoints}
    if asked.checkpoint is not None and asked.checkpoint not in checkpoints:
        yield problem(
            item.id,
            ("asked_at", "checkpoint"),
            "a checkpoint of the conversation",
            asked.checkpoint,
            "add the checkpoint, or ask at another",
        )
    if asked.session is not None and asked.session not in bundle.session_by_id:
        yield problem(
            item.id,
            ("asked_at", "session"),
            "a session of the conversation",
            asked.session,
            "ask after a session that exists",
        )


@RULES.conversation("time.checkpoint_sessions", Severity.ERROR, "WorldMemArena 4, checkpoints")
def checkpoint_sessions(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A checkpoint covers sessions that exist, each once, in the order of time."""
    position = {session.id: at for at, session in enumerate(bundle.conversation.sessions)}
    for number, checkpoint in enumerate(bundle.conversation.checkpoints):
        previous = -1
        for at, name in enumerate(checkpoint.covered_sessions):
            parts: Parts = ("checkpoints", number, "covered_sessions", at)
            if name not in position:
                fix = "a checkpoint with an unknown session is never asked; name one that exists"
                yield problem(bundle.id, parts, "a session that exists", name, fix)
                continue
            if position[name] <= previous:
                fix = "list each covered session once, in the order of time"
                yield problem(bundle.id, parts, "a later session than before", name, fix)
            previous = max(previous, position[name])


@RULES.conversation("time.checkpoint_order", Severity.WARNING, "WorldMemArena 4, checkpoints")
def checkpoint_order(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Checkpoints are listed in the order of their last covered session."""
    position = {session.id: at for at, session in enumerate(bundle.conversation.sessions)}
    last = [
        max((position.get(name, -1) for name in each.covered_sessions), default=-1)
        for each in bundle.conversation.checkpoints
    ]
    for number, (before, after) in enumerate(pairwise(last), start=1):
        if after < before:
            yield problem(
                bundle.id,
                ("checkpoints", number, "covered_sessions"),
                "a checkpoint no earlier than the one in front of it",
                bundle.conversation.checkpoints[number].id,
                "list checkpoints in the order in which they are asked",
            )

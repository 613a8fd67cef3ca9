"""Whose sessions a conversation is made of: its own, those of guests, those that distract."""

from collections.abc import Iterable, Iterator
from typing import Final

from memassay.schemas.contracts.figures import Cell, Figure
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, SessionArc

_KINDS: Final = {SessionArc.GUEST: "guests", SessionArc.SIDE: "distractors"}
_OWN: Final = "own"
_LENT: Final = "other origin"


def origin_figures(bundles: Iterable[Bundle]) -> Iterator[Figure]:
    """What share of the sessions came from elsewhere; nothing where all are the hosts' own."""
    sessions = [one for bundle in bundles for one in bundle.conversation.sessions]
    if all(one.origin is None for one in sessions):
        return
    kinds = [_OWN, *_KINDS.values(), _LENT]
    rows = [_row(kind, [one for one in sessions if _kind(one) == kind]) for kind in kinds]
    shown = [row for row in rows if row["sessions"]]
    for row in shown:
        row["share"] = round(int(row["sessions"] or 0) / len(sessions), 3)
    yield Figure("Sessions by origin (M2A §4.4; distractors of the recipe)", shown)


def _kind(session: Session) -> str:
    if session.origin is None:
        return _OWN
    return _KINDS.get(session.arc, _LENT) if session.arc else _LENT


def _row(kind: str, sessions: list[Session]) -> dict[str, Cell]:
    rounds = [one for session in sessions for one in session.rounds]
    turns = [turn for one in rounds for turn in one.turns]
    return {
        "origin": kind,
        "sessions": len(sessions),
        "rounds": len(rounds),
        "turns": len(turns),
        "images": sum(len(turn.attachments) for turn in turns),
    }

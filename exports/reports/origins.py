"""Whose sessions a conversation is made of: its own, those of guests, those that distract."""

from collections import Counter
from typing import Final

from memassay.schemas.contracts.figures import Cell, Figure
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, SessionArc

_KINDS: Final = {SessionArc.GUEST: "guests", SessionArc.SIDE: "distractors"}
_OWN: Final = "own"
_LENT: Final = "other origin"


class OriginCounts:
    """Sessions by origin, while conversations pass by."""

    def __init__(self) -> None:
        self._rows: dict[str, Counter[str]] = {}
        self._is_lent = False

    def add(self, bundle: Bundle) -> None:
        """Count the sessions of a conversation."""
        for session in bundle.conversation.sessions:
            self._is_lent |= session.origin is not None
            turns = [turn for one in session.rounds for turn in one.turns]
            row = self._rows.setdefault(_kind(session), Counter())
            row["sessions"] += 1
            row["rounds"] += len(session.rounds)
            row["turns"] += len(turns)
            row["images"] += sum(len(turn.attachments) for turn in turns)

    def figures(self) -> list[Figure]:
        """What share of the sessions came from elsewhere; nothing where all are the hosts' own."""
        if not self._is_lent:
            return []
        sessions = sum(row["sessions"] for row in self._rows.values())
        kinds = [_OWN, *_KINDS.values(), _LENT]
        shown = [_row(kind, self._rows[kind], sessions) for kind in kinds if kind in self._rows]
        return [Figure("Sessions by origin (M2A §4.4; distractors of the recipe)", shown)]


def _kind(session: Session) -> str:
    if session.origin is None:
        return _OWN
    return _KINDS.get(session.arc, _LENT) if session.arc else _LENT


def _row(kind: str, counts: Counter[str], sessions: int) -> dict[str, Cell]:
    names = ("sessions", "rounds", "turns", "images")
    return {
        "origin": kind,
        **{name: counts[name] for name in names},
        "share": round(counts["sessions"] / sessions, 3),
    }

"""The built-in memories under evaluation: a retriever over the rounds seen when asked."""

from collections.abc import Sequence
from typing import Final

from memassay.exports.scores.retrievers import (
    RETRIEVERS,
    Document,
    RetrievalQuery,
    Retriever,
    build_retriever,
)
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.records.question import QAItem

UNRANKED: Final = frozenset({"full-context", "oracle-session"})
"""Systems that fill a context and do not rank; they are scored without a cutoff."""


class RetrieverMemory:
    """A memory that keeps every round as it was and ranks them for each question."""

    def __init__(self, name: str) -> None:
        if name not in RETRIEVERS:
            raise UsageError(
                f"reader: expected one of {', '.join(sorted(RETRIEVERS))}, got '{name}'"
            )
        self.name = name
        self._bundle: Bundle | None = None
        self._retrievers: dict[tuple[str, ...], Retriever] = {}

    def remember(self, bundle: Bundle) -> None:
        """Take in a conversation in place of the one before it."""
        self._bundle, self._retrievers = bundle, {}

    def recall(self, item: QAItem, limit: int) -> list[str]:
        """Ids of the rounds seen when the item is asked, best first, at most `limit`.

        Raises:
            UsageError: No conversation was remembered.
        """
        if self._bundle is None:
            raise UsageError(f"{item.id}: expected a conversation to be remembered first, got none")
        sessions = visible_sessions(self._bundle, item)
        seen = tuple(session.id for session in sessions)
        if seen not in self._retrievers:
            self._retrievers[seen] = build_retriever(self.name, documents_of(sessions))
        evidence = [name for group in evidence_rounds(self._bundle, item) for name in group]
        ranked = self._retrievers[seen].rank(RetrievalQuery(item.question.text, evidence))
        return ranked[:limit]


def visible_sessions(bundle: Bundle, item: QAItem) -> list[Session]:
    """The sessions that have taken place when an item is asked, in the order of time.

    At a checkpoint these are the sessions it covers, after a session all up to it, else all.
    """
    sessions = list(bundle.conversation.sessions)
    asked = item.asked_at
    for checkpoint in bundle.conversation.checkpoints:
        if checkpoint.id == asked.checkpoint:
            covered = set(checkpoint.covered_sessions)
            return [session for session in sessions if session.id in covered]
    for position, session in enumerate(sessions, start=1):
        if session.id == asked.session:
            return sessions[:position]
    return sessions


def documents_of(sessions: Sequence[Session]) -> list[Document]:
    """What a retriever sees: the texts of each round's turns, joined by a line break.

    Captions are left out, as in a system that is given the pixels.
    """
    return [
        Document(round_.id, "\n".join(turn.text for turn in round_.turns), session.index)
        for session in sessions
        for round_ in session.rounds
    ]


def evidence_rounds(bundle: Bundle, item: QAItem) -> list[list[str]]:
    """The evidence of an item as groups of alternative rounds.

    A turn or an attachment represents its round, a session for any of its rounds. A place that
    does not exist stays as it is: no retriever can find it, and recall shows that.
    """
    groups = []
    for group in item.evidence.groups:
        names: list[str] = []
        for place in group:
            names += [round_.id for round_ in bundle.rounds_of(place)] or [place]
        groups.append(list(dict.fromkeys(names)))
    return groups

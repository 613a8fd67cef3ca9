"""Memories of ours that keep rounds as they were, or some of them, and rank them for a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from memassay.exports.lifecycle.memories.retrievers import (
    Document,
    RetrievalQuery,
    Retriever,
    build_retriever,
)
from memassay.exports.lifecycle.memories.shapes import (
    Captions,
    MemoryDeltaRecord,
    MemorySnapshotRecord,
    MemoryTurn,
    RetrievalItem,
    RetrievalRecord,
)
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem


class InsiderMemory:
    """A memory of ours, which may be shown what others must not see.

    Attributes:
        name: What it is called.
        captions: What it is given as captions of images, where nobody says otherwise.
        is_ranking: Whether its finds are a ranking; else they are scored without a cutoff.
    """

    name: str
    captions: Captions = Captions.PUBLIC
    is_ranking: bool = True

    def learn(self, bundle: Bundle) -> None:
        """Look at the conversation that comes next."""

    def hear(self, item: QAItem, evidence: Sequence[str]) -> None:
        """Look at the question that is asked next, and at the rounds that are its evidence."""


@dataclass(frozen=True)
class Keeping:
    """How a memory keeps rounds.

    Attributes:
        ranker: A name in `RETRIEVERS`.
        captions: What it is given as captions of images.
        only_captions: Whether it keeps nothing else.
        sessions: How many sessions it keeps, the latest; None for all.
    """

    ranker: str
    captions: Captions = Captions.NONE
    only_captions: bool = False
    sessions: int | None = None


KEEPERS: Final = MappingProxyType(
    {
        **{
            name: Keeping(name)
            for name in ("bm25", "dense", "fifo", "full-context", "oracle-session")
        },
        "append-everything": Keeping("bm25", Captions.PUBLIC),
        "captions-only": Keeping("bm25", Captions.PUBLIC, only_captions=True),
    }
)
"""How the memories keep rounds that are known by these names."""


class RoundMemory(InsiderMemory):
    """A memory that keeps rounds as they were; captions that it is given count as their words.

    Attributes:
        keeping: How it keeps them.
    """

    def __init__(self, name: str, keeping: Keeping) -> None:
        """Keep nothing yet."""
        self.name = name
        self.keeping = keeping
        self.captions = keeping.captions
        self.is_ranking = keeping.ranker not in {"full-context", "oracle-session"}
        self._evidence: Sequence[str] = ()
        self.reset()

    def hear(self, item: QAItem, evidence: Sequence[str]) -> None:  # noqa: ARG002
        """Take the evidence, at which only oracles look."""
        self._evidence = evidence

    def reset(self) -> None:
        """Forget everything."""
        self._texts: dict[str, list[str]] = {}
        self._shown: dict[str, list[str]] = {}
        self._when: dict[str, str] = {}
        self._sessions: dict[str, int] = {}
        self._ids: list[str] = []
        self._open: dict[str, None] = {}
        self._retriever: Retriever | None = None

    def ingest_turn(self, turn: MemoryTurn) -> None:
        """Keep what is spoken and shown, by round; who speaks when ranks nothing."""
        captions = [item.caption for item in turn.attachments if item.caption]
        said = [] if self.keeping.only_captions else [turn.spoken]
        speaker = turn.speaker or turn.role
        shown = [f"{speaker}: {text}" for text in said]
        shown += [f"[image: {caption}]" for caption in captions]
        if not shown:
            return
        self._texts.setdefault(turn.round_id, []).extend([*said, *captions])
        self._shown.setdefault(turn.round_id, []).extend(shown)
        if turn.timestamp:
            self._when.setdefault(turn.round_id, f"({turn.timestamp})\n")
        self._sessions.setdefault(turn.round_id, len(self._ids))
        self._open[turn.round_id] = None
        self._retriever = None

    def end_session(self, session_id: str) -> None:
        """Let go of what is too long ago."""
        self._ids.append(session_id)
        if self.keeping.sessions is None:
            return
        first = len(self._ids) - self.keeping.sessions
        for name in [name for name, session in self._sessions.items() if session < first]:
            del self._texts[name], self._shown[name], self._sessions[name]
        self._retriever = None

    def snapshot_memories(self) -> list[MemorySnapshotRecord]:
        """The rounds that it keeps."""
        return [
            MemorySnapshotRecord(name, "\n".join(shown), self._ids[self._sessions[name]])
            for name, shown in self._shown.items()
        ]

    def export_memory_delta(self, session_id: str) -> list[MemoryDeltaRecord]:
        """The rounds of the session."""
        written, self._open = self._open, {}
        return [
            MemoryDeltaRecord(session_id, "add", "\n".join(self._shown[name]), (), name)
            for name in written
            if name in self._shown
        ]

    def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
        """The rounds known so far, best first."""
        if self._retriever is None:
            documents = [
                Document(name, "\n".join(texts), self._sessions[name])
                for name, texts in self._texts.items()
            ]
            self._retriever = build_retriever(self.keeping.ranker, documents)
        ranked = self._retriever.rank(RetrievalQuery(query, self._evidence))[:top_k]
        items = [
            RetrievalItem(
                rank, name, self._when.get(name, "") + "\n".join(self._shown[name]), 1 / rank
            )
            for rank, name in enumerate(ranked, start=1)
        ]
        return RetrievalRecord(query, top_k, items)


def latest_sessions(name: str) -> Callable[[], RoundMemory] | None:
    """The memory `last-K-sessions`, which keeps K of them; None for any other name."""
    first, _, rest = name.partition("-")
    count, _, what = rest.partition("-")
    if first != "last" or what != "sessions" or not count.isdecimal() or int(count) < 1:
        return None
    keeping = Keeping("bm25", Captions.PUBLIC, sessions=int(count))
    return lambda: RoundMemory(name, keeping)

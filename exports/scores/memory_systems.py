"""The memories that are known by a name: built-in ones, and those of other packages."""

import sys
from importlib.metadata import EntryPoint
from typing import Final

from memassay.exports.scores.memories import (
    MemorySystem,
    MemoryTurn,
    RetrievalItem,
    RetrievalRecord,
)
from memassay.exports.scores.retrievers import (
    RETRIEVERS,
    Document,
    RetrievalQuery,
    Retriever,
    build_retriever,
)
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.registry import entries_of

GROUP: Final = "memassay.memories"
"""Entry points that declare memories: a class, or a function that makes one."""
UNRANKED: Final = frozenset({"full-context", "oracle-session"})
"""Systems that fill a context and do not rank; they are scored without a cutoff."""
_METHODS: Final = ("reset", "ingest_turn", "end_session", "retrieve")


class RetrieverMemory:
    """A memory that keeps every round as it was and ranks them for each question.

    The captions that it is given count as words of their round.

    Attributes:
        name: A name in `RETRIEVERS`.
        evidence: Round ids of the evidence of what is asked next. Only oracles look at it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.evidence: list[str] = []
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._texts: dict[str, list[str]] = {}
        self._shown: dict[str, list[str]] = {}
        self._sessions: dict[str, int] = {}
        self._ended = 0
        self._retriever: Retriever | None = None

    def ingest_turn(self, turn: MemoryTurn) -> None:
        """Keep what is spoken and shown, by round; who speaks when ranks nothing."""
        captions = [item.caption for item in turn.attachments if item.caption]
        self._texts.setdefault(turn.round_id, []).extend([turn.text, *captions])
        when = [f"({turn.timestamp})"] if turn.timestamp else []
        shown = self._shown.setdefault(turn.round_id, when)
        shown.append(f"{turn.speaker or turn.role}: {turn.text}")
        shown += [f"[image: {caption}]" for caption in captions]
        self._sessions[turn.round_id] = self._ended
        self._retriever = None

    def end_session(self, session_id: str) -> None:  # noqa: ARG002
        """Count the session."""
        self._ended += 1

    def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
        """The rounds known so far, best first."""
        if self._retriever is None:
            documents = [
                Document(name, "\n".join(texts), self._sessions[name])
                for name, texts in self._texts.items()
            ]
            self._retriever = build_retriever(self.name, documents)
        ranked = self._retriever.rank(RetrievalQuery(query, self.evidence))[:top_k]
        items = [
            RetrievalItem(rank, name, "\n".join(self._shown[name]), 1 / rank)
            for rank, name in enumerate(ranked, start=1)
        ]
        return RetrievalRecord(query, top_k, items)


def memory_by_name(name: str) -> MemorySystem:
    """The memory of a name: a built-in one, that of an entry point, or of `module:Class`.

    Raises:
        UsageError: There is none, several packages declare it, or it is no memory.
    """
    if name in RETRIEVERS:
        return RetrieverMemory(name)
    entries = entries_of(GROUP)
    own = [entry for entry in entries if entry.name == name]
    if ":" in name:
        # The command line does not look for modules where it is started.
        sys.path.append("")
        own = [EntryPoint(name, name, GROUP)]
    if len(own) != 1:
        known = ", ".join(sorted({*RETRIEVERS, *(entry.name for entry in entries)}))
        raise UsageError(
            f"memory: expected one of {known}, or module:Class, got '{name}'"
            + f", which {len(own)} packages declare; uninstall one of them" * bool(own)
        )
    try:
        memory: MemorySystem = own[0].load()()
    except Exception as error:  # whatever a foreign module raises, it is to blame
        raise UsageError(
            f"memory {name}: expected {own[0].value} to make a memory, got "
            f"{type(error).__name__}: {error}; a module is looked for in the working directory and "
            "where PYTHONPATH says"
        ) from error
    return check_memory(memory)


def check_memory(memory: MemorySystem) -> MemorySystem:
    """A memory, if it has what a memory must have.

    Raises:
        UsageError: A method is missing.
    """
    if isinstance(memory, type):
        raise UsageError(
            f"memory {memory.__name__}: expected a memory, got its class; make one: "
            f"{memory.__name__}()"
        )
    missing = [name for name in _METHODS if not callable(getattr(memory, name, None))]
    if missing:
        raise UsageError(
            f"memory {memory_name(memory)}: expected the methods {', '.join(_METHODS)}, got none "
            f"called {', '.join(missing)}; docs/python.md shows one"
        )
    return memory


def memory_name(memory: MemorySystem) -> str:
    """Its own name, else that of its class."""
    name = getattr(memory, "name", None)
    return name if isinstance(name, str) else type(memory).__name__


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

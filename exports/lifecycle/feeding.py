"""Gives histories to memories turn by turn, and asks each question when its time has come."""

import traceback
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from memassay.exports.lifecycle.memories.host import capabilities_of
from memassay.exports.lifecycle.memories.keepers import InsiderMemory
from memassay.exports.lifecycle.memories.shapes import (
    NEEDED,
    SHOWING,
    Captions,
)
from memassay.exports.lifecycle.memories.turns import AttachedFiles, turns_of
from memassay.exports.lifecycle.memories.wire import (
    Entry,
    Found,
    read_delta,
    read_finds,
    read_snapshot,
)
from memassay.exports.release.text_lines import printable
from memassay.exports.scores.evidence import evidence_rounds, rounds_at
from memassay.schemas.errors import MemassayError, UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

Result = TypeVar("Result")


@dataclass(frozen=True)
class SessionTrace:
    """What a memory showed after a session.

    Attributes:
        session: Id of the session.
        written: What it wrote; None if it does not show that.
        held: What it held; None if it does not show that.
        seconds: How long it took.
    """

    session: str
    written: list[Entry] | None
    held: list[Entry] | None
    seconds: float = 0.0


@dataclass(frozen=True)
class Find:
    """What a memory found for a question.

    Attributes:
        items: Best first; none after it has failed.
        seconds: How long it took.
    """

    items: list[Found]
    seconds: float = 0.0


@dataclass
class MemoryTrace:
    """What a memory did with one conversation.

    Attributes:
        sessions: What it showed after each session, in their order.
        finds: What it found, by id of the item.
        failure: What it did wrong, in a line; empty if nothing. What comes after it is nothing.
    """

    sessions: list[SessionTrace] = field(default_factory=list)
    finds: dict[str, Find] = field(default_factory=dict)
    failure: str = ""


@dataclass(frozen=True)
class Asking:
    """How a memory is fed and asked.

    Attributes:
        top_k: How many items it may give.
        captions: What it is given as captions of images.
        tell_type: Whether it is told the type of a question, as upstream does.
        shows: Whether it is asked for what it wrote and holds.
    """

    top_k: int = 10
    captions: Captions = Captions.PUBLIC
    tell_type: bool = False
    shows: bool = True

    def of_all(self, rounds: int) -> "Asking":
        """The same, where it may give as many items as there are rounds."""
        return replace(self, top_k=rounds)


def feed_memory(
    memory: Any,
    bundle: Bundle,
    items: Sequence[QAItem],
    asking: Asking,
    files: AttachedFiles | None = None,
) -> MemoryTrace:
    """Give a memory a conversation, session by session, and ask what may be asked after each.

    Every item is asked when the sessions that it may see are over and no other has begun. Where
    these are not the first sessions of the history, the memory starts again for it, afterwards.

    Args:
        memory: The memory; it is reset first.
        bundle: The conversation.
        items: Some of its questions.
        asking: How.
        files: Writes images where the memory looks at them; none are given without.
    """
    feeder = _Feeder(memory, bundle, asking, files)
    by_sight: dict[tuple[str, ...], list[QAItem]] = {}
    for item in items:
        seen = tuple(session.id for session in bundle.sessions_before(item))
        by_sight.setdefault(seen, []).append(item)
    whole = [session.id for session in bundle.conversation.sessions]
    feeder.begin()
    for at in range(len(whole) + 1):
        if at:
            feeder.feed(whole[at - 1], shows=asking.shows)
        feeder.ask(by_sight.pop(tuple(whole[:at]), ()))
    for seen in sorted(by_sight, key=lambda ids: [natural_key(each) for each in ids]):
        feeder.begin()
        for name in seen:
            feeder.feed(name, shows=False)
        feeder.ask(by_sight[seen])
    return feeder.trace


class _Feeder:
    """Calls the methods of a memory, until it does something wrong."""

    def __init__(
        self, memory: Any, bundle: Bundle, asking: Asking, files: AttachedFiles | None
    ) -> None:
        self.trace = MemoryTrace()
        self._memory, self._bundle, self._asking, self._files = memory, bundle, asking, files
        self._methods: Collection[str] = ()

    def begin(self) -> None:
        """Let it forget everything, and learn what it can do."""
        if isinstance(self._memory, InsiderMemory):
            self._memory.learn(self._bundle)
        self._try("reset", self._memory.reset)
        if not self._methods:
            said = self._try("get_capabilities", lambda: capabilities_of(self._memory))
            self._methods = said["methods"] if said else (*NEEDED, *SHOWING)

    def feed(self, name: str, *, shows: bool) -> None:
        """Give it a session."""
        begun = perf_counter()
        self._try(f"given session {name}", partial(self._ingest, name))
        seconds = perf_counter() - begun
        if not shows:
            return
        held = self._show_entries(
            "snapshot_memories", name, lambda: self._memory.snapshot_memories()
        )
        written = self._show_entries(
            "export_memory_delta", name, lambda: self._memory.export_memory_delta(name)
        )
        self.trace.sessions.append(SessionTrace(name, written, held, seconds))

    def ask(self, items: Iterable[QAItem]) -> None:
        """Ask it questions."""
        for item in items:
            begun = perf_counter()
            found = self._try(f"asked {item.id}", partial(self._retrieve, item))
            self.trace.finds[item.id] = Find(found or [], perf_counter() - begun)

    def _ingest(self, name: str) -> None:
        session = self._bundle.session_by_id[name]
        for turn in turns_of(self._bundle, session, self._files, self._asking.captions):
            self._memory.ingest_turn(turn)
        self._memory.end_session(name)

    def _show_entries(self, method: str, name: str, call: Callable[[], Any]) -> list[Entry] | None:
        """What it shows by a method; nothing after it has failed, None if it has no such method."""
        if method not in self._methods:
            return None
        read = read_snapshot if method == "snapshot_memories" else partial(read_delta, session=name)
        return self._try(f"{method} of {name}", lambda: read(call())) or []

    def _retrieve(self, item: QAItem) -> list[Found]:
        if isinstance(self._memory, InsiderMemory):
            groups = evidence_rounds(self._bundle, item)
            self._memory.hear(item, [place for group in groups for place in group])
        told = {"category": item.benchmark_type} if self._asking.tell_type else {}
        given = self._memory.retrieve(item.question.text, self._asking.top_k, **told)
        return read_finds(given, self._asking.top_k)

    def _try(self, what: str, call: Callable[[], Result]) -> Result | None:
        """What a call gives; None once anything has gone wrong, which the trace keeps."""
        if self.trace.failure:
            return None
        try:
            return call()
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it does is its score
            said = str(error) if isinstance(error, MemassayError) else _line_of(error)
            self.trace.failure = printable(f"{self._bundle.id}, {what}: {' '.join(said.split())}")
            return None


def _line_of(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"


def rounds_found(bundle: Bundle, items: Iterable[Found]) -> list[str]:
    """Ids of the rounds that finds are from, best first, each once.

    What is from no round of the history stays under its own id: it takes a rank and is never
    evidence.
    """
    places = [place for item in items for place in item.rounds or item.ids[:1]]
    return rounds_at(bundle, places)

"""What a memory under evaluation must offer, and what it is given and gives back.

Names and fields are those of WorldMemArena's `eval_framework` (memory_adapters and
datasets/schemas.py; Appendix D), so that an adapter written for it is evaluated here as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

NEEDED: Final = ("reset", "ingest_turn", "end_session", "retrieve")
"""Methods that every memory has."""
SHOWING: Final = ("snapshot_memories", "export_memory_delta")
"""Methods of a memory that shows what it holds; without one, its metrics are left out."""


class Captions(StrEnum):
    """What a memory is given as the caption of an image (Mem-Gallery A.4.1).

    `public` is what the history says of it. `asset` is what can be read in its pixels, as a
    perfect writer of captions would put it down; the golds of visual questions are in it.
    """

    NONE = "none"
    PUBLIC = "public"
    ASSET = "asset"


@dataclass(frozen=True)
class MemoryAttachment:
    """An image or document that a turn shows.

    Attributes:
        caption: What the history says of it; may be empty.
        image_id: Its place, e.g. ``D3:IMG_001``.
        type: As upstream calls it.
        file: Writes the file, where its bytes are there.
    """

    caption: str
    image_id: str
    type: str = "image_caption"
    file: Callable[[], str | None] = field(default=lambda: None, repr=False, compare=False)

    @property
    def file_path(self) -> str | None:
        """Where its bytes are, or None if there are none; written when first asked for."""
        return self.file()


@dataclass(frozen=True)
class MemoryTurn:
    """One turn of a history.

    Attributes:
        sample_id: Id of the conversation.
        session_id: Id of the session, e.g. ``D3``.
        turn_index: 0-based position in the session.
        role: ``user``, ``assistant``, ``tool`` or ``environment``; people are all ``user``.
        text: What is spoken or done; then, as upstream has it, id and caption of each image, so
            that a memory of texts alone knows of them.
        attachments: What is shown beside it.
        timestamp: Local time, as exact as it is known: of the turn, the round or the session.
        turn_id: Id of the turn, e.g. ``D3:7.1``.
        round_id: Id of its round, e.g. ``D3:7``, the unit in which retrieval is scored.
        speaker: Name of who speaks.
        spoken: What is spoken or done, and no more.
    """

    sample_id: str
    session_id: str
    turn_index: int
    role: str
    text: str
    attachments: tuple[MemoryAttachment, ...] = ()
    timestamp: str | None = None
    turn_id: str = ""
    round_id: str = ""
    speaker: str = ""
    spoken: str = ""


@dataclass(frozen=True)
class MemorySnapshotRecord:
    """One thing that a memory holds.

    Attributes:
        memory_id: The memory's own id of it.
        text: What it says.
        session_id: Session that it is from.
        status: As upstream has it; not used.
        source: As upstream has it; not used.
        raw_backend_id: Another id of it.
        raw_backend_type: As upstream has it; not used.
        metadata: As upstream has it; not used.
    """

    memory_id: str
    text: str
    session_id: str
    status: str = "active"
    source: str | None = None
    raw_backend_id: str | None = None
    raw_backend_type: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class MemoryDeltaRecord:
    """One thing that a memory did in a session.

    Attributes:
        session_id: The session.
        op: `add` or `update` of what is written; `keep`, `suppress` and `archive` write nothing.
        text: What was written.
        linked_previous: As upstream has it; not used.
        raw_backend_id: Id of what was written.
        metadata: As upstream has it; not used.
    """

    session_id: str
    op: str
    text: str
    linked_previous: tuple[str, ...] = ()
    raw_backend_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RetrievalItem:
    """One thing that a memory finds.

    Attributes:
        rank: 1 for the best.
        memory_id: The memory's own id of it. One that is the id of a round, turn, image or
            session of the history says where it is from.
        text: What a model is shown of it.
        score: How well it fits; larger is better.
        rounds: Ids of the rounds it is from, if `memory_id` does not say it.
        raw_backend_id: Another id of it.
        image_path: File of an image that it shows, as a turn named it.
    """

    rank: int
    memory_id: str
    text: str
    score: float
    raw_backend_id: str | None = None
    image_path: str | None = None
    rounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class RetrievalRecord:
    """What a memory finds for a question, best first."""

    query: str
    top_k: int
    items: Sequence[RetrievalItem]
    raw_trace: dict[str, Any] = field(default_factory=dict)


class MemorySystem(Protocol):
    """A memory under evaluation: it is given a history turn by turn, and asked for what it knows.

    It may have a `name`; else its class names it. One that also has the methods of `ShowingMemory`
    is scored on what it writes and keeps.
    """

    def reset(self) -> None:
        """Forget everything: another history begins."""
        ...

    def ingest_turn(self, turn: MemoryTurn) -> None:
        """Take in a turn, in the order of time."""
        ...

    def end_session(self, session_id: str) -> None:
        """Take note that a session is over; questions are asked between sessions."""
        ...

    def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
        """What it finds for a question, at most `top_k` items."""
        ...


class ShowingMemory(MemorySystem, Protocol):
    """A memory that shows what it holds: all seven methods of upstream's adapters."""

    def snapshot_memories(self) -> Sequence[MemorySnapshotRecord]:
        """Everything that it holds now."""
        ...

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryDeltaRecord]:
        """What it wrote in a session that has just ended."""
        ...

    def get_capabilities(self) -> Mapping[str, Any]:
        """What it is; `available: False` ends the evaluation before it begins."""
        ...

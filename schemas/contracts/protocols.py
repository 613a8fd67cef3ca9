"""What the parts of memassay promise each other."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from pydantic import JsonValue

from memassay.schemas.base import Record
from memassay.schemas.contracts.authors import Response, Task
from memassay.schemas.contracts.blobs import BlobStore as BlobStore
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.origins import Origins
from memassay.schemas.contracts.rules import Rule as Rule
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.errors import AuthorError
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.layouts import Arrangement, Written
from memassay.schemas.judgements.layouts import Lost as Lost
from memassay.schemas.judgements.layouts import Unfit as Unfit
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.keyed_random import KeyedRandom

if TYPE_CHECKING:
    from PIL.Image import Image


class Scope(StrEnum):
    """What one unit of a stage works on."""

    SOURCE = "source"
    CONVERSATION = "conversation"
    COLLECTION = "collection"


class StageContext(Protocol):
    """What a stage may use beside its input records."""

    @property
    def shard(self) -> str:
        """What this unit works on: a source or conversation id, or `*` for the collection."""
        ...

    @property
    def blobs(self) -> BlobStore:
        """The bytes of assets."""
        ...

    @property
    def depends(self) -> JsonValue:
        """What a gathering stage said that this unit depends on; None in any other stage."""
        ...

    def random(self, *purpose: str) -> KeyedRandom:
        """A generator keyed by seed, stage, shard and purpose; equal keys draw alike."""
        ...

    def write(self, task: Task[Response]) -> Response:
        """What the author of the run writes for a task.

        Raises:
            AuthorError: No valid reply could be had.
        """
        ...

    def write_all(self, tasks: Iterable[Task[Response]]) -> Iterator[Response]:
        """What the author writes for tasks that do not depend on each other, in their order."""
        ...

    def write_each(self, tasks: Iterable[Task[Response]]) -> Iterator[Response | AuthorError]:
        """As `write_all`; of a task for which no valid reply could be had, the error."""
        ...

    def unit(
        self, key: str, inputs: JsonValue, make: Callable[[], Iterable[Record]]
    ) -> list[Record]:
        """The records of a part of this unit, made once for its inputs and then remembered."""
        ...

    def emit(self, finding: Finding) -> None:
        """Report a finding about one of this stage's records."""
        ...


class Stage(Protocol):
    """A step of a path: records in, records out; `run` takes what its scope says.

    Attributes:
        name: Name in the recipe, the store and the findings.
        version: Raised when the same input would give another output.
        scope: What one unit works on.
        reads: Kinds of records it is given; what it does not read cannot make it stale.
        config: What the recipe says to it; part of the key of its units.
    """

    name: str
    version: str
    scope: Scope
    reads: frozenset[str]
    config: dict[str, Any]


class ShardStage(Stage, Protocol):
    """A stage that works on one source or conversation at a time."""

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """Make the stage's records from its input records; a source has none."""
        ...


class CollectionStage(Stage, Protocol):
    """A stage that works on all conversations at once: its scope is the collection."""

    def run(self, collection: Collection, context: StageContext) -> Iterable[Record]:
        """Make the stage's records from those of all conversations."""
        ...


class SourceStage(ShardStage, Protocol):
    """A stage that reads files: its shards are known before it runs."""

    def shards(self) -> dict[str, list[str]]:
        """By shard, the hashes of everything its reading depends on."""
        ...


@dataclass(frozen=True)
class Group:
    """What one unit of a gathering stage is given, and what its work depends on.

    Attributes:
        sources: Ids of the conversations whose records it is given, beside those of its own id.
        depends: All that it uses of them; what else they say cannot make it stale.
    """

    sources: frozenset[str]
    depends: JsonValue


@runtime_checkable
class GatheringStage(ShardStage, Protocol):
    """A stage that makes conversations of parts of others, each a unit of its own.

    Conversations that came before it end with it, unless they stay: what goes on is what it made.
    """

    def stays(self, conversation: str) -> bool:
        """Whether a conversation is made into nothing else and goes on as it is."""
        ...

    def groups(self, collection: Collection) -> Mapping[str, Group]:
        """By id of a conversation that it makes, what it is made of."""
        ...


@runtime_checkable
class WritingStage(Stage, Protocol):
    """A stage that writes files outside the workspace's store, which somebody may have deleted.

    The bytes of assets are the store's own: whether they are there is asked of every stage.

    Attributes:
        writes: Kinds of those of its records that files belong to.
    """

    writes: frozenset[str]

    def is_written(self, made: Sequence[Record]) -> bool:
        """Whether the files that belong to its records of these kinds are still there."""
        ...


@runtime_checkable
class RepairingStage(ShardStage, Protocol):
    """A stage that can repair flagged parts of its records (M3Exam §2.2, self-check and repair).

    A part is the least that can be mended by itself: an event with its facts, a round with its
    mentions. It is named like a record: `alex/E012`, `alex/D3_7`.
    """

    def parts(self, made: Sequence[Record]) -> Mapping[str, str]:
        """Content hash of every part of the records it made, by name; together they are all."""
        ...

    def part_of(self, finding: Finding, made: Sequence[Record]) -> str | None:
        """The part a finding is about; None if it is about none of this stage's."""
        ...

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """What it made of its input, flagged parts made again and all others as they were.

        Attempts count from 1; each must draw afresh.
        """
        ...


@dataclass(frozen=True)
class Source:
    """One conversation's worth of a foreign data set, found but not yet read.

    Attributes:
        id: Conversation id it will get.
        path: File that holds the conversation.
        position: 0-based position in the file, for files that hold several.
        files: Every file its reading depends on, the conversation's own first.
        span: First byte in the file and the byte after the last, for files that hold several.
        base: Keys and numbers that lead to it from the top of its JSON document.
        line: 1-based line of its document, where the file is JSON Lines.
    """

    id: str
    path: Path
    position: int
    files: tuple[Path, ...]
    span: tuple[int, int] = (0, 0)
    base: tuple[str | int, ...] = ()
    line: int | None = None


@dataclass(frozen=True)
class Imported:
    """What reading one source gave.

    Attributes:
        bundle: The records; None when not even a conversation could be made.
        findings: Every defect seen while reading.
        held_out: Raw parts of which no record could be made, each with its reasons.
        origins: Where everything was in its file.
    """

    bundle: Bundle | None
    findings: tuple[Finding, ...] = ()
    held_out: tuple[HeldOut, ...] = ()
    origins: Origins = field(default_factory=Origins)

    def records(self) -> list[Record]:
        """The records and the held-out parts."""
        return [*(self.bundle.records() if self.bundle else ()), *self.held_out]


@runtime_checkable
class ImportFormat(Protocol):
    """A foreign on-disk layout that can be read.

    Attributes:
        name: Name on the command line, e.g. `mem-gallery`.
        rules: The defects its import can find.
    """

    name: str
    rules: RuleRegistry

    def sources(self, path: Path) -> list[Source]:
        """The conversations of a file or folder, in natural order of their ids.

        Raises:
            SourceError: The path does not exist or holds nothing of this format.
        """
        ...

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One conversation as records; every defect is a finding, nothing is dropped.

        Raises:
            SourceError: The file cannot be read as this format at all.
        """
        ...


@runtime_checkable
class ForeignFormat(ImportFormat, Protocol):
    """A foreign on-disk layout: its import and its export in one place."""

    def write(self, bundle: Bundle) -> Written:
        """A conversation in this layout, and what of it did not fit."""
        ...

    def arrange(self, conversations: Sequence[str]) -> Arrangement:
        """Where conversations lie, by their ids in natural order."""
        ...


@runtime_checkable
class StrictFormat(ForeignFormat, Protocol):
    """A foreign layout that knows how its own code upstream reads it, traps included.

    Attributes:
        version: Raised when `export` or `unanswerable` would give another layout of one release.
            Version 1 is what `write` gives, every question in it.
    """

    version: int

    def export(self, bundle: Bundle) -> Written:
        """As `write`, in the forms that upstream's code demands, whatever the records came from."""
        ...

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that upstream's code cannot read or answer in the files as they are.

        Args:
            bundle: What was exported.
            folder: Where it was written to, alone.

        Returns:
            At most one entry a question, each with its reason, type and fix.
        """
        ...


Metric: TypeAlias = Callable[[QAItem, str], float | None]
"""Scores an answer to a question from 0 to 1; None where it cannot score that question."""


@runtime_checkable
class ScoredFormat(ForeignFormat, Protocol):
    """A foreign layout whose own code upstream scores answers in a way of its own.

    Attributes:
        metrics: By name, what that code reports.
    """

    metrics: Mapping[str, Metric]


class ReleaseReader(Protocol):
    """A release as an evaluator reads it."""

    manifest: Manifest

    @property
    def blobs(self) -> BlobStore:
        """The bytes of its assets."""
        ...

    def bundles(self, tables: Sequence[str] = ...) -> Iterator[Bundle]:
        """Conversations in natural order of their ids, each with all that belongs to it.

        Args:
            tables: Tables of records that are read, by default all.
        """
        ...

    def image(self, asset: str) -> "Image":
        """The pixels of a present asset.

        Raises:
            BlobError: The asset has no bytes in the release.
        """
        ...

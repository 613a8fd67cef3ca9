"""The pieces in which a release folder is read, each without the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.checking.briefs import AnyBrief
from memassay.exports.release.checking.spill import Block
from memassay.exports.release.parquet_tables import group_sizes
from memassay.exports.release.tallies import Tally
from memassay.schemas.base import Record
from memassay.schemas.errors import ReleaseError
from memassay.schemas.judgements.finding import Finding

_BYTES: Final = 1024 * 1024
"""Rows and files are looked at together up to about this many bytes."""


@dataclass(frozen=True)
class Reading:
    """What whoever reads a piece must know.

    Attributes:
        folder: The release.
        scratch: Where its records go.
        version: Version of all shapes when it was written.
    """

    folder: Path
    scratch: Path
    version: int


@dataclass(frozen=True)
class RowsPiece:
    """Rows of a table of records."""

    config: str
    shard: Path
    group: int
    start: int
    stop: int
    size: int

    @property
    def name(self) -> str:
        """What an error calls it."""
        return f"{self.shard.parent.name}/{self.shard.name}, row group {self.group}"


@dataclass(frozen=True)
class LogPiece:
    """The lines of a log."""

    stem: str
    path: Path
    size: int

    @property
    def name(self) -> str:
        """What an error calls it."""
        return self.path.name


@dataclass(frozen=True)
class OfferedPiece:
    """A shard of a table for `datasets`."""

    shard: Path
    size: int

    @property
    def name(self) -> str:
        """What an error calls it."""
        return f"{self.shard.parent.name}/{self.shard.name}"


@dataclass(frozen=True)
class FilesPiece:
    """Files that hold no records, whose content is hashed, or any files that are searched."""

    paths: tuple[Path, ...]
    searched: bool
    size: int

    @property
    def name(self) -> str:
        """What an error calls it."""
        return self.paths[0].name


Piece = RowsPiece | LogPiece | OfferedPiece | FilesPiece


@dataclass
class Rows:
    """What rows of a table, or lines of a log, hold.

    Attributes:
        findings: What is wrong with them.
        briefs: What is kept of each readable record, by kind, in order.
        kept: Those records that stay in memory.
        blocks: Where the others are.
        tally: What a manifest counts of them.
        ends: Order of the first and of the last one; none if there are none.
        is_sorted: Whether they are in order.
        damaged: Hashes of bytes about which there is a finding.
        error: Why no further piece of the file can be read.
    """

    findings: list[Finding] = field(default_factory=list)
    briefs: list[tuple[str, AnyBrief]] = field(default_factory=list)
    kept: list[Record] = field(default_factory=list)
    blocks: dict[str, Block] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    ends: tuple[Any, Any] | None = None
    is_sorted: bool = True
    damaged: set[str] = field(default_factory=set)
    error: ReleaseError | None = None


@dataclass
class Looked:
    """What files give: by file hashes, or places.

    Attributes:
        texts: Of each file.
        error: Why there are none.
    """

    texts: list[list[str]] = field(default_factory=list)
    error: ReleaseError | None = None


def pieces_of_table(shard: Path, config: str) -> Iterator[RowsPiece]:
    """The pieces of a shard of records.

    Raises:
        ReleaseError: It is not readable as Parquet.
    """
    for group, (rows, size) in enumerate(group_sizes(shard)):
        # Rows with bytes are small objects, however many bytes they have.
        step = rows if config == "assets" else max(1, rows * _BYTES // max(1, size))
        for start in range(0, rows, max(1, step)):
            stop = min(start + step, rows)
            yield RowsPiece(config, shard, group, start, stop, size * (stop - start) // rows)


def pieces_of_files(paths: Sequence[Path], *, searched: bool) -> Iterator[FilesPiece]:
    """Files in their order, a few together.

    Args:
        paths: The files.
        searched: Whether they are searched for secrets; else their content is hashed.
    """
    own: list[Path] = []
    size = 0
    for path in paths:
        own.append(path)
        size += path.stat().st_size
        if size >= _BYTES:
            yield FilesPiece(tuple(own), searched, size)
            own, size = [], 0
    if own:
        yield FilesPiece(tuple(own), searched, size)

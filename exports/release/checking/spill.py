"""The readable records of a release by conversation, on the disk until they are asked for."""

import pickle
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple, overload
from weakref import finalize

from memassay.schemas.base import Record
from memassay.schemas.grouping import belongs_to, group_by_conversation
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.kinds import DATA_KINDS, KINDS, kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation

_KINDS: Final = [kind for kind in KINDS if kind in DATA_KINDS]
SPILLED: Final = DATA_KINDS | {"certificate"}
"""Kinds of which there are many large records; those of other kinds are kept in memory."""


class Block(NamedTuple):
    """Records of one conversation in one file.

    Attributes:
        file: Name of the file.
        start: Where they begin.
        size: Their bytes.
        has_conversation: Whether the conversation itself is among them.
    """

    file: str
    start: int
    size: int
    has_conversation: bool


def write_blocks(folder: Path, name: str, records: Sequence[Record]) -> dict[str, Block]:
    """Write records to a new file; gives by conversation where they are in it.

    Args:
        folder: Where the file goes.
        name: Its name.
        records: In the order in which they were read.
    """
    owned: dict[str, list[Record]] = {}
    for record in records:
        owned.setdefault(owner_of(record), []).append(record)
    blocks = {}
    with (folder / name).open("wb") as file:
        for owner, own in owned.items():
            told = any(isinstance(record, Conversation) for record in own)
            data = pickle.dumps(own, pickle.HIGHEST_PROTOCOL)
            blocks[owner] = Block(name, file.tell(), len(data), told)
            file.write(data)
    return blocks


def owner_of(record: Record) -> str:
    """Id of the conversation with which a record is looked at; a certificate with its question."""
    if isinstance(record, Certificate):
        return conversation_of(record.item)
    return belongs_to(record)


@dataclass
class Spill:
    """Records on the disk; other processes get a copy of this, and read the same files.

    Attributes:
        folder: Where they are.
        blocks: By conversation, where its records are, in the order in which they were read.
    """

    folder: Path
    blocks: dict[str, list[Block]] = field(default_factory=dict)

    @classmethod
    def temporary(cls) -> "Spill":
        """An empty one, whose folder is gone when nobody has it any more."""
        spill = cls(Path(tempfile.mkdtemp(prefix="memassay-")))
        finalize(spill, shutil.rmtree, spill.folder, ignore_errors=True)
        return spill

    def add(self, blocks: Mapping[str, Block]) -> None:
        """Take the blocks of one more file."""
        for owner, block in blocks.items():
            self.blocks.setdefault(owner, []).append(block)

    @cached_property
    def owners(self) -> list[str]:
        """Ids that records belong to, in natural order; that of some may be of no conversation."""
        return sorted(self.blocks, key=natural_key)

    def records(self, owner: str) -> Iterator[Record]:
        """The records that belong to one conversation, in the order in which they were read."""
        for block in self.blocks.get(owner, ()):
            with (self.folder / block.file).open("rb") as file:
                file.seek(block.start)
                yield from pickle.load(file)

    def has_conversation(self, owner: str) -> bool:
        """Whether the conversation that records belong to can be read."""
        return any(block.has_conversation for block in self.blocks.get(owner, ()))

    def size(self, owner: str) -> int:
        """How many bytes there are of a conversation."""
        return sum(block.size for block in self.blocks.get(owner, ()))

    def bundle(self, owner: str) -> Bundle:
        """A conversation with all that belongs to it; of two of one id, the first."""
        by_kind: dict[str, list[Record]] = {kind: [] for kind in _KINDS}
        for record in self.records(owner):
            if kind_of(record) in DATA_KINDS:
                by_kind[kind_of(record)].append(record)
        (group,) = group_by_conversation(one for own in by_kind.values() for one in own).values()
        first = next(record for record in group if isinstance(record, Conversation))
        rest = [record for record in group if not isinstance(record, Conversation)]
        return Bundle.from_records([first, *rest])


class SpilledBundles(Sequence[Bundle]):
    """The conversations of a release in natural order of their ids, one in memory at a time."""

    def __init__(self, spill: Spill) -> None:
        """Take where they are."""
        self.spill = spill
        self.ids = [owner for owner in spill.owners if spill.has_conversation(owner)]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Bundle]:
        return map(self.spill.bundle, self.ids)

    @overload
    def __getitem__(self, at: int) -> Bundle: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Bundle]: ...
    def __getitem__(self, at: int | slice) -> Bundle | Sequence[Bundle]:
        if isinstance(at, slice):
            return [self.spill.bundle(owner) for owner in self.ids[at]]
        return self.spill.bundle(self.ids[at])


class SpilledRecords(Sequence[Record]):
    """The records of one kind, conversation by conversation."""

    def __init__(self, spill: Spill, kind: str, number: int) -> None:
        """Take where they are, and how many there are."""
        self.spill, self.kind, self.number = spill, kind, number

    def __len__(self) -> int:
        return self.number

    def __iter__(self) -> Iterator[Record]:
        for owner in self.spill.owners:
            yield from (one for one in self.spill.records(owner) if kind_of(one) == self.kind)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Record]: ...
    def __getitem__(self, at: int | slice) -> Record | Sequence[Record]:
        return list(self)[at]


def records_of(records: Sequence[Record], owner: str) -> list[Record]:
    """Those of some records of one kind that are looked at with a conversation."""
    if isinstance(records, SpilledRecords):
        own = records.spill.records(owner)
        return [one for one in own if kind_of(one) == records.kind]
    return [one for one in records if owner_of(one) == owner]


def ids_of(bundles: Sequence[Bundle]) -> list[str]:
    """Ids of conversations, in their order; none is read for it where they are on the disk."""
    if isinstance(bundles, SpilledBundles):
        return bundles.ids
    return [bundle.id for bundle in bundles]


def bundle_of(bundles: Sequence[Bundle], owner: str) -> Bundle | None:
    """A conversation by its id; None if there is none."""
    if isinstance(bundles, SpilledBundles):
        spill = bundles.spill
        return spill.bundle(owner) if spill.has_conversation(owner) else None
    return next((bundle for bundle in bundles if bundle.id == owner), None)

"""Collections of records: of the store, read as they are asked for, or of those in memory."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from memassay.flows.store.records import Store
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Header
from memassay.schemas.errors import CodeError, RecordError
from memassay.schemas.grouping import belongs_to
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.kinds import DATA_KINDS, KINDS, WORKSPACE_KINDS, kind_of
from memassay.schemas.records.bundle import Bundle

ALL_KINDS: Final = frozenset({*KINDS, *WORKSPACE_KINDS})
"""Kinds of records in a workspace."""


def in_order(headers: Iterable[Header]) -> list[Header]:
    """Headers in natural order of their ids; those of one id by kind."""
    return sorted(headers, key=lambda header: (natural_key(header.id), header.kind))


class _ByConversation(ABC):
    """Conversations put together of the records that somebody has."""

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of records that may be asked for."""
        return ALL_KINDS

    @property
    @abstractmethod
    def conversations(self) -> Iterator[str]:
        """Ids of the conversations, in natural order."""

    @abstractmethod
    def of(self, *kinds: str, conversation: str | None = None) -> Iterator[Record]:
        """Records in natural order of their ids."""

    def bundles(self, *kinds: str) -> Iterator[Bundle]:
        """Conversations with the data that belongs to them, in natural order of their ids."""
        for name in self.conversations:
            yield self.bundle(name, *kinds)

    def bundle(self, conversation: str, *kinds: str) -> Bundle:
        """One conversation, as `bundles` gives it.

        Raises:
            RecordError: There is no such conversation.
        """
        beside = {"conversation", *kinds} if kinds else DATA_KINDS & self.kinds
        records = list(self.of(*beside, conversation=conversation))
        if not records:
            raise _missing(conversation)
        return Bundle.from_records(records)


class StoredCollection(_ByConversation):
    """Records of the store."""

    def __init__(
        self, store: Store, headers: Iterable[Header], reads: frozenset[str] = ALL_KINDS
    ) -> None:
        """Take the headers of all records; a run has them, and no second one is made of any.

        Args:
            store: Where the records are.
            headers: Of all records, `in_order`.
            reads: Kinds that may be asked for: those that a stage says it reads.
        """
        self._store, self._reads = store, reads
        self._headers = list(headers)
        self._shards: dict[str, list[Header]] = {}
        for header in self._headers:
            self._shards.setdefault(header.conversation, []).append(header)

    def headers(self, *kinds: str, conversation: str | None = None) -> Iterator[Header]:
        """Headers of records in natural order of their ids.

        Raises:
            CodeError: The stage does not say that it reads one of these kinds.
        """
        if unread := sorted({*kinds} - self._reads):
            raise CodeError(
                f"collection: expected kinds that the stage reads, got '{unread[0]}'; add it to "
                f"the stage's `reads`, which is {', '.join(sorted(self._reads)) or 'empty'}"
            )
        known = self._headers if conversation is None else self._shards.get(conversation, ())
        return (one for one in known if not kinds or one.kind in kinds)

    def of(self, *kinds: str, conversation: str | None = None) -> Iterator[Record]:
        """The records of which `headers` gives the headers."""
        headers = self.headers(*kinds, conversation=conversation)
        # Records of one conversation follow each other, and are in memory at once.
        for _, own in groupby(headers, key=lambda header: header.conversation):
            yield from self._store.get_all([header.sha256 for header in own])

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of records that may be asked for."""
        return self._reads

    @property
    def conversations(self) -> Iterator[str]:
        """Ids of the conversations, in natural order."""
        return (one.id for one in self.headers("conversation"))


class RecordCollection(_ByConversation):
    """Records that somebody holds."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Take all records."""
        self._records = sorted(records, key=lambda one: (natural_key(one.id), kind_of(one)))
        self._shards: dict[str, list[Record]] = {}
        for one in self._records:
            self._shards.setdefault(belongs_to(one), []).append(one)

    def headers(self, *kinds: str, conversation: str | None = None) -> Iterator[Header]:
        """Headers of records in natural order of their ids."""
        for one in self.of(*kinds, conversation=conversation):
            yield Header(content_hash(one), kind_of(one), one.id, belongs_to(one))

    def of(self, *kinds: str, conversation: str | None = None) -> Iterator[Record]:
        """The records of which `headers` gives the headers."""
        known = self._records if conversation is None else self._shards.get(conversation, ())
        return (one for one in known if not kinds or kind_of(one) in kinds)

    @property
    def conversations(self) -> Iterator[str]:
        """Ids of the conversations, in natural order."""
        return (one.id for one in self.of("conversation"))


def _missing(conversation: str) -> RecordError:
    return RecordError(f"conversation {conversation}: expected in the collection, got none")

"""Collections of records: of the store, read as they are asked for, or of those in memory."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from memassay.flows.store.records import Store
from memassay.schemas.base import Record
from memassay.schemas.contracts.collections import Header
from memassay.schemas.errors import RecordError
from memassay.schemas.grouping import belongs_to, bundles_of
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.bundle import Bundle


def in_order(headers: Iterable[Header]) -> list[Header]:
    """Headers in natural order of their ids; those of one id by kind."""
    return sorted(headers, key=lambda header: (natural_key(header.id), header.kind))


class StoredCollection:
    """Records of the store."""

    def __init__(self, store: Store, hashes: Sequence[str]) -> None:
        """Take the content hashes of all records."""
        self._store = store
        self._headers = in_order(store.headers(hashes))
        self._shards: dict[str, list[Header]] = {}
        for header in self._headers:
            if header.kind in DATA_KINDS:
                self._shards.setdefault(header.conversation, []).append(header)

    def headers(self, *kinds: str) -> Iterator[Header]:
        """Headers of the records of some kinds, or of all, in natural order of their ids."""
        return (one for one in self._headers if not kinds or one.kind in kinds)

    def of(self, *kinds: str) -> Iterator[Record]:
        """The records of some kinds, or of all, in natural order of their ids."""
        # Records of one conversation follow each other, and are in memory at once.
        for _, own in groupby(self.headers(*kinds), key=lambda header: header.conversation):
            yield from self._read(list(own))

    def bundles(self) -> Iterator[Bundle]:
        """Conversations with all data that belongs to them, in natural order of their ids."""
        for name in sorted(self._shards, key=natural_key):
            if any(header.kind == "conversation" for header in self._shards[name]):
                yield self.bundle(name)

    def bundle(self, conversation: str) -> Bundle:
        """One conversation with all data that belongs to it.

        Raises:
            RecordError: There is no such conversation.
        """
        if conversation not in self._shards:
            raise _missing(conversation)
        return Bundle.from_records(self._read(self._shards[conversation]))

    def _read(self, headers: Sequence[Header]) -> list[Record]:
        return self._store.get_all([header.sha256 for header in headers])


class RecordCollection:
    """Records that somebody holds."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Take all records."""
        self._records = sorted(records, key=lambda one: (natural_key(one.id), kind_of(one)))
        self._bundles = {one.id: one for one in bundles_of(self._records)}

    def headers(self, *kinds: str) -> Iterator[Header]:
        """Headers of the records of some kinds, or of all, in natural order of their ids."""
        for one in self.of(*kinds):
            yield Header(content_hash(one), kind_of(one), one.id, belongs_to(one))

    def of(self, *kinds: str) -> Iterator[Record]:
        """The records of some kinds, or of all, in natural order of their ids."""
        return (one for one in self._records if not kinds or kind_of(one) in kinds)

    def bundles(self) -> Iterator[Bundle]:
        """Conversations with all data that belongs to them, in natural order of their ids."""
        return iter(self._bundles.values())

    def bundle(self, conversation: str) -> Bundle:
        """One conversation with all data that belongs to it.

        Raises:
            RecordError: There is no such conversation.
        """
        if conversation not in self._bundles:
            raise _missing(conversation)
        return self._bundles[conversation]


def _missing(conversation: str) -> RecordError:
    return RecordError(f"conversation {conversation}: expected in the collection, got none")

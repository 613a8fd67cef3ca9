"""What a stage is given of a whole collection: records that are read when they are asked for."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from memassay.schemas.base import Record
from memassay.schemas.records.bundle import Bundle


class Header(NamedTuple):
    """What is known of a record without reading it."""

    sha256: str
    kind: str
    id: str
    conversation: str


class Collection(Protocol):
    """All conversations of a data set, to be gone through as often as is needed.

    It reads a record when it comes to it, and keeps none: who wants flat memory keeps none either.
    It has the kinds of records that a stage reads; where a call names kinds, those of them alone.
    """

    def headers(self, *kinds: str, conversation: str | None = None) -> Iterator[Header]:
        """Headers of records in natural order of their ids.

        Args:
            kinds: Of these kinds; none for all.
            conversation: Of this conversation; None for all.
        """
        ...

    def of(self, *kinds: str, conversation: str | None = None) -> Iterator[Record]:
        """The records of which `headers` gives the headers."""
        ...

    def bundles(self, *kinds: str) -> Iterator[Bundle]:
        """Conversations with the data that belongs to them, in natural order of their ids.

        Args:
            kinds: Of data that is read beside the conversation; none for all.
        """
        ...

    def bundle(self, conversation: str, *kinds: str) -> Bundle:
        """One conversation, as `bundles` gives it.

        Raises:
            RecordError: There is no such conversation.
        """
        ...

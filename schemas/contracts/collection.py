"""A whole collection: its records, read when they are asked for, and work on many items."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from memassay.schemas.base import Record
from memassay.schemas.records.bundle import Bundle

_M = TypeVar("_M")
_T = TypeVar("_T")
_R = TypeVar("_R")


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


class Mapper(Protocol):
    """Has the items of some work done."""

    def map(
        self,
        work: Callable[[_M, _T], _R],
        message: _M,
        items: Sequence[_T],
        size_of: Callable[[_T], float] = ...,
        name_of: Callable[[_T], str] = ...,
    ) -> Iterator[_R]:
        """What a function gives for each item, in their order.

        Args:
            work: A function of a module, of the message and an item.
            message: What it needs beside the item.
            items: What to do.
            size_of: How much work an item is.
            name_of: What an error calls an item.

        Raises:
            Exception: What the function raised.
        """
        ...


class InTurn:
    """Does one item after the other, here."""

    def map(
        self,
        work: Callable[[_M, _T], _R],
        message: _M,
        items: Sequence[_T],
        *_how: Callable[[_T], Any],
    ) -> Iterator[_R]:
        """What a function gives for each item, each only when it is asked for."""
        return (work(message, item) for item in items)

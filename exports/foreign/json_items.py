"""The conversations of a JSON file: a list, JSON Lines, an object by id, or one alone."""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from memassay.exports.foreign.json_text import (
    GZIP,
    MAX_BYTES,
    MAX_DEPTH,
    Document,
    Parts,
    Repetition,
    document_of,
    read_json,
    refusing,
    strict_decoder,
    text_pieces,
)
from memassay.schemas.errors import SourceError

Span = tuple[int, int]
"""Where an item of a list is in its file: its first byte, and the byte after its last."""

_NOT_BLANK: Final = re.compile(r"[^ \t\n\r]")
_MARK: Final = "\ufeff"
_NUMBER: Final = 400
"""Longest number that is read whole where a piece of the text ends, in characters."""


@dataclass(frozen=True)
class ItemPlace:
    """Where one conversation of several is in its file.

    Attributes:
        span: First byte and the byte after the last; of the unpacked bytes, where it is packed.
        position: 0-based number of the item.
        base: Parts of the JSON Pointer from the top of the document that holds it.
        line: 1-based line, where the file is JSON Lines and each item a document of its own.
        key: Its key, where the file is an object of items by id.
    """

    span: Span
    position: int
    base: Parts
    line: int | None = None
    key: str | None = None

    def name(self, path: Path) -> str:
        """What the item is called, if nothing inside says it: its key, or file and number."""
        return self.key if self.key is not None else f"{stem(path)[:100]}-{self.position + 1}"


def stem(path: Path) -> str:
    """The name of a file without the endings that say how it is written."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def list_items(path: Path, *marks: str) -> Iterator[tuple[Document, ItemPlace]]:
    """The items of a file with their places, one after the other.

    Data sets come as a list, as JSON Lines (one document after the other), as an object of items
    by id, or as one item alone. A place lets `read_item` read one item without the others, so
    that reading all of them costs each byte once more, and the memory of one item.

    Args:
        path: The file, plain or packed by gzip.
        marks: Keys of which every item has one; they tell one item from an object of items.
            Nothing is given of an object that is neither.

    Raises:
        SourceError: As `read_json`.
    """
    scan = _Scan(path)
    opening = scan.skip(0)
    if scan.char(opening) == "[":
        yield from scan.read_list(opening + 1)
        return
    if scan.char(opening) != "{":
        return
    first = scan.next(opening, MAX_DEPTH)
    if scan.char(scan.skip(first.end)):
        yield from _Scan(path).read_lines(opening)
    elif not first.document.value.keys().isdisjoint(marks):
        yield first.document, ItemPlace(first.span, 0, ())
    elif first.document.value and all(
        isinstance(each, dict) and not each.keys().isdisjoint(marks)
        for each in first.document.value.values()
    ):
        yield from _Scan(path).read_object(opening + 1)


class _Item(NamedTuple):
    document: Document
    span: Span
    line: int
    end: int


class _Scan:
    """Decodes one value after the other, and counts their bytes and lines.

    A place is a number of characters from the beginning of the file; places only grow. Of the text
    only the part that is read is kept, so that a file may be larger than the memory.
    """

    def __init__(self, path: Path) -> None:
        """Start at the beginning of a file."""
        self.path, self._pieces, self._decoder = path, text_pieces(path), strict_decoder()
        self._text, self._start, self._first_line = next(self._pieces, ""), 0, 1
        self._counted, self._byte, self._line = 0, 0, 1
        if self._text.startswith(_MARK):
            self._count(1)
            self._text, self._start = self._text[1:], 1

    def _count(self, place: int) -> None:
        """Count bytes and lines up to a place."""
        passed = self._text[self._counted - self._start : place - self._start]
        self._byte += len(passed.encode())
        self._line += passed.count("\n")
        self._counted = place

    def _more(self, keep: int) -> bool:
        """Read another piece, and drop what is before a place; whether there was one."""
        piece = next(self._pieces, "")
        if not piece:
            return False
        self._count(keep)
        self._text, self._start = self._text[keep - self._start :] + piece, keep
        self._first_line = self._line
        if len(self._text) > MAX_BYTES:
            raise SourceError(
                f"{self.path}: expected items of at most {MAX_BYTES // 2**20} MiB, got a longer "
                "one; split it"
            )
        return True

    def char(self, place: int) -> str:
        """The character at a place; nothing at the end."""
        return self._text[place - self._start : place - self._start + 1]

    def skip(self, place: int) -> int:
        """The first place from this one on that is not blank, or the end."""
        place = max(place, self._start)
        while (found := _NOT_BLANK.search(self._text, place - self._start)) is None:
            if not self._more(place):
                return len(self._text) + self._start
        return found.start() + self._start

    def next(self, start: int, depth: int) -> _Item:
        """The value at a place of the text."""
        value, end = self._decode(start)
        self._count(start)
        first, line = self._byte, self._line
        self._count(end)
        text = self._text[start - self._start : end - self._start]
        document = document_of(self.path, value, text, depth)
        return _Item(document, (first, self._byte), line, end)

    def _decode(self, start: int) -> tuple[Any, int]:
        """A value and the place behind it, from as much of the file as it needs."""
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, start - self._start)
            except json.JSONDecodeError as error:
                if self._more(start):
                    continue
                error.lineno += self._first_line - 1
                with refusing(self.path, self._text):
                    raise
            except (RecursionError, ValueError):
                with refusing(self.path, self._text, self._first_line):
                    raise
            # A number may go on in the next piece.
            whole = isinstance(value, dict | list | str) or end + _NUMBER < len(self._text)
            if whole or not self._more(start):
                return value, end + self._start

    def read_list(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The items of a list whose first begins here."""
        start, position = self.skip(start), 0
        closed = self.char(start) == "]"
        start += closed
        while not closed:
            item = self.next(start, MAX_DEPTH - 1)
            yield item.document, ItemPlace(item.span, position, (position,))
            start, closed = self._behind(item.end, "]")
            position += 1
        self._finish(start)

    def read_object(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The values of an object whose first key begins here."""
        start, closed, position = self.skip(start), False, 0
        while not closed:
            key, end = self._decode(start)
            colon = self.skip(end)
            if self.char(colon) != ":":
                self._refuse()
            item = self.next(self.skip(colon + 1), MAX_DEPTH - 1)
            yield item.document, ItemPlace(item.span, position, (key,), key=key)
            start, closed = self._behind(item.end, "}")
            position += 1
        self._finish(start)

    def read_lines(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The documents of JSON Lines; lines between them may be blank."""
        position, last = 0, 0
        start = self.skip(start)
        while self.char(start):
            self._count(start)
            if position and self._line == last:
                raise SourceError(
                    f"{self.path}: expected one JSON document a line, got text behind the one on "
                    f"line {last}; write each on a line of its own, or all as a list"
                )
            item = self._next_line(start)
            yield item.document, ItemPlace(item.span, position, (), line=item.line)
            last, position = self._line, position + 1
            start = self.skip(item.end)

    def _next_line(self, start: int) -> _Item:
        """A document of JSON Lines; one that is cut short is called by the line it begins on."""
        try:
            return self.next(start, MAX_DEPTH)
        except SourceError as error:
            if not isinstance(error.__cause__, json.JSONDecodeError):
                raise
            raise SourceError(
                f"{self.path}: expected a JSON document on line {self._line}, got one that is cut "
                f"short or broken: {error.__cause__.msg}; repair that line"
            ) from error

    def _behind(self, end: int, bracket: str) -> tuple[int, bool]:
        """The place behind the comma or bracket that follows an item, and whether it closed."""
        place = self.skip(end)
        found = self.char(place)
        if found not in (",", bracket):
            self._refuse()
        return (place + 1 if found == bracket else self.skip(place + 1)), found == bracket

    def _finish(self, place: int) -> None:
        if self.char(self.skip(place)):
            self._refuse()

    def _refuse(self) -> NoReturn:
        """Name what is wrong between or after the items."""
        with refusing(self.path, self._text):
            self._decoder.decode(self._text)
        raise SourceError(f"{self.path}: expected a JSON list, got text around it; repair the file")


def read_item(path: Path, span: Span) -> Document:
    """Read one item from the place that `list_items` gave.

    Of a packed file all before the item is unpacked again.

    Raises:
        SourceError: No item is there: the file changed since.
    """
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            file.seek(span[0])
            text = file.read(span[1] - span[0]).decode("utf-8")
        value = strict_decoder().decode(text)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise SourceError(
            f"{path}: expected an item of its list from byte {span[0]} to {span[1]}, got none; "
            "the file changed while it was read"
        ) from error
    return document_of(path, value, text, MAX_DEPTH)


def read_sole(path: Path, mark: str) -> tuple[Document, ItemPlace]:
    """The only item of a file, in whatever form; of another file all of it.

    Args:
        path: The file, plain or packed by gzip.
        mark: Key that an item has.

    Raises:
        SourceError: As `read_json`.
    """
    items = list_items(path, mark)
    found, another = next(items, None), next(items, None)
    if found is not None and another is None and isinstance(found[0].value, dict):
        return found
    if another is not None and another[1].line is not None:
        raise SourceError(
            f"{path}: expected one conversation a file of this layout, got JSON Lines of several; "
            "write each into a file of its own"
        )
    return read_json(path), ItemPlace((0, 0), 0, ())


def read_listed(path: Path, mark: str) -> tuple[Document, tuple[int, ...]]:
    """A file that is a list, or JSON Lines read as one.

    Args:
        path: The file, plain or packed by gzip.
        mark: Key that every item of JSON Lines has.

    Returns:
        The list, or whatever else the file holds; of JSON Lines also the line of each item.

    Raises:
        SourceError: As `read_json`.
    """
    first = next(list_items(path, mark), None)
    if first is None or first[1].base:
        return read_json(path), ()
    items = [document for document, _ in list_items(path, mark)]
    repetitions = (
        Repetition((at, *each.parts), each.key, each.dropped)
        for at, item in enumerate(items)
        for each in item.repetitions
    )
    broken = ((at, *parts) for at, item in enumerate(items) for parts in item.broken)
    lines = tuple(place.line or 1 for _, place in list_items(path, mark))
    return Document([item.value for item in items], tuple(repetitions), tuple(broken)), lines


def read_line(path: Path, line: int) -> Any:
    """The value of the document that begins on a line of JSON Lines; None if there is none."""
    found = (item.value for item, place in list_items(path) if place.line == line)
    return next(found, None)

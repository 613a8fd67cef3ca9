"""The conversations of a JSON file: a list, JSON Lines, an object by id, or one alone."""

import codecs
import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from memassay.exports.foreign.json_text import (
    GZIP,
    MAX_DEPTH,
    Document,
    Parts,
    Repetition,
    decoder_for,
    document_of,
    has_mark,
    read_bytes,
    read_json,
    refusing,
)
from memassay.schemas.errors import SourceError
from memassay.schemas.files import decode_text

Span = tuple[int, int]
"""Where an item of a list is in its file: its first byte, and the byte after its last."""

_OPENING: Final = re.compile(r"[ \t\n\r]*([\[{])[ \t\n\r]*")
_GAP: Final = re.compile(r"[ \t\n\r]*([\]},])[ \t\n\r]*")
_COLON: Final = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_BLANK: Final = re.compile(r"[ \t\n\r]+")


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
    data = read_bytes(path)
    scan = _Scan(path, decode_text(path, data), len(codecs.BOM_UTF8) if has_mark(data) else 0)
    del data
    opening = _OPENING.match(scan.text)
    if opening is None:
        return
    if opening[1] == "[":
        yield from scan.read_list(opening.end())
        return
    first = scan.next(opening.start(1), MAX_DEPTH)
    if scan.text[first.end :].strip():
        yield from scan.read_lines(opening.start(1))
    elif not first.document.value.keys().isdisjoint(marks):
        yield first.document, ItemPlace(first.span, 0, ())
    elif first.document.value and all(
        isinstance(each, dict) and not each.keys().isdisjoint(marks)
        for each in first.document.value.values()
    ):
        yield from _Scan(path, scan.text, scan.byte_order_mark).read_object(opening.end())


class _Item(NamedTuple):
    document: Document
    span: Span
    end: int


class _Scan:
    """Decodes one value after the other and counts their bytes."""

    def __init__(self, path: Path, text: str, byte_order_mark: int) -> None:
        """Start at the beginning of a text whose file has a mark of so many bytes before it."""
        self.path, self.text, self.byte_order_mark = path, text, byte_order_mark
        self._decoder = decoder_for(path)
        self._byte, self._counted = byte_order_mark, 0

    def next(self, start: int, depth: int) -> _Item:
        """The value at a place of the text; places only grow, except for the first value."""
        with refusing(self.path):
            value, end = self._decoder.raw_decode(self.text, start)
        if start < self._counted:
            self._byte, self._counted = self.byte_order_mark, 0
        first = self._byte + len(self.text[self._counted : start].encode())
        self._byte, self._counted = first + len(self.text[start:end].encode()), end
        document = document_of(self.path, value, self.text[start:end], depth)
        return _Item(document, (first, self._byte), end)

    def read_list(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The items of a list whose first begins here."""
        closing = _GAP.match(self.text, start) if self.text.startswith("]", start) else None
        position = 0
        while closing is None:
            item = self.next(start, MAX_DEPTH - 1)
            yield item.document, ItemPlace(item.span, position, (position,))
            start, closing = self._behind(item.end, "]")
            position += 1
        self._finish(closing)

    def read_object(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The values of an object whose first key begins here."""
        closing, position = None, 0
        while closing is None:
            with refusing(self.path):
                key, end = self._decoder.raw_decode(self.text, start)
            colon = _COLON.match(self.text, end)
            if colon is None:
                _refuse_list(self.path, self.text)
            item = self.next(colon.end(), MAX_DEPTH - 1)
            yield item.document, ItemPlace(item.span, position, (key,), key=key)
            start, closing = self._behind(item.end, "}")
            position += 1
        self._finish(closing)

    def read_lines(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The documents of JSON Lines; lines between them may be blank."""
        position, line, counted = 0, 1, 0
        while start < len(self.text):
            line, counted = line + self.text.count("\n", counted, start), start
            item = self.next(start, MAX_DEPTH)
            yield item.document, ItemPlace(item.span, position, (), line=line)
            gap = _BLANK.match(self.text, item.end)
            start, position = gap.end() if gap else item.end, position + 1
            if start < len(self.text) and (gap is None or "\n" not in gap[0]):
                raise SourceError(
                    f"{self.path}: expected one JSON document a line, got text behind the one that "
                    f"begins on line {line}; write each on a line of its own, or all as a list"
                )

    def _behind(self, end: int, bracket: str) -> tuple[int, re.Match[str] | None]:
        gap = _GAP.match(self.text, end)
        if gap is None or gap[1] not in {bracket, ","}:
            _refuse_list(self.path, self.text)
        return gap.end(), gap if gap[1] == bracket else None

    def _finish(self, closing: re.Match[str]) -> None:
        if closing.end() < len(self.text):
            _refuse_list(self.path, self.text)


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
        value = decoder_for(path).decode(text)
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


def _refuse_list(path: Path, text: str) -> NoReturn:
    """Name what is wrong between or after the items of a list."""
    with refusing(path):
        decoder_for(path).decode(text)
    raise SourceError(f"{path}: expected a JSON list, got text around it; repair the file")

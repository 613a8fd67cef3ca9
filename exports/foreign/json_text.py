"""Reading and writing the JSON of other people: bounded, strict about encoding, nothing lost."""

import codecs
import gzip
import json
import math
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from memassay.schemas.errors import SourceError

MAX_BYTES: Final = 256 * 2**20
"""Largest file read, in bytes; a larger one is refused by its size alone."""

MAX_DEPTH: Final = 64
"""Deepest nesting of lists and objects accepted."""

Parts = tuple[str | int, ...]
"""A place in a JSON document: the parts of its JSON Pointer."""

Span = tuple[int, int]
"""Where an item of a list is in its file: its first byte, and the byte after its last."""

_BYTE_ORDER_MARKS: Final = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_OPENING: Final = re.compile(r"[ \t\n\r]*([\[{])[ \t\n\r]*")
_GAP: Final = re.compile(r"[ \t\n\r]*([\]},])[ \t\n\r]*")
_COLON: Final = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_BLANK: Final = re.compile(r"[ \t\n\r]+")
_GZIP: Final = b"\x1f\x8b"
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True)
class Repetition:
    """A key that occurs twice in one object; JSON readers keep the last value.

    Attributes:
        parts: Place of the object.
        key: The key.
        dropped: A value that readers drop.
    """

    parts: Parts
    key: str
    dropped: Any

    def below(self, levels: int) -> "Repetition":
        """The same, with its place as seen from inside the document."""
        return Repetition(self.parts[levels:], self.key, self.dropped)


@dataclass(frozen=True)
class Document:
    """A JSON file as read.

    Attributes:
        value: The decoded document; half surrogate pairs are replaced by U+FFFD.
        repetitions: Keys that stand twice in one object.
        broken: Places of texts that held half a surrogate pair.
    """

    value: Any
    repetitions: tuple[Repetition, ...] = ()
    broken: tuple[Parts, ...] = ()


class _Repeated(dict[str, Any]):
    """An object with repeated keys, until the walk has noted what it dropped."""

    dropped: list[tuple[str, Any]]


def read_json(path: Path) -> Document:
    """Read a JSON file.

    Raises:
        SourceError: It cannot be opened, is larger than `MAX_BYTES`, is not UTF-8, is not JSON,
            holds a number that is not finite, or is nested deeper than `MAX_DEPTH`.
    """
    text = _text(path, _bytes(path))
    with _refusing(path):
        value = _decoder(path).decode(text)
    return _document(path, value, text, MAX_DEPTH)


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


def list_items(path: Path, mark: str) -> Iterator[tuple[Document, ItemPlace]]:
    """The items of a file with their places, one after the other.

    Data sets come as a list, as JSON Lines (one document after the other), as an object of items
    by id, or as one item alone. A place lets `read_item` read one item without the others, so
    that reading all of them costs each byte once more, and the memory of one item.

    Args:
        path: The file, plain or packed by gzip.
        mark: Key that every item has; it tells one item from an object of items. Nothing is given
            of an object that is neither.

    Raises:
        SourceError: As `read_json`.
    """
    data = _bytes(path)
    scan = _Scan(path, _text(path, data), len(codecs.BOM_UTF8) if _has_mark(data) else 0)
    del data
    opening = _OPENING.match(scan.text)
    if opening is None:
        return
    if opening[1] == "[":
        yield from scan.listed(opening.end())
        return
    first = scan.next(opening.start(1), MAX_DEPTH)
    if scan.text[first.end :].strip():
        yield from scan.lines(opening.start(1))
    elif mark in first.document.value:
        yield first.document, ItemPlace(first.span, 0, ())
    elif first.document.value and all(
        isinstance(each, dict) and mark in each for each in first.document.value.values()
    ):
        yield from _Scan(path, scan.text, scan.byte_order_mark).keyed(opening.end())


class _Item(NamedTuple):
    document: Document
    span: Span
    end: int


class _Scan:
    """Decodes one value after the other and counts their bytes."""

    def __init__(self, path: Path, text: str, byte_order_mark: int) -> None:
        """Start at the beginning of a text whose file has a mark of so many bytes before it."""
        self.path, self.text, self.byte_order_mark = path, text, byte_order_mark
        self._decoder = _decoder(path)
        self._byte, self._counted = byte_order_mark, 0

    def next(self, start: int, depth: int) -> _Item:
        """The value at a place of the text; places only grow, except for the first value."""
        with _refusing(self.path):
            value, end = self._decoder.raw_decode(self.text, start)
        if start < self._counted:
            self._byte, self._counted = self.byte_order_mark, 0
        first = self._byte + len(self.text[self._counted : start].encode())
        self._byte, self._counted = first + len(self.text[start:end].encode()), end
        document = _document(self.path, value, self.text[start:end], depth)
        return _Item(document, (first, self._byte), end)

    def listed(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The items of a list whose first begins here."""
        closing = _GAP.match(self.text, start) if self.text.startswith("]", start) else None
        position = 0
        while closing is None:
            item = self.next(start, MAX_DEPTH - 1)
            yield item.document, ItemPlace(item.span, position, (position,))
            start, closing = self._behind(item.end, "]")
            position += 1
        self._finish(closing)

    def keyed(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
        """The values of an object whose first key begins here."""
        closing, position = None, 0
        while closing is None:
            with _refusing(self.path):
                key, end = self._decoder.raw_decode(self.text, start)
            colon = _COLON.match(self.text, end)
            if colon is None:
                _refuse_list(self.path, self.text)
            item = self.next(colon.end(), MAX_DEPTH - 1)
            yield item.document, ItemPlace(item.span, position, (key,), key=key)
            start, closing = self._behind(item.end, "}")
            position += 1
        self._finish(closing)

    def lines(self, start: int) -> Iterator[tuple[Document, ItemPlace]]:
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
            packed = file.read(len(_GZIP)) == _GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            file.seek(span[0])
            text = file.read(span[1] - span[0]).decode("utf-8")
        value = _decoder(path).decode(text)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise SourceError(
            f"{path}: expected an item of its list from byte {span[0]} to {span[1]}, got none; "
            "the file changed while it was read"
        ) from error
    return _document(path, value, text, MAX_DEPTH)


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


def read_line(path: Path, line: int) -> Any:
    """The value of the document that begins on a line of JSON Lines; None if there is none."""
    found = (item.value for item, place in list_items(path, "") if place.line == line)
    return next(found, None)


def _refuse_list(path: Path, text: str) -> NoReturn:
    """Name what is wrong between or after the items of a list."""
    with _refusing(path):
        _decoder(path).decode(text)
    raise SourceError(f"{path}: expected a JSON list, got text around it; repair the file")


def _decoder(path: Path) -> json.JSONDecoder:
    finite = _finite(path)
    return json.JSONDecoder(object_pairs_hook=_object, parse_float=finite, parse_constant=finite)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """What the decoder raises, as an error that names the file."""
    try:
        yield
    except json.JSONDecodeError as error:
        raise SourceError(
            f"{path}: expected JSON, got an error at line {error.lineno}, column {error.colno}: "
            f"{error.msg}; repair or replace the file"
        ) from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:
        raise SourceError(f"{path}: expected JSON that can be read, got: {error}") from error


def _document(path: Path, value: Any, text: str, depth: int) -> Document:
    """A decoded text as plain JSON, with what was wrong with it."""
    if _deeper_than(value, depth):
        raise _too_deep(path)
    repetitions: list[Repetition] = []
    broken: list[Parts] = []
    value = _mend(value, (), repetitions, broken, bool(_ESCAPED_SURROGATE.search(text)))
    return Document(value, tuple(repetitions), tuple(broken))


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file: UTF-8, two spaces of indentation, a final newline, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise SourceError(f"{path}: expected a file, got a folder, pipe or device")
        if size > MAX_BYTES:
            raise SourceError(
                f"{path}: expected at most {MAX_BYTES // 2**20} MiB, got {size / 2**20:.0f} MiB; "
                "split the file"
            )
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(
            f"{path}: expected a readable file, got: {error.strerror or error}"
        ) from error
    return _unpacked(path) if data.startswith(_GZIP) else data


def _unpacked(path: Path) -> bytes:
    """The bytes of a file that is packed by gzip, of at most `MAX_BYTES`."""
    try:
        with gzip.open(path) as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path}: expected a whole gzip file, got: {error}") from error
    if len(data) > MAX_BYTES:
        raise SourceError(
            f"{path}: expected at most {MAX_BYTES // 2**20} MiB unpacked, got more; split the file"
        )
    return data


def _has_mark(data: bytes) -> bool:
    return data.startswith(codecs.BOM_UTF8)


def _text(path: Path, data: bytes) -> str:
    for mark, name in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            raise SourceError(f"{path}: expected UTF-8, got {name}; save the file as UTF-8")
    if b"\x00" in data[:4]:
        raise SourceError(
            f"{path}: expected UTF-8, got UTF-16 or UTF-32 without a mark; save the file as UTF-8"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{path}: expected UTF-8, got the byte 0x{data[error.start]:02x} at offset "
            f"{error.start}; save the file as UTF-8"
        ) from error


def _finite(path: Path) -> Any:
    def parse(text: str) -> float:
        number = float(text)
        if not math.isfinite(number):
            _refuse(path, text)
        return number

    return parse


def _refuse(path: Path, number: str) -> NoReturn:
    raise SourceError(f"{path}: expected finite numbers, got {number[:40]}; JSON has no such value")


def _too_deep(path: Path) -> SourceError:
    return SourceError(f"{path}: expected at most {MAX_DEPTH} levels of nesting, got more")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeated = _Repeated(found)
    last = {key: at for at, (key, _) in enumerate(pairs)}
    repeated.dropped = [pair for at, pair in enumerate(pairs) if last[pair[0]] != at]
    return repeated


def _children(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
        if isinstance(value, _Repeated):
            yield from (dropped for _, dropped in value.dropped)
    elif isinstance(value, list):
        yield from value


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        level = [
            child for node in level for child in _children(node) if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _mend(
    value: Any, parts: Parts, repetitions: list[Repetition], broken: list[Parts], escapes: bool
) -> Any:
    """The value as plain dicts, lists and encodable text; what was wrong goes to the lists."""
    if isinstance(value, str):
        if not escapes or not _SURROGATE.search(value):
            return value
        broken.append(parts)
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [
            _mend(child, (*parts, at), repetitions, broken, escapes)
            for at, child in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    mended = {}
    for key, child in value.items():
        name = _mend(key, (*parts, _SURROGATE.sub("\ufffd", key)), [], broken, escapes)
        mended[name] = _mend(child, (*parts, name), repetitions, broken, escapes)
    for key, dropped in value.dropped if isinstance(value, _Repeated) else ():
        name = _SURROGATE.sub("\ufffd", key)
        plain = _mend(dropped, (*parts, name), repetitions, broken, escapes)
        repetitions.append(Repetition(parts, name, plain))
    return mended

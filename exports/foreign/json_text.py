"""Reading and writing the JSON of other people: bounded, strict about encoding, nothing lost."""

import codecs
import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

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
_OPENING: Final = re.compile(r"[ \t\n\r]*\[[ \t\n\r]*")
_GAP: Final = re.compile(r"[ \t\n\r]*([],])[ \t\n\r]*")
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


def list_items(path: Path) -> Iterator[tuple[Document, Span]]:
    """The items of a JSON list with their places, one after the other; none of another file.

    A place lets `read_item` read one item without the others, so that reading all of them costs
    each byte once more, and the memory of one item.

    Raises:
        SourceError: As `read_json`.
    """
    data = _bytes(path)
    text, decoder = _text(path, data), _decoder(path)
    byte = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    del data
    opening = _OPENING.match(text)
    if opening is None:
        return
    start, counted = opening.end(), 0
    closing = _GAP.match(text, start) if text.startswith("]", start) else None
    while closing is None:
        with _refusing(path):
            value, end = decoder.raw_decode(text, start)
        first = byte + len(text[counted:start].encode())
        byte, counted = first + len(text[start:end].encode()), end
        yield _document(path, value, text[start:end], MAX_DEPTH - 1), (first, byte)
        gap = _GAP.match(text, end)
        if gap is None:
            _refuse_list(path, text)
        start, closing = gap.end(), gap if gap[1] == "]" else None
    if closing.end() < len(text):
        _refuse_list(path, text)


def read_item(path: Path, span: Span) -> Document:
    """Read one item of a list from the place that `list_items` gave.

    Raises:
        SourceError: No item is there: the file changed since.
    """
    try:
        with path.open("rb") as file:
            file.seek(span[0])
            text = file.read(span[1] - span[0]).decode("utf-8")
        value = _decoder(path).decode(text)
    except (OSError, ValueError, RecursionError) as error:
        raise SourceError(
            f"{path}: expected an item of its list from byte {span[0]} to {span[1]}, got none; "
            "the file changed while it was read"
        ) from error
    return _document(path, value, text, MAX_DEPTH - 1)


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
        return path.read_bytes()
    except OSError as error:
        raise SourceError(
            f"{path}: expected a readable file, got: {error.strerror or error}"
        ) from error


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

"""Reading and writing the JSON of other people: bounded, strict about encoding, nothing lost."""

import codecs
import gzip
import json
import math
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memassay.schemas import files
from memassay.schemas.errors import SourceError
from memassay.schemas.files import decode_text

MAX_BYTES: Final = files.DATA.most
"""Largest file read, in bytes; a larger one is refused by its size alone."""

MAX_DEPTH: Final = 64
"""Deepest nesting of lists and objects accepted."""

Parts = tuple[str | int, ...]
"""A place in a JSON document: the parts of its JSON Pointer."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
PIECE: Final = 16 * 2**20
"""Bytes of a file that are decoded at once where its items are read one by one."""
GZIP: Final = b"\x1f\x8b"
"""The first bytes of every file that is packed by gzip."""
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
    text = decode_text(path, read_bytes(path))
    with refusing(path, text):
        value = strict_decoder().decode(text)
    return document_of(path, value, text, MAX_DEPTH)


def strict_decoder() -> json.JSONDecoder:
    """A decoder that refuses numbers that are not finite, and notes repeated keys."""
    return json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_finite)


class _NotFinite(ValueError):
    """A number that JSON has not, or that is too large to be one."""


@contextmanager
def refusing(path: Path, text: str, line: int = 1) -> Iterator[None]:
    """What the decoder raises, as an error that names the file and the line.

    Args:
        path: The file.
        text: What is decoded.
        line: Line of the file that it begins on.
    """
    try:
        yield
    except _NotFinite as error:
        number = re.search(rf"(?<![^\s\[,:]){re.escape(str(error))}(?![^\s\],}}])", text)
        at = line + text.count("\n", 0, number.start() if number else 0)
        raise SourceError(
            f"{path}: expected finite numbers, got {str(error)[:40]} on line {at}; JSON has no "
            "such value"
        ) from error
    except json.JSONDecodeError as error:
        raise SourceError(
            f"{path}: expected JSON, got an error at line {error.lineno}, column {error.colno}: "
            f"{error.msg}; repair or replace the file"
        ) from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:
        most = sys.get_int_max_str_digits()
        raise SourceError(
            f"{path}: expected numbers of at most {most} digits, got a longer one; repair the file"
        ) from error


def document_of(path: Path, value: Any, text: str, depth: int) -> Document:
    """A decoded text as plain JSON, with what was wrong with it."""
    if _deeper_than(value, depth):
        raise _too_deep(path)
    repetitions: list[Repetition] = []
    broken: list[Parts] = []
    value = _mend(value, (), repetitions, broken, bool(_ESCAPED_SURROGATE.search(text)))
    return Document(value, tuple(repetitions), tuple(broken))


def read_bytes(path: Path) -> bytes:
    """The bytes of a file of at most `MAX_BYTES`; of a packed one those inside."""
    data = files.read_bytes(path)
    return _unpack(path) if data.startswith(GZIP) else data


def _unpack(path: Path) -> bytes:
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


def text_pieces(path: Path) -> Iterator[str]:
    """The text of a file, plain or packed, piece by piece, with its byte order mark.

    Raises:
        SourceError: It cannot be read, or is no UTF-8.
    """
    decoder, done = codecs.getincrementaldecoder("utf-8")(), 0
    with files.open_file(path, files.DATA) as file:
        packed = file.read(len(GZIP)) == GZIP
        file.seek(0)
        source = gzip.GzipFile(fileobj=file) if packed else file
        while True:
            try:
                data = source.read(PIECE)
            except (OSError, EOFError, zlib.error) as error:
                what = "a whole gzip file" if packed else "a readable file"
                raise SourceError(f"{path}: expected {what}, got: {error}") from error
            if not done:
                files.refuse_other_encodings(path, data)
            begun = len(decoder.getstate()[0])
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                raise files.not_utf8(path, error, done - begun) from error
            done += len(data)
            if text:
                yield text
            if not data:
                return


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _NotFinite(text)
    return number


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

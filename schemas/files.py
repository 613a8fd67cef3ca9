"""Files that people bring: read whole up to a size, or line by line; UTF-8 and nothing else.

All such files are read here, so that no command waits for a pipe or fills the memory.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from memassay.schemas.errors import SourceError

MIB: Final = 2**20

_MARKS: Final = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_OTHER_THAN_FILES: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class FileKind(NamedTuple):
    """A kind of file, for what is read of it and for messages.

    Attributes:
        what: What is expected: `a recipe`.
        most: Largest size, in bytes; of a file of lines that of one line.
        fix: What to do about one that cannot be used.
    """

    what: str
    most: int = 256 * MIB
    fix: str = "check the path"


DATA: Final = FileKind("a file", fix="split the file")
"""Foreign files; also those that are packed, for the bytes inside."""
RECORD_LINES: Final = FileKind("JSON Lines", 64 * MIB, "write one record a line")


def read_bytes(path: Path, kind: FileKind = DATA) -> bytes:
    """The bytes of a file.

    Raises:
        SourceError: It is not there, no plain file (a pipe is not waited for), cannot be read, or
            is larger than its kind may be; the message names it.
    """
    with open_file(path, kind) as file:
        size = os.fstat(file.fileno()).st_size
        # Read as much as there is: room for the largest file is not set aside.
        data = file.read(size + 1) if size <= kind.most else b""
        while data and len(data) <= kind.most and (more := file.read(MIB)):
            data += more
    if max(size, len(data)) > kind.most:
        got = f"{-(-max(size, len(data)) // MIB)} MiB"
        raise SourceError(
            f"{path}: expected {kind.what} of at most {kind.most // MIB} MiB, got {got}; {kind.fix}"
        )
    return data


def read_text(path: Path, kind: FileKind = DATA) -> str:
    """The text of a file, without its byte order mark.

    Raises:
        SourceError: As `read_bytes`; or it is no UTF-8.
    """
    return decode_text(path, read_bytes(path, kind))


def read_lines(path: Path, kind: FileKind = RECORD_LINES) -> Iterator[bytes]:
    """The lines of a file, each with its end, one after the other.

    Raises:
        SourceError: As `read_bytes`, by the size of one line.
    """
    with open_file(path, kind) as file:
        number = 0
        while line := file.readline(kind.most + 1):
            number += 1
            if len(line) > kind.most:
                most = f"{kind.most // MIB} MiB"
                raise SourceError(
                    f"{path}:{number}: expected {kind.what}, got a line longer than {most}; "
                    f"{kind.fix}"
                )
            yield line


def open_file(path: Path, kind: FileKind) -> BinaryIO:
    """A plain file, open for reading.

    Raises:
        SourceError: It is none, or cannot be opened.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            return path.open("rb")
    except FileNotFoundError as error:
        raise SourceError(
            f"{path}: expected {kind.what}, got no such file; check the path"
        ) from error
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise SourceError(f"{path}: expected {kind.what}, got: {said}; {kind.fix}") from error
    got = _OTHER_THAN_FILES.get(stat.S_IFMT(mode), "no file")
    raise SourceError(f"{path}: expected {kind.what}, got {got}; name a plain file")


def decode_text(path: Path, data: bytes) -> str:
    """The text of a file, without its byte order mark.

    Raises:
        SourceError: It is no UTF-8.
    """
    refuse_other_encodings(path, data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_utf8(path, error) from error


def refuse_other_encodings(path: Path, data: bytes) -> None:
    """Refuse a file whose first bytes are those of another encoding.

    Raises:
        SourceError: They are.
    """
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            raise SourceError(f"{path}: expected UTF-8, got {name}; save the file as UTF-8")
    if b"\x00" in data[:4]:
        raise SourceError(
            f"{path}: expected UTF-8, got UTF-16 or UTF-32 without a mark; save the file as UTF-8"
        )


def not_utf8(path: Path, error: UnicodeDecodeError, before: int = 0) -> SourceError:
    """What to say about bytes that are no UTF-8; `before` is where in the file they began."""
    byte = error.object[error.start]
    return SourceError(
        f"{path}: expected UTF-8, got the byte 0x{byte:02x} at offset {before + error.start}; "
        "save the file as UTF-8"
    )

"""Files that people bring are read whole within bounds, and never waited for."""

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from memassay.schemas.errors import SourceError
from memassay.schemas.files import MIB, FileKind, read_bytes, read_lines, read_text

SMALL = FileKind("a note", MIB, "shorten it")
VAST = FileKind("a note", 2**62)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(path))


OTHERS: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a socket": _socket,
    "no such file": lambda _: None,
}


@pytest.mark.parametrize("got", OTHERS)
def test_what_is_no_plain_file_is_named(got: str, tmp_path: Path) -> None:
    """At once: nobody waits for the other end of a pipe, or for the end of a device."""
    path = tmp_path / "note"
    OTHERS[got](path)
    with pytest.raises(SourceError, match=f"^{re.escape(str(path))}: expected a note, got {got};"):
        read_bytes(path, SMALL)


def test_a_file_that_is_too_large_is_named_with_its_size_and_the_limit(tmp_path: Path) -> None:
    """It is not read."""
    path = tmp_path / "note"
    path.touch()
    os.truncate(path, 300 * MIB)
    said = f"^{re.escape(str(path))}: expected a note of at most 1 MiB, got 300 MiB; shorten it$"
    with pytest.raises(SourceError, match=said):
        read_bytes(path, SMALL)


def test_no_memory_is_set_aside_for_the_largest_file(tmp_path: Path) -> None:
    """A limit beyond any memory costs a small file nothing."""
    path = tmp_path / "note"
    path.write_bytes(b"one\ntwo\n")
    assert read_bytes(path, VAST) == b"one\ntwo\n"


def test_a_line_that_is_too_long_is_named_by_its_number(tmp_path: Path) -> None:
    """What comes before it was read."""
    path = tmp_path / "note"
    path.write_bytes(b"one\n" + b"x" * (MIB + 1))
    with pytest.raises(SourceError, match="note:2: expected a note, got a line longer than 1 MiB"):
        list(read_lines(path, SMALL))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_text_is_utf_8(encoding: str, tmp_path: Path) -> None:
    """With or without its mark; another encoding is named, or its first odd byte."""
    path = tmp_path / "note"
    path.write_text("é", encoding="utf-8-sig")
    assert read_text(path, SMALL) == "é"
    path.write_bytes("{é}".encode(encoding))
    with pytest.raises(SourceError, match=r"expected UTF-8, got .*save the file as UTF-8"):
        read_text(path, SMALL)

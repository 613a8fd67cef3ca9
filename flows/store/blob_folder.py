"""Blobs in a folder: bytes by their SHA-256, written durably, verified on every read."""

import os
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from memassay.flows.store.file_locks import clear_unlocked, lock_file
from memassay.schemas.errors import BlobError
from memassay.schemas.hashing import sha256 as sha256_of


def write_durably(path: Path, data: bytes | Iterable[bytes], partial: Path | None = None) -> None:
    """Write a file so that after a crash it is there whole or not at all.

    Args:
        path: The file.
        data: Its bytes, or parts of them as they come.
        partial: Folder for the file while it is written; by default its own.
    """
    for folder in (path.parent, partial or path.parent):
        _make_durably(folder)
    temporary = (partial or path.parent) / f".{path.name}.{uuid.uuid4().hex}.tmp"
    try:
        with lock_file(temporary), temporary.open("wb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _make_durably(folder: Path) -> None:
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_FIX: Final = (
    "run again, or import its source again, and it is made again; `memassay doctor` lists what is "
    "missing"
)


class BlobFolder:
    """A blob store in a folder, two letters of the hash a subfolder."""

    def __init__(self, folder: Path) -> None:
        """Use a folder; it is made when the first blob comes."""
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Store bytes durably and give their SHA-256; storing them again mends what is damaged."""
        digest = sha256_of(data)
        if not self.is_whole(digest):
            write_durably(self.path(digest), data, self._partial)
        return digest

    def is_whole(self, sha256: str) -> bool:
        """Whether the bytes of a hash are there and match it."""
        try:
            return sha256_of(self.path(sha256).read_bytes()) == sha256
        except FileNotFoundError:
            return False

    def clear_leftovers(self) -> None:
        """Delete files that a killed process had begun to write."""
        clear_unlocked(sorted(self._partial.glob(".*.tmp")))

    @property
    def _partial(self) -> Path:
        return self.folder / "partial"

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash, verified.

        Raises:
            BlobError: They are not there, or no longer match their hash.
        """
        try:
            data = self.path(sha256).read_bytes()
        except FileNotFoundError:
            raise BlobError(
                f"blob {sha256}: expected a file in {self.folder}, got none; {_FIX}"
            ) from None
        if sha256_of(data) != sha256:
            raise BlobError(
                f"blob {sha256}: expected bytes of this hash, got {sha256_of(data)} in "
                f"{self.path(sha256)}; {_FIX}"
            )
        return data

    def __contains__(self, sha256: str) -> bool:
        return self.path(sha256).is_file()

    def path(self, sha256: str) -> Path:
        """Where the bytes of a hash are, or would be."""
        return self.folder / sha256[:2] / sha256

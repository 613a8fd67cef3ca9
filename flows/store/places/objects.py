"""Blobs and releases in an object store, at the URL of one that fsspec knows: S3 for example.

An object is written by one request, and is there whole or not at all. A release is there once its
manifest is, which is written last. Credentials are the environment's; none is kept here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.layout import MANIFEST
from memassay.flows.store.folders import new_folder
from memassay.flows.store.places.address import mask_passwords
from memassay.schemas.errors import BlobError, UsageError
from memassay.schemas.hashing import sha256 as sha256_of

_BLOBS: Final = "blobs"
_RELEASES: Final = "releases"
_FIX: Final = "run again, and it is made again; `memassay doctor` lists what is missing"


class ObjectStore:
    """A place for files below a URL; every trouble with it is one error, which names it.

    Attributes:
        url: The URL, as it may be shown.
    """

    def __init__(self, url: str) -> None:
        """Find what speaks the protocol of a URL; nothing is asked of it yet.

        Raises:
            UsageError: Nothing does, or it is not installed.
        """
        # It takes a while, and most workspaces are folders.
        from fsspec.core import url_to_fs

        self.url = mask_passwords(url)
        try:
            # What other machines write meanwhile is seen.
            self._files, self._root = url_to_fs(url, use_listings_cache=False)
        except ImportError as error:
            protocol = url.partition("://")[0]
            fix = f"install memassay[{protocol}]" if protocol == "s3" else "install what it names"
            raise UsageError(f"{self.url}: {error}; {fix}") from error
        except ValueError as error:
            raise UsageError(
                f"{self.url}: expected the URL of an object store such as s3://bucket/prefix, got "
                f"an error: {error}"
            ) from error

    def write(self, name: str, data: bytes) -> None:
        """Write an object whole, in place of one of its name.

        Raises:
            BlobError: The store does not take it.
        """
        with self._asking(name):
            self._files.pipe_file(f"{self._root}/{name}", data)

    def read(self, name: str) -> bytes | None:
        """The bytes of an object; None if there is none.

        Raises:
            BlobError: The store does not give it.
        """
        with self._asking(name):
            try:
                data: bytes = self._files.cat_file(f"{self._root}/{name}")
            except FileNotFoundError:
                return None
            return data

    def sizes(self, name: str) -> dict[str, int]:
        """Size in bytes of every object below a name, by what follows the name.

        Raises:
            BlobError: The store does not answer.
        """
        with self._asking(name):
            try:
                found = self._files.find(f"{self._root}/{name}", detail=True)
            except FileNotFoundError:
                return {}
        start = f"{self._root}/{name}/".lstrip("/")
        entries: dict[str, dict[str, Any]] = found
        return {
            path.lstrip("/").removeprefix(start): int(each["size"])
            for path, each in entries.items()
        }

    @contextmanager
    def _asking(self, name: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            raise BlobError(
                f"{self.url}/{name}: expected an object store that answers, got {text}; see its "
                "address and credentials in the environment, and run again: finished work is kept"
            ) from error


class BlobObjects:
    """A blob store in an object store, two letters of the hash a folder."""

    def __init__(self, store: ObjectStore) -> None:
        """Keep blobs beside the other files of a place."""
        self.store = store

    def put(self, data: bytes) -> str:
        """Store bytes and give their SHA-256; storing them again mends what is damaged."""
        digest = sha256_of(data)
        if not self.is_whole(digest):
            self.store.write(self._name(digest), data)
        return digest

    def is_whole(self, sha256: str) -> bool:
        """Whether the bytes of a hash are there and match it."""
        data = self.store.read(self._name(sha256))
        return data is not None and sha256_of(data) == sha256

    def clear_leftovers(self) -> None:
        """Nothing: what a killed process had begun to write is not there."""

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash, verified.

        Raises:
            BlobError: They are not there, or no longer match their hash.
        """
        data = self.store.read(self._name(sha256))
        if data is None:
            raise BlobError(f"blob {sha256}: expected it in {self.store.url}, got none; {_FIX}")
        if sha256_of(data) != sha256:
            raise BlobError(
                f"blob {sha256}: expected bytes of this hash, got {sha256_of(data)} in "
                f"{self.path(sha256)}; {_FIX}"
            )
        return data

    def __contains__(self, sha256: str) -> bool:
        return self.store.read(self._name(sha256)) is not None

    def path(self, sha256: str) -> str:
        """Where the bytes of a hash are, or would be."""
        return f"{self.store.url}/{self._name(sha256)}"

    def _name(self, sha256: str) -> str:
        return f"{_BLOBS}/{sha256[:2]}/{sha256}"


class SharedReleases:
    """Releases in an object store, where every machine finds them."""

    def __init__(self, store: ObjectStore) -> None:
        """Keep releases beside the blobs of a place."""
        self.store = store

    def put(self, folder: Path) -> str:
        """Write a release there, its manifest last, unless it is there; gives its URL.

        What a killed process wrote of it is kept.

        Raises:
            BlobError: The store does not take it.
        """
        name = f"{_RELEASES}/{folder.name}"
        manifest = (folder / MANIFEST).read_bytes()
        if self.store.read(f"{name}/{MANIFEST}") != manifest:
            there = self.store.sizes(name)
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                part = path.relative_to(folder).as_posix()
                if part != MANIFEST and there.get(part) != path.stat().st_size:
                    self.store.write(f"{name}/{part}", path.read_bytes())
            self.store.write(f"{name}/{MANIFEST}", manifest)
        return f"{self.store.url}/{name}"

    def names(self) -> list[str]:
        """Names of the releases that are there whole.

        Raises:
            BlobError: The store does not answer.
        """
        parts = (part.split("/") for part in self.store.sizes(_RELEASES))
        return sorted(part[0] for part in parts if part[1:] == [MANIFEST])

    def url(self, name: str) -> str:
        """Where a release is."""
        return f"{self.store.url}/{_RELEASES}/{name}"

    def fetch(self, name: str, folder: Path) -> None:
        """Read a release into a folder, which is there whole or not at all.

        Raises:
            BlobError: The store has none of this name, or does not give it.
        """
        parts = self.store.sizes(f"{_RELEASES}/{name}")
        if MANIFEST not in parts:
            raise BlobError(f"{self.url(name)}: expected a release, got none; run its recipe again")
        with new_folder(folder) as filled:
            for part in sorted(parts):
                data = self.store.read(f"{_RELEASES}/{name}/{part}")
                (filled / part).parent.mkdir(parents=True, exist_ok=True)
                (filled / part).write_bytes(data or b"")

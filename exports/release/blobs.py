"""The bytes inside the tables of a release, as a blob store that never changes."""

from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.parquet_tables import (
    group_count,
    offered_shards,
    read_group,
    shards_of,
)
from memassay.exports.release.public.tables import IMAGES
from memassay.exports.release.rows import BLOB_COLUMNS
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import BlobError, ReleaseError
from memassay.schemas.hashing import sha256

_CACHED_GROUPS: Final = 2
_LOST: Final = b"memassay: in place of the lost bytes "


class ReleaseBlobs:
    """The bytes inside the tables `images` and `assets` as a blob store.

    What is shown has its bytes in `images`, all else in `assets`; older releases have all there.

    It keeps the row groups read last, so that reading assets in order costs each group once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._recent: dict[tuple[Path, int], dict[str, bytes]] = {}
        self._unread = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process reads the same folder."""
        return ReleaseBlobs, (self._folder,)

    def put(self, data: bytes) -> str:
        """Give the SHA-256 of bytes that are there already.

        Raises:
            BlobError: They are not; a release never changes.
        """
        digest = sha256(data)
        if digest not in self:
            raise BlobError(f"{self._folder}: expected bytes of the release, a release is closed")
        return digest

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash, verified.

        Raises:
            BlobError: They are not there, or no longer match.
        """
        data = self.bytes_at(sha256)
        if data is None:
            raise BlobError(f"blob {sha256}: expected it in {self._folder}, got none")
        if _digest(data) != sha256:
            raise BlobError(
                f"blob {sha256}: expected bytes of this SHA-256, got {_digest(data)}; "
                "fetch the release again"
            )
        return data

    def bytes_at(self, sha256: str) -> bytes | None:
        """The bytes that are there for a hash, intact or not; None if there are none.

        Raises:
            BlobError: The table that has, or may have, them cannot be read; the message names it.
        """
        if sha256 in self:
            return self._group(*self._places[sha256])[sha256]
        if self._unread:
            raise BlobError(self._unread)
        return None

    def __contains__(self, sha256: object) -> bool:
        """Whether the bytes are there (not whether they are intact)."""
        return sha256 in self._places

    @cached_property
    def _places(self) -> dict[str, tuple[Path, int]]:
        places: dict[str, tuple[Path, int]] = {}
        columns = ("blob_sha256", "availability")
        images = offered_shards(self._folder, IMAGES)
        for shard in [*images, *shards_of(self._folder, "assets")]:
            try:
                groups = [
                    read_group(shard, group, columns=columns) for group in range(group_count(shard))
                ]
            except ReleaseError as error:
                self._unread = str(error)
                continue
            for group, rows in enumerate(groups):
                for row in rows:
                    if row.get("blob_sha256") and row.get("availability") == "present":
                        places.setdefault(row["blob_sha256"], (shard, group))
        return places

    def _group(self, shard: Path, group: int) -> dict[str, bytes]:
        key = (shard, group)
        if key not in self._recent:
            columns = ("blob_sha256", *BLOB_COLUMNS)
            try:
                rows = read_group(shard, group, columns=columns, blobs=True)
            except ReleaseError as error:
                raise BlobError(str(error)) from error
            while len(self._recent) >= _CACHED_GROUPS:
                del self._recent[next(iter(self._recent))]
            self._recent[key] = {row["blob_sha256"]: blob_of_row(row) or b"" for row in rows}
        return self._recent[key]


class MarkedBlobs:
    """The bytes of a release, with a mark in place of those that are missing or damaged."""

    def __init__(self, blobs: BlobStore) -> None:
        self._blobs = blobs

    def put(self, data: bytes) -> str:
        """As the release does, which is closed."""
        return self._blobs.put(data)

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash, or their mark."""
        try:
            return self._blobs.get(sha256)
        except BlobError:
            return _LOST + sha256.encode("ascii")

    def __contains__(self, sha256: str) -> bool:
        """Whether the bytes are there."""
        return sha256 in self._blobs


def is_same(data: bytes, wanted: bytes) -> bool:
    """Whether bytes are the wanted ones, of which a mark may be all that is left."""
    return data == wanted or _digest(data) == digest_of(wanted)


def digest_of(wanted: bytes) -> str:
    """The SHA-256 of bytes, or of those that a mark replaces."""
    lost = wanted.startswith(_LOST)
    return wanted.removeprefix(_LOST).decode("ascii") if lost else _digest(wanted)


def blob_of_row(row: dict[str, Any]) -> bytes | None:
    """The bytes in a row of `images` or `assets`; None when it has none."""
    data: bytes | None = (row.get("image") or {}).get("bytes")
    return row.get("data") if data is None else data


def _digest(data: bytes) -> str:
    return sha256(data)


def release_blobs(path: str | PathLike[str]) -> ReleaseBlobs:
    """The bytes of a release's assets, also of a release that is damaged elsewhere."""
    return ReleaseBlobs(Path(path))

"""Images of foreign data sets: found inside their folder only, measured, stored."""

import base64
import binascii
import os.path
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from memassay.exports.foreign.json_text import MAX_BYTES
from memassay.exports.foreign.reading import Reading, quote_value
from memassay.exports.foreign.rules import (
    IMAGE_CAPTION_ONLY,
    IMAGE_INLINE,
    IMAGE_MISSING,
    IMAGE_OUTSIDE,
    IMAGE_UNREADABLE,
)
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import SourceError
from memassay.schemas.records.asset import Asset, Availability, stored_fields
from memassay.schemas.values.pixels import PixelError, take_in

_LFS_POINTER: Final = b"version https://git-lfs"
_ADDRESSES: Final = ("http://", "https://")


def inside(path: Path, folder: Path) -> Path:
    """A path that was found below a folder, once it is sure that no link leads out of it.

    Raises:
        SourceError: A symbolic link leads out of the folder, or in a circle.
    """
    try:
        target, root = path.resolve(), folder.resolve()
    except (OSError, RuntimeError) as error:
        raise SourceError(f"{path}: expected a file, got a link that leads in a circle") from error
    if not target.is_relative_to(root):
        raise SourceError(
            f"{path}: expected a file inside {folder}, got a link to {target}; "
            "copy the file into the folder"
        )
    return path


def find_inside(folder: Path, relative: str) -> Path | None:
    """The file at a normalised relative path below a folder, or None if there is none.

    Raises:
        SourceError: A symbolic link on the way leads out of the folder.
    """
    path = folder / relative
    try:
        found = path.is_file()
    except (OSError, ValueError):
        return None
    return inside(path, folder) if found or path.is_symlink() else None


def image_place(written: str, *, question: bool) -> str | None:
    """Where a path of a Mem-Gallery file leads, relative to the folder of `dialog` and `image`.

    Paths that do not start with `../image/` lead to the data folder in a dialogue and to its
    image folder in a question, as upstream's run/run_bench.py reads them.

    Returns:
        The normalised path, or None if it leads out of the data folder or is an address.
    """
    if not written or "://" in written or written.startswith("data:"):
        return None
    path = written.replace("\\", "/")
    if path.startswith("../image/"):
        path = path.removeprefix("../")
    elif question:
        path = path if path.startswith("/") else f"image/{path}"
    path = os.path.normpath(path)
    outside = path.startswith("/") or path.split("/")[0] == ".." or "\x00" in path
    return None if outside else path


def place_below(written: str) -> str | None:
    """A path below the folder of its file; None if it leads out, or is an address."""
    parts = written.replace("\\", "/").split("/")
    plain = not written.startswith("/") and ".." not in parts and "\x00" not in written
    return written if written and plain and ":" not in parts[0] else None


@dataclass(frozen=True)
class ImageIntake:
    """Makes asset records of the images of one conversation.

    Attributes:
        reading: Takes the findings.
        blobs: Takes the bytes.
        licence: SPDX identifier of the data set.
    """

    reading: Reading
    blobs: BlobStore
    licence: str

    def asset(self, asset_id: str, uri: str | None, **fields: Any) -> Asset:
        """An asset of this data set; missing unless the fields say otherwise."""
        stated = {"availability": Availability.MISSING, **fields}
        return Asset(id=asset_id, uri=uri, licence=self.licence, origin="import", **stated)

    def from_file(
        self, asset_id: str, uri: str | None, folder: Path, caption: str | None, *, question: bool
    ) -> Asset:
        """The asset of an image file of a Mem-Gallery data folder; what is wrong is a finding.

        Raises:
            SourceError: A symbolic link leads out of the folder.
        """
        place = image_place(uri, question=question) if uri else None
        return self.from_place(asset_id, uri, place, folder, caption)

    def from_place(
        self, asset_id: str, uri: str | None, place: str | None, folder: Path, caption: str | None
    ) -> Asset:
        """The asset of an image at a place below a folder; what is wrong is a finding.

        Args:
            asset_id: Id that it gets.
            uri: What the file says; an address is taken for one.
            place: Where that leads, relative to the folder; None if it leads out of it.
            folder: Folder of the data set.
            caption: What replaces it where it is not there.

        Raises:
            SourceError: A symbolic link leads out of the folder.
        """
        if not uri or uri.startswith(_ADDRESSES):
            return self.from_address(asset_id, uri or "", caption)
        if place is None:
            self.reading.note(
                IMAGE_OUTSIDE,
                asset_id,
                "/uri",
                f"{asset_id}.uri: expected a path inside the data set, got {quote_value(uri)}",
                "Copy the image into the data set's image folder and name it there.",
            )
            return self.asset(asset_id, uri)
        path = find_inside(folder, place)
        try:
            data = _bytes(path) if path is not None else None
        except PixelError as error:
            return self._unreadable(asset_id, uri, error)
        if data is None or data.startswith(_LFS_POINTER):
            return self.missing(asset_id, uri, caption, lfs=data is not None)
        return self._taken_in(asset_id, uri, data)

    def from_address(self, asset_id: str, uri: str, caption: str | None) -> Asset:
        """The asset of an image at an address; a `data:` address holds the image itself."""
        if uri.startswith(_ADDRESSES):
            return self.asset(asset_id, uri, availability=Availability.REMOTE)
        if not uri.startswith("data:"):
            return self.missing(asset_id, uri, caption)
        self.reading.note(
            IMAGE_INLINE,
            asset_id,
            "/uri",
            f"{asset_id}.uri: expected an address, got the image itself",
            "Nothing; the image was taken from the file.",
        )
        try:
            return self._taken_in(asset_id, uri, _inline_bytes(uri))
        except PixelError as error:
            return self._unreadable(asset_id, uri, error)

    def missing(
        self, asset_id: str, uri: str | None, caption: str | None, *, lfs: bool = False
    ) -> Asset:
        """The asset of an image that is not there; an error unless a caption is used instead."""
        got = "a Git LFS pointer" if lfs else "none"
        self.reading.note(
            IMAGE_CAPTION_ONLY if caption else IMAGE_MISSING,
            asset_id,
            "/availability",
            f"{asset_id}.uri: expected an image{f' at {quote_value(uri)}' if uri else ''}, "
            f"got {got}" + (", its caption is in its place" if caption else " and no caption"),
            "Fetch it with `git lfs pull`." if lfs else "Put the image in its place.",
        )
        return self.asset(asset_id, uri or None)

    def _taken_in(self, asset_id: str, uri: str | None, data: bytes) -> Asset:
        try:
            picture = take_in(data)
        except PixelError as error:
            return self._unreadable(asset_id, uri, error)
        return self.asset(
            asset_id,
            uri,
            **stored_fields(picture, self.blobs.put(picture.data)),
        )

    def _unreadable(self, asset_id: str, uri: str | None, error: PixelError) -> Asset:
        self.reading.note(
            IMAGE_UNREADABLE,
            asset_id,
            "/uri",
            f"{asset_id}.uri: {error} ({quote_value(uri or '')})",
            "Replace the file by the whole image.",
        )
        return self.asset(asset_id, uri)


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PixelError(f"expected at most {MAX_BYTES // 2**20} MiB, got a larger file")
        return path.read_bytes()
    except OSError as error:
        raise PixelError(f"expected a readable file, got: {error.strerror or error}") from error


def _inline_bytes(uri: str) -> bytes:
    head, comma, body = uri.partition(",")
    if not comma:
        raise PixelError("expected a data: address with a comma, got one without")
    data = unquote_to_bytes(body)
    if not head.endswith(";base64"):
        return data
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise PixelError(f"expected base64, got text that is none: {error}") from error

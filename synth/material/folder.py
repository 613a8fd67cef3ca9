"""The files of a user's folder: which are taken in, which are not, and why not."""

import os
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash, file_sha256
from memassay.schemas.ids import natural_key
from memassay.synth.material.rules import (
    OUTSIDE_FOLDER,
    TOO_LARGE,
    UNKNOWN_TYPE,
    UNREADABLE,
    RefusedError,
)

MAX_BYTES: Final = 100_000_000
"""Largest file taken in, in bytes (our choice); a larger one is not even read."""
IMAGES: Final = frozenset(
    {".bmp", ".gif", ".jpeg", ".jpg", ".mpo", ".png", ".tif", ".tiff", ".webp"}
)
SIDECARS: Final = (".json", ".txt")
_DOCUMENTS: Final = frozenset({".pdf"})

Kind = Literal["image", "document", "sidecar", "refused"]


@dataclass(frozen=True)
class MaterialFile:
    """One file of the folder.

    Attributes:
        name: Its path in the folder, parts joined by `/`, fit to be shown.
        path: Where it is.
        kind: What it is taken for, by the end of its name.
        refused: Why it is not taken in; None for the others.
    """

    name: str
    path: Path
    kind: Kind
    refused: RefusedError | None = None

    def state(self) -> str:
        """A hash of all that taking it in depends on; refused files are not read."""
        why = [] if self.refused is None else [self.refused.rule.id, self.refused.said]
        try:
            digest = "" if why else file_sha256(self.path)
        except OSError:
            digest = "unreadable"
        return content_hash([self.name, self.kind, digest, *why])

    def read(self) -> bytes:
        """Its bytes.

        Raises:
            RefusedError: It cannot be read, or is empty.
        """
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise _unreadable(error) from error
        if not data:
            raise RefusedError(UNREADABLE, "expected bytes, got an empty file", "Copy it again.")
        return data


def files_of(folder: Path) -> list[MaterialFile]:
    """Every file below a folder, in natural order of their names.

    Raises:
        UsageError: There is no such folder, or nothing is in it.
    """
    if not folder.is_dir():
        raise UsageError(f"material.folder: expected a folder, got {folder}; it does not exist")
    found = sorted(_walk(folder), key=lambda file: natural_key(file.name))
    if not found:
        raise UsageError(f"material.folder: expected images or PDFs, got nothing in {folder}")
    return found


def _walk(root: Path) -> Iterator[MaterialFile]:
    unread: list[OSError] = []
    for place, folders, names in os.walk(root, onerror=unread.append):
        here = Path(place)
        for name in list(folders):
            if name.startswith(".") or (here / name).is_symlink():
                folders.remove(name)
                yield _refusal(root, here / name, _folder_problem(name))
        for name in names:
            yield _file(root, here / name)
    for error in unread:
        yield _refusal(root, Path(error.filename), _unreadable(error))


def _folder_problem(name: str) -> RefusedError:
    if name.startswith("."):
        return _hidden_file("folder")
    said = "expected a folder of its own, got a link to one"
    return RefusedError(OUTSIDE_FOLDER, said, "Copy the folder itself to here.")


def _file(root: Path, path: Path) -> MaterialFile:
    try:
        problem = _problem(root, path)
    except OSError as error:
        problem = _unreadable(error)
    if problem is not None:
        return _refusal(root, path, problem)
    suffix = path.suffix.lower()
    kind: Kind = "image" if suffix in IMAGES else "document"
    if suffix in SIDECARS:
        kind = "sidecar"
    return MaterialFile(_name_of(root, path), path, kind)


def _problem(root: Path, path: Path) -> RefusedError | None:
    """Why a file is not taken in, as far as its name and place say."""
    if path.name.startswith("."):
        return _hidden_file("file")
    if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
        said = "expected a file of the folder, got a link that leaves it"
        return RefusedError(OUTSIDE_FOLDER, said, "Copy the file itself to here.")
    if not path.is_file():
        said = "expected a file, got something else or a link to nothing"
        return RefusedError(UNREADABLE, said, "Remove it, or copy the file to here.")
    suffix = path.suffix.lower()
    if suffix not in IMAGES | _DOCUMENTS | set(SIDECARS):
        said = f"expected an image ({', '.join(sorted(IMAGES))}) or a PDF, got '{suffix}'"
        return RefusedError(UNKNOWN_TYPE, said, "Convert it to JPEG, PNG or PDF, or remove it.")
    size = path.stat().st_size
    if size > MAX_BYTES:
        said = f"expected at most {MAX_BYTES} bytes, got {size}"
        return RefusedError(TOO_LARGE, said, "Save it smaller.")
    return None


def _hidden_file(what: str) -> RefusedError:
    said = f"expected an image or a PDF, got a hidden {what}"
    return RefusedError(UNKNOWN_TYPE, said, "Rename it without the leading dot, or remove it.")


def _unreadable(error: OSError) -> RefusedError:
    said = f"expected a file that can be read, got '{error.strerror}'"
    return RefusedError(UNREADABLE, said, "Allow reading it, or remove it.")


def _refusal(root: Path, path: Path, problem: RefusedError) -> MaterialFile:
    return MaterialFile(_name_of(root, path), path, "refused", problem)


def _name_of(root: Path, path: Path) -> str:
    """The name of a file in the folder, composed, with bytes that are no UTF-8 spelled out."""
    relative = path.relative_to(root).as_posix()
    return unicodedata.normalize("NFC", os.fsencode(relative).decode("utf-8", "backslashreplace"))

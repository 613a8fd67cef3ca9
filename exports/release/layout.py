"""Names and places in a release folder, what its hashes cover, and whether it still fits them."""

import dataclasses
import glob
import logging
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from memassay.exports.release.text_lines import NestedError, portable_json, strict_json
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import ForeignFormat, StrictFormat, Unfit
from memassay.schemas.errors import (
    MemassayError,
    MigrationError,
    RecordError,
    ReleaseError,
    UsageError,
)
from memassay.schemas.files import MIB, FileKind, read_bytes
from memassay.schemas.hashing import combined_hash, content_hash, file_sha256, sha256
from memassay.schemas.ids import natural_key
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.kinds import SCHEMA_VERSION, version_of
from memassay.schemas.values.pixels import PixelError, measure

MANIFEST: Final = "manifest.json"
CARD: Final = "README.md"
FORMATS: Final = "formats"
UNFIT: Final = "unfit.json"
HUB_FILE: Final = ".gitattributes"
"""What each repository of the Hugging Face Hub starts with; it says which files are LFS objects."""
_HUB_FOLDERS: Final = (".git/", ".cache/huggingface/")
LAYOUTS: Final = "layouts"
"""Field of a manifest's recipe: by layout, the version in which it was written."""
LOGS: Final = {
    "concepts": "concept",
    "findings": "finding",
    "certificates": "certificate",
    "held_out": "held_out",
    "provenance": "provenance",
    "decisions": "decision",
    "repairs": "repair",
    "flaws": "flaw",
    "bank": "bank",
    "clusters": "cluster",
    "alterations": "alteration",
    "errata": "erratum",
}
"""Kind of record by the stem of the JSON Lines file that holds it."""
OCCASIONAL_LOGS: Final = frozenset(
    {"concepts", "decisions", "repairs", "flaws", "bank", "clusters", "alterations", "errata"}
)
"""Stems of the files that a release has only if there is something to say."""

CARD_FILE: Final = FileKind("the card of a release", 16 * MIB, "fetch the release again")
_MANIFEST_FILE: Final = FileKind("a manifest", 32 * MIB, "fetch the release again")
"""One of 32 MiB lists some 100,000 files (our choice)."""
RELEASE_FILE: Final = FileKind("a file of a release", 1024 * MIB, "fetch the release again")
_LOG: Final = logging.getLogger("memassay")
_HOW_MADE: Final = frozenset({"provenance", "repairs", "flaws", "bank", "clusters", "alterations"})
_IMAGE_SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tiff"})


def log_path(release: Path, stem: str) -> Path:
    """Where the records of a log lie."""
    return release / f"{stem}.jsonl"


def record_order(record: Record) -> tuple[Any, str]:
    """Sort key of records: natural order of ids, and one order for ids that differ in zeros."""
    return natural_key(record.id), record.id


def release_content_hash(name: str, version: str, licence: str, parts: Mapping[str, str]) -> str:
    """The hash of what a release says; recipe, gates and how it was made take no part.

    Args:
        name: Name of the data set.
        version: Version of the release.
        licence: SPDX identifier.
        parts: Combined content hash of the records, by table or log.
    """
    said = {stem: parts[stem] for stem in sorted(parts) if stem not in _HOW_MADE}
    return content_hash({"name": name, "version": version, "licence": licence, "parts": said})


def file_content_hash(path: Path) -> str:
    """Content hash of a file that is no table: decoded JSON, decoded pixels, or the bytes."""
    return content_hash_of_file(path.name, read_bytes(path, RELEASE_FILE))


def content_hash_of_file(name: str, data: bytes) -> str:
    """The same of a file by its name and its bytes."""
    suffix = PurePosixPath(name).suffix
    if suffix in (".json", ".jsonl"):
        try:
            texts = data.splitlines() if suffix == ".jsonl" else [data]
            return combined_hash(content_hash(strict_json(text)) for text in texts)
        except ValueError:
            return sha256(data)
    if suffix.lower() in _IMAGE_SUFFIXES:
        try:
            return measure(data).pixel_sha256
        except PixelError:
            return sha256(data)
    return sha256(data)


def write_text(path: Path, text: str) -> None:
    """Write a file as UTF-8 with plain line ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def unfit_document(unfit: Unfit) -> dict[str, str]:
    """An entry of the list of what has no place, as it is in the file."""
    return {name: str(value) for name, value in dataclasses.asdict(unfit).items() if value}


def layout_versions(formats: Mapping[str, ForeignFormat]) -> dict[str, Any]:
    """What a manifest's recipe says of the versions in which layouts are written; may be empty."""
    versions = {
        name: form.version for name, form in formats.items() if isinstance(form, StrictFormat)
    }
    return {LAYOUTS: versions} if versions else {}


def layout_version(recipe: Mapping[str, Any], name: str) -> Any:
    """The version in which a release has a layout, as its manifest's recipe says it."""
    stated = recipe.get(LAYOUTS)
    return stated.get(name, 1) if isinstance(stated, dict) else 1


def manifest_text(manifest: Manifest) -> str:
    """The manifest as it is in a release: one indented JSON document."""
    import json

    document = strict_json(portable_json(manifest))
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def demand_folder(release: Path) -> None:
    """Refuse what is no folder, and name the releases that the path is the beginning of.

    Raises:
        UsageError: There is no such folder.
    """
    if release.is_dir():
        return
    got = "something else" if release.exists() else "none"
    raise UsageError(f"{release}: expected a release folder, got {got}; {likely(release)}")


def likely(path: Path) -> str:
    """What to do about a path that is not there: it may lack the end of a release's name."""
    close = sorted(path.parent.glob(f"{glob.escape(path.name)}-*")) if path.name else []
    return f"did you mean {', '.join(map(str, close))}?" if close else "check the path"


def read_manifest(release: Path) -> Manifest:
    """The manifest of a release folder.

    Raises:
        UsageError: There is no such folder, or it is not a release.
        MigrationError: The release is of a newer schema version than this memassay.
        ReleaseError: The manifest is not JSON.
        RecordError: It does not fit its schema.
    """
    demand_folder(release)
    path = release / MANIFEST
    if not path.is_file():
        raise UsageError(
            f"{release}: expected a release, got a folder without {MANIFEST}; "
            "give the folder that `memassay run` printed"
        )
    try:
        document = manifest_document(path)
    except ValueError as error:
        raise ReleaseError(
            f"{MANIFEST}: expected JSON, got {error}; restore the file or fetch the release again"
        ) from error
    check_schema_version(document)
    try:
        manifest = parse_record("manifest", document)
    except RecordError as error:
        raise RecordError(
            f"{MANIFEST}: expected the manifest of a release, got another document ({error}); "
            "restore the file or fetch the release again"
        ) from error
    if not isinstance(manifest, Manifest):
        raise ReleaseError(f"{MANIFEST}: expected a manifest, got {type(manifest).__name__}")
    return manifest


def manifest_document(path: Path) -> Any:
    """The decoded manifest of a release.

    Raises:
        UsageError: Nobody wrote it as a manifest: it is no plain file, larger than any manifest,
            or nested beyond reading.
        ValueError: It is not JSON in UTF-8.
    """
    try:
        return strict_json(read_bytes(path, _MANIFEST_FILE))
    except NestedError as error:
        raise UsageError(
            f"{path}: expected the manifest of a release, got {error}; fetch the release again"
        ) from None


def check_schema_version(document: Any) -> None:
    """Refuse a manifest whose own shape, or that of the records, is newer than ours.

    Raises:
        MigrationError: It is.
    """
    if not isinstance(document, dict):
        return
    ours = {"schema_version": version_of("manifest"), "record_schema_version": SCHEMA_VERSION}
    for field, newest in ours.items():
        version = document.get(field)
        if isinstance(version, int) and version > newest:
            raise MigrationError(
                f"{MANIFEST}.{field}: expected at most {newest}, got {version}: the release was "
                "written by a newer memassay; install that one to read it"
            )


def sync(path: Path) -> None:
    """Make a file or folder durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def kept_release(folder: Path, new: Manifest) -> Manifest | None:
    """The manifest of the release that is there already; None if it is this one, and damaged.

    Raises:
        UsageError: The folder holds something else.
        ReleaseError: It holds another version, or another content of this one.
    """
    try:
        old = read_manifest(folder)
    except MemassayError as error:
        if _holds_others(folder, new):
            raise UsageError(
                f"{folder}: expected an empty or absent folder, got other files; "
                "choose another folder or remove this one"
            ) from error
        _LOG.warning("release %s: its manifest is damaged; it is written again", folder)
        return None
    if (old.name, old.version) != (new.name, new.version):
        raise ReleaseError(
            f"{folder}: expected {new.name} {new.version}, got {old.name} {old.version}; "
            "write each version to a folder of its own"
        )
    if _identity(old) != _identity(new):
        if _first_changed(folder, new) is None:
            _LOG.warning("release %s: its manifest is damaged; it is written again", folder)
            return None
        raise ReleaseError(
            f"{folder}: {old.name} {old.version} is published with another content, and a release "
            "never changes; raise the version"
        )
    if (changed := _first_changed(folder, old)) is not None:
        _LOG.warning("release %s: %s is missing or damaged; it is written again", folder, changed)
        return None
    return old


def _holds_others(folder: Path, manifest: Manifest) -> bool:
    """Whether a folder holds a file that is none of a release."""
    ours = {MANIFEST, *(file.path for file in manifest.files)}
    files = (path for path in folder.rglob("*") if not path.is_dir())
    return any(path.relative_to(folder).as_posix() not in ours for path in files)


def _first_changed(folder: Path, manifest: Manifest) -> str | None:
    """The first file that is not as a manifest says; None if all are."""
    for file in manifest.files:
        path = folder / file.path
        if not path.is_file() or file_sha256(path) != file.sha256:
            return file.path
    return None


def _identity(manifest: Manifest) -> dict[str, Any]:
    """What makes two manifests those of one release, whatever versions the libraries have."""
    document = manifest.model_dump(mode="json")
    document["files"] = [
        {"path": file.path, "records": file.records, "content_sha256": file.content_sha256}
        for file in manifest.files
    ]
    return document


def is_added_by_hub(name: str) -> bool:
    """Whether the Hub, or its tools in a folder that they fetched, add a file of this path.

    Args:
        name: Path in the release, with `/`.
    """
    return name == HUB_FILE or f"{name}/".startswith(_HUB_FOLDERS)

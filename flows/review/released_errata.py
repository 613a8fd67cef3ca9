"""Errata of released items, as reviewers see and report them on the page of an item."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from packaging.version import InvalidVersion, Version

from memassay.annotation.pages.content import ReleasedItem
from memassay.exports.release.layout import MANIFEST, read_manifest
from memassay.exports.release.parquet_tables import read_rows, shards_of
from memassay.flows.edits.errata import add_erratum
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.errata_file import read_errata
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import MemassayError, UsageError
from memassay.schemas.judgements.erratum import ReleasedErratum

ERRATA: Final = "errata.jsonl"
"""Name of the file where no recipe names one."""


@dataclass(frozen=True)
class _Held:
    """What is known of a release in the workspace; nothing is held by one that cannot be read."""

    name: str = ""
    version: str = ""
    items: frozenset[str] = frozenset()


class WorkspaceErrata:
    """Errata of the items that releases of one open workspace hold."""

    def __init__(self, workspace: Workspace) -> None:
        """Use an open workspace."""
        self.workspace = workspace
        self._held: dict[tuple[str, int], _Held] = {}

    def of(self, item: str) -> ReleasedItem | None:
        """The newest version that holds the record of a review item, with what is reported of it.

        Raises:
            UsageError: There is no such item.
        """
        found = self._find(item)
        if found is None:
            return None
        record, run, folder, held = found
        file = errata_file(self.workspace, run)
        released = ReleasedItem(folder.name, held.name, held.version, file)
        try:
            known = read_errata(file) if file.exists() else []
        except UsageError as error:
            # A damaged file keeps nobody from deciding the item.
            return replace(released, trouble=str(error))
        of_item = [one for one in known if (one.release, one.item) == (held.name, record)]
        return replace(released, errata=of_item)

    def report(self, item: str, problem: str, reporter: str) -> ReleasedErratum:
        """Report an error in the newest version that holds the record of a review item.

        Raises:
            UsageError: No release holds it, nothing is said, the same was reported before, or the
                file of errata cannot be read or written.
            ReleaseError: A file of the release is damaged.
        """
        found = self._find(item)
        if found is None:
            raise UsageError(
                f"review item {item}: expected one that a release of this workspace holds; decide "
                "it here instead"
            )
        record, run, folder, _ = found
        file = errata_file(self.workspace, run)
        try:
            return add_erratum(folder, record, problem, reporter, file)
        except OSError as error:
            raise UsageError(
                f"{file.name}: expected a file of errata that can be written, got "
                f"'{error.strerror}'; ask who serves these pages to make it writable"
            ) from error

    def _find(self, item: str) -> tuple[str, str, Path, _Held] | None:
        """Record and run of an item, and the newest release of the run that holds the record."""
        asked = self.workspace.queue.item(item)
        drafts = [one.release for one in self.workspace.store.drafts().get(asked.run, [])]
        if not drafts:
            return None
        manifests = sorted(self.workspace.releases.glob(f"*/{MANIFEST}"))
        releases = {path.parent: self._release(path) for path in manifests}
        made = {name: at for at, name in enumerate(drafts)}
        names = {held.name for folder, held in releases.items() if folder.name in made}
        holding = [
            (folder, held)
            for folder, held in releases.items()
            if asked.record in held.items and held.name in names
        ]

        def newness(one: tuple[Path, _Held]) -> tuple[Version, int]:
            folder, held = one
            return _version(held.version), made.get(folder.name, -1)

        if not holding:
            return None
        return asked.record, asked.run, *max(holding, key=newness)

    def _release(self, manifest: Path) -> _Held:
        try:
            key = manifest.parent.name, manifest.stat().st_mtime_ns
        except OSError:
            return _Held()
        if key not in self._held:
            self._held[key] = _read(manifest.parent)
        return self._held[key]


def _read(folder: Path) -> _Held:
    try:
        manifest = read_manifest(folder)
        shards = shards_of(folder, "questions")
        items = frozenset(row["id"] for shard in shards for row in read_rows(shard))
    except (MemassayError, OSError):
        return _Held()
    return _Held(manifest.name, manifest.version, items)


def _version(text: str) -> Version:
    """A version to compare; what is none is older than all that are."""
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0.dev0")


def errata_file(workspace: Workspace, run: str) -> Path:
    """Where errata of what a run releases are kept: as its recipe says, or in the workspace."""
    note = _note(workspace, run)
    noted = Path(os.fsdecode(note.read_bytes())) if note.is_file() else None
    return noted if noted and noted.parent.is_dir() else workspace.folder / ERRATA


def note_errata_file(workspace: Workspace, run: str, file: Path) -> None:
    """Remember where errata of what a run releases are kept; only the recipe's path tells."""
    note, noted = _note(workspace, run), os.fsencode(file.resolve())
    if note.is_file() and note.read_bytes() == noted:
        return
    note.parent.mkdir(exist_ok=True)
    write_durably(note, noted)


def _note(workspace: Workspace, run: str) -> Path:
    return workspace.folder / "errata" / f"{run}.path"

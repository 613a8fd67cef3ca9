"""Conversations whose sessions are lent to others: foreign data and releases."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from memassay.exports.release.layout import read_manifest
from memassay.exports.release.reader import Release, open_release
from memassay.flows.stages.import_stage import ImportStage
from memassay.flows.stages.released_source import RELEASED
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.recipes import SourceSection
from memassay.schemas.records.bundle import Bundle
from memassay.validators.registry import UNREAD_TEXT


class Lenders:
    """The conversations of some sources, each read when it is first asked for."""

    def __init__(self, sections: Sequence[SourceSection], folder: Path) -> None:
        """Find them.

        Raises:
            SourceError: A source does not exist or holds nothing of its format.
            UsageError: A format that nobody knows, or no release where one is to be.
        """
        foreign = [one for one in sections if one.format != RELEASED.name]
        self.imports = ImportStage(foreign, folder, strict=False)
        self.folders = [folder / one.path for one in sections if one.format == RELEASED.name]
        self._contents = [read_manifest(one).content_sha256 for one in self.folders]
        self._read: dict[str, Bundle | None] = {}

    def state(self) -> list[Any]:
        """What lent sessions depend on: the contents of every source."""
        return [self.imports.shards(), *self._contents]

    @property
    def names(self) -> list[str]:
        """Ids of the conversations."""
        return [*self.imports.found, *self._released]

    @cached_property
    def _released(self) -> dict[str, tuple[Release, Bundle]]:
        opened = [open_release(one) for one in self.folders]
        return {bundle.id: (release, bundle) for release in opened for bundle in release.bundles()}

    def read(self, name: str, blobs: BlobStore) -> Bundle | None:
        """A conversation, its bytes stored; None where nothing of it can be read.

        Raises:
            SourceError: Its file cannot be read.
        """
        if name not in self._read:
            self._read[name] = (
                self._of_release(name, blobs)
                if name in self._released
                else self.imports.read(name, blobs).bundle
            )
        return self._read[name]

    def is_foreign(self, name: str) -> bool:
        """Whether a conversation has text of others that nobody read beside a ledger."""
        if name not in self._released:
            return True
        release, bundle = self._released[name]
        unread = (one.target for one in release.findings() if one.rule == UNREAD_TEXT)
        return not bundle.facts or name in unread

    def _of_release(self, name: str, blobs: BlobStore) -> Bundle:
        release, bundle = self._released[name]
        for asset in bundle.assets:
            if asset.blob_sha256 is not None and asset.blob_sha256 in release.blobs:
                blobs.put(release.blobs.get(asset.blob_sha256))
        return bundle

"""Conversations whose sessions are lent to others: foreign data and releases."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.layout import read_manifest
from memassay.exports.release.reader import Release, open_release
from memassay.flows.stages.import_stage import ImportStage
from memassay.flows.stages.released_source import RELEASED, take_bundle
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.recipes import SourceSection
from memassay.schemas.records.bundle import Bundle
from memassay.validators.registry import UNREAD_TEXT

_KEPT: Final = 16
"""Conversations that were read last and are kept: one is asked for again for its next session."""


class Lenders:
    """The conversations of some sources, each read when it is asked for."""

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
        self._recent: dict[str, Bundle | None] = {}

    def state(self) -> list[Any]:
        """What lent sessions depend on: the contents of every source."""
        return [self.imports.shards(), *self._contents]

    @property
    def names(self) -> list[str]:
        """Ids of the conversations."""
        return [*self.imports.found, *self._released]

    @cached_property
    def _released(self) -> dict[str, Release]:
        opened = [open_release(one) for one in self.folders]
        return {name: release for release in opened for name in release.ids()}

    def read(self, name: str, blobs: BlobStore) -> Bundle | None:
        """A conversation, its bytes stored; None where nothing of it can be read.

        Raises:
            SourceError: Its file cannot be read.
        """
        found = self._recent.pop(name) if name in self._recent else self._load(name, blobs)
        while len(self._recent) >= _KEPT:
            del self._recent[next(iter(self._recent))]
        self._recent[name] = found
        return found

    def is_foreign(self, lender: Bundle) -> bool:
        """Whether a conversation has text of others that nobody read beside a ledger."""
        release = self._released.get(lender.id)
        if release is None or not lender.facts:
            return True
        unread = (one.target for one in release.findings() if one.rule == UNREAD_TEXT)
        return lender.id in unread

    def _load(self, name: str, blobs: BlobStore) -> Bundle | None:
        if (release := self._released.get(name)) is not None:
            return take_bundle(release, name, blobs)
        return self.imports.read(name, blobs).bundle

"""Releases of ours as sources: a layout that is taken in and never written beside a release."""

from pathlib import Path
from typing import Final

from memassay.exports.release.layout import MANIFEST
from memassay.exports.release.reader import Release, open_release
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.protocols import Imported, Source
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.records.bundle import Bundle


class ReleasedSource:
    """The conversations of a release, with their ledgers."""

    name = "release"
    rules = RuleRegistry()

    def sources(self, path: Path) -> list[Source]:
        """The conversations of a release.

        Raises:
            UsageError: There is no release.
        """
        files = (path / MANIFEST,)
        return [Source(one, path, at, files) for at, one in enumerate(open_release(path).ids())]

    def read(self, source: Source, blobs: BlobStore, _licence: str) -> Imported:
        """One conversation, its bytes stored.

        Raises:
            SourceError: It is not there any more.
        """
        release = open_release(source.path, verify=False)
        try:
            return Imported(take_bundle(release, source.id, blobs))
        except UsageError as error:
            raise SourceError(
                f"{source.path}: expected conversation {source.id}, got none"
            ) from error


def take_bundle(release: Release, conversation: str, blobs: BlobStore) -> Bundle:
    """One conversation of a release, its bytes stored.

    Raises:
        UsageError: The release has no such conversation.
    """
    bundle = release.bundle(conversation)
    for asset in bundle.assets:
        if asset.blob_sha256 is not None and asset.blob_sha256 in release.blobs:
            blobs.put(release.blobs.get(asset.blob_sha256))
    return bundle


RELEASED: Final = ReleasedSource()

"""Foreign layouts on a disk, for tests."""

from collections.abc import Sequence
from pathlib import Path

from memassay.exports.release.layout import UNFIT
from memassay.exports.release.parts.layout_files import write_layout, write_whole
from memassay.schemas.contracts.protocols import BlobStore, ForeignFormat, Unfit
from memassay.schemas.records.bundle import Bundle


def write(
    form: ForeignFormat, bundles: Sequence[Bundle], blobs: BlobStore, folder: Path
) -> list[Unfit]:
    """Write conversations as `write` of a layout gives them, without the list of what is lost."""
    folder.mkdir(parents=True, exist_ok=True)
    _, unfit = write_whole(form, bundles, [bundle.id for bundle in bundles], blobs, folder)
    (folder / UNFIT).unlink()
    return unfit


def export(
    form: ForeignFormat, bundles: Sequence[Bundle], blobs: BlobStore, folder: Path
) -> tuple[list[str], list[Unfit]]:
    """Write conversations as a release does; gives the questions that are kept, and what is not."""
    folder.mkdir(parents=True, exist_ok=True)
    return write_layout(form, bundles, [bundle.id for bundle in bundles], blobs, folder)

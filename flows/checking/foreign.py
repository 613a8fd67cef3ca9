"""Foreign files: taken in as records, or only looked at."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memassay.flows.checking.asking import (
    count_kinds,
    is_release,
    read_by_others,
    rule_context,
    unique,
)
from memassay.flows.reading.reader import ReadingOrder, ReadingReport
from memassay.flows.stages.import_stage import ImportStage
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.folders import new_folder
from memassay.flows.store.record_folder import BLOBS, write_records
from memassay.schemas.base import Record, Shape
from memassay.schemas.contracts.origins import Origins
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.recipes import SourceSection
from memassay.schemas.errors import UsageError
from memassay.schemas.grouping import bundles_of
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.licences import spdx
from memassay.validators.certificates.certify import certify
from memassay.validators.check import check

UNSTATED_LICENCE: Final = "LicenseRef-unstated"
"""Where only files are looked at; nothing is published under it."""


class ImportReport(Shape):
    """What an import gave."""

    folder: str
    records: dict[str, int]
    findings: list[Finding]
    held_out: list[HeldOut]


@dataclass(frozen=True)
class Curated:
    """A foreign data set as imported and checked, nothing written.

    Attributes:
        origins: By conversation, where everything stood in its file.
        bundles: Conversations in natural order of their ids.
        findings: What the import and the rules found.
        held_out: Parts of which no record could be made.
        certificates: One per question.
        reading: How items were read; None where no reader was asked.
        read: By record, who read it and what they think of it.
    """

    origins: dict[str, Origins]
    bundles: list[Bundle]
    findings: list[Finding]
    held_out: list[HeldOut]
    certificates: list[Certificate]
    reading: ReadingReport | None = None
    read: Mapping[str, str] | None = None


@contextmanager
def temporary_blobs() -> Iterator[BlobStore]:
    """A blob store that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="memassay-") as folder:
        yield BlobFolder(Path(folder))


def import_foreign(
    format_name: str, path: Path, licence: str, out: Path, *, strict: bool = False
) -> ImportReport:
    """Turn foreign files into a folder of records.

    Args:
        format_name: Name of the foreign format.
        path: File or folder in that format.
        licence: SPDX identifier of the data.
        out: New or empty folder: one JSON Lines file per kind of record, and `blobs`.
        strict: Refuse everything if there is one error.

    Raises:
        UsageError: The path is not of the format, the licence is none, or `out` is not empty.
    """
    try:
        stated = spdx(licence)
    except ValueError as error:
        raise UsageError(f"--licence: {error}") from error
    stage = import_stage_of(format_name, path, stated, strict)
    with new_folder(out) as folder:
        records, findings, _ = import_source(stage, BlobFolder(folder / BLOBS))
        write_records(folder, [*records, *findings])
    return ImportReport(
        folder=str(out),
        records=count_kinds(records),
        findings=findings,
        held_out=[record for record in records if isinstance(record, HeldOut)],
    )


def import_stage_of(format_name: str, path: Path, licence: str, strict: bool) -> ImportStage:
    """The stage that takes files in.

    Args:
        format_name: Name of the foreign format.
        path: File or folder in that format.
        licence: SPDX identifier of the data.
        strict: Whether files with an error are refused.

    Raises:
        UsageError: The path is not of the format.
    """
    # Who only looks at files need not state a licence, which no recipe would accept.
    section = SourceSection.model_construct(format=format_name, path=str(path), licence=licence)
    if is_release(path):
        raise UsageError(
            f"{path}: expected {format_name} files, got a release of memassay; "
            f"`memassay validate {path}` checks it without --format"
        )
    return ImportStage([section], Path(), strict)


def import_source(
    stage: ImportStage, blobs: BlobStore
) -> tuple[list[Record], list[Finding], dict[str, Origins]]:
    """All records, findings, and by conversation where everything stood."""
    records: list[Record] = []
    findings: list[Finding] = []
    origins: dict[str, Origins] = {}
    for shard in stage.found:
        imported = stage.read(shard, blobs)
        records.extend(imported.records())
        findings.extend(imported.findings)
        origins[shard] = imported.origins
    return records, findings, origins


def curate_foreign(
    format_name: str, path: Path, *, quick: bool = False, order: ReadingOrder | None = None
) -> Curated:
    """Import foreign files, apply every rule and certify every question; write no data.

    Args:
        format_name: Name of the foreign format.
        path: File or folder in that format.
        quick: Whether nothing is drawn or simulated again.
        order: Who reads which items; certificates say nothing of it.

    Raises:
        UsageError: The path is not of the format, or the reader cannot be asked.
    """
    stage = import_stage_of(format_name, path, UNSTATED_LICENCE, strict=False)
    with temporary_blobs() as blobs:
        records, findings, origins = import_source(stage, blobs)
        bundles = bundles_of(records)
        context = rule_context(blobs, quick)
        read, readings = read_by_others(order, bundles, context, blobs)
        findings = unique([*findings, *check(bundles, context)])
    return Curated(
        origins=origins,
        bundles=bundles,
        findings=unique([*findings, *read]),
        held_out=[record for record in records if isinstance(record, HeldOut)],
        certificates=[item for bundle in bundles for item in certify(bundle, findings)],
        reading=readings.report if readings else None,
        read=readings.verdicts if readings else None,
    )

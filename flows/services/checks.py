"""What the command line asks of files that lie outside any workspace: import and validation."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field

from memassay.flows.reading.reader import (
    ReadingEstimate,
    ReadingOrder,
    ReadingReport,
    Readings,
    estimate_reading,
    read_items,
)
from memassay.flows.review.accepted_findings import mark_accepted
from memassay.flows.runners.garbage import without_collection
from memassay.flows.stages.import_stage import ImportStage
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.folders import demand_data, new_folder
from memassay.flows.store.places.address import folder_of
from memassay.flows.store.record_folder import BLOBS, files_of, lonely, read_records, write_records
from memassay.schemas.base import Record, Shape
from memassay.schemas.contracts.origins import Origins
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.recipes import SourceSection
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import UsageError
from memassay.schemas.grouping import bundles_of, group_by_conversation
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import DATA_KINDS, KINDS, kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.licences import spdx
from memassay.synth.pictures.drawing.again import redraw
from memassay.validators.certificates.certify import certify
from memassay.validators.check import OF_READERS, check

MANIFEST = "manifest.json"
UNSTATED_LICENCE = "LicenseRef-unstated"
"""Where only files are looked at; nothing is published under it."""


class ImportReport(Shape):
    """What an import gave."""

    folder: str
    records: dict[str, int]
    findings: list[Finding]
    held_out: list[HeldOut]


class ValidationReport(Shape):
    """What the rules say about a release, records or a foreign file."""

    path: str
    kind: str
    records: dict[str, int]
    findings: list[Finding]
    reading: Annotated[
        ReadingReport | None, Field(description="How items were read, where a reader was asked.")
    ] = None

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return has_errors(self.findings)


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


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether any finding is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


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
    stage = _import_stage(format_name, path, stated, strict)
    with new_folder(out) as folder:
        records, findings, _ = _import_source(stage, BlobFolder(folder / BLOBS))
        write_records(folder, [*records, *findings])
    return ImportReport(
        folder=str(out),
        records=count_kinds(records),
        findings=findings,
        held_out=[record for record in records if isinstance(record, HeldOut)],
    )


def _import_stage(format_name: str, path: Path, licence: str, strict: bool) -> ImportStage:
    # Who only looks at files need not state a licence, which no recipe would accept.
    section = SourceSection.model_construct(format=format_name, path=str(path), licence=licence)
    if is_release(path):
        raise UsageError(
            f"{path}: expected {format_name} files, got a release of memassay; "
            f"`memassay validate {path}` checks it without --format"
        )
    return ImportStage([section], Path(), strict)


def _import_source(
    stage: ImportStage, blobs: BlobStore
) -> tuple[list[Record], list[Finding], dict[str, Origins]]:
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
    stage = _import_stage(format_name, path, UNSTATED_LICENCE, strict=False)
    with temporary_blobs() as blobs:
        records, findings, origins = _import_source(stage, blobs)
        bundles = bundles_of(records)
        context = _context(blobs, quick)
        read, readings = _read(order, bundles, context, blobs)
        findings = _unique([*findings, *check(bundles, context)])
    return Curated(
        origins=origins,
        bundles=bundles,
        findings=_unique([*findings, *read]),
        held_out=[record for record in records if isinstance(record, HeldOut)],
        certificates=[item for bundle in bundles for item in certify(bundle, findings)],
        reading=readings.report if readings else None,
        read=readings.verdicts if readings else None,
    )


def _read(
    order: ReadingOrder | None, bundles: Sequence[Bundle], context: RuleContext, blobs: BlobStore
) -> tuple[list[Finding], Readings | None]:
    """What readers find, if any are asked."""
    if order is None:
        return [], None
    _refuse_replies_in_release(folder_of(order.workspace).resolve())
    readings = read_items(order, bundles, blobs)
    found = check(bundles, replace(context, readings=readings.by_record), OF_READERS)
    return found, readings


def _context(blobs: BlobStore, quick: bool) -> RuleContext:
    return RuleContext(blobs=blobs, draws=not quick, redraw=None if quick else redraw)


def _unique(findings: Iterable[Finding]) -> list[Finding]:
    return list({finding.id: finding for finding in findings}.values())


def count_kinds(records: Iterable[Record]) -> dict[str, int]:
    """Number of records by kind, in the order of `KINDS`; kinds without any are left out."""
    counts = dict.fromkeys(KINDS, 0)
    for record in records:
        counts[kind_of(record)] += 1
    return {kind: number for kind, number in counts.items() if number}


@without_collection()
def validate_path(
    path: Path,
    format_name: str | None = None,
    *,
    quick: bool = False,
    order: ReadingOrder | None = None,
    recipe_folder: Path | None = None,
) -> ValidationReport:
    """Findings for a release folder, a file or folder of records, or foreign files.

    Args:
        path: What to check.
        format_name: Name of the foreign format; None for a release or records.
        quick: Whether nothing is drawn or simulated again; all else is checked.
        order: Who reads which items; None if nobody does.
        recipe_folder: Where the recipe of a release lay, which its sources are relative to; by
            default they are looked for below the working directory, below every folder above the
            release, below `recipes` in any of these, and beside the recipes that ship.

    Raises:
        UsageError: The path is none of them, or the reader cannot be asked.
    """
    if format_name is not None:
        curated = curate_foreign(format_name, path, quick=quick, order=order)
        records = [record for bundle in curated.bundles for record in bundle.records()]
        return _validation(path, format_name, records, curated.findings, curated.reading)
    demand_data(path)
    if is_release(path):
        return _validate_release(path, quick, order, _folders(recipe_folder, path))
    if path.suffix == ".jsonl" or files_of(path):
        return _validate_records(path, quick, order)
    raise _neither(path)


def _folders(recipe_folder: Path | None, release: Path) -> list[Path]:
    """Where the sources of a release are looked for."""
    if recipe_folder is None:
        near = (Path.cwd(), *release.resolve().parents)
        beside = [folder for one in near for folder in (one, one / "recipes")]
        return [*dict.fromkeys(beside), Path(str(files("memassay.recipes")))]
    if not recipe_folder.is_dir():
        raise UsageError(
            f"--recipe-folder: expected the folder in which the recipe lies, got {recipe_folder}, "
            "which is none"
        )
    return [recipe_folder]


def _refuse_replies_in_release(place: Path) -> None:
    """Replies are kept outside of releases, which hold no files but their own."""
    if any(is_release(each) for each in (place, *place.parents)):
        raise UsageError(
            f"--workspace: expected a folder outside of releases, got {place}; name another one"
        )


def _neither(path: Path) -> UsageError:
    return UsageError(
        f"{path}: expected a release folder or JSON Lines of records; "
        "say --format NAME for a foreign file"
    )


def _validation(
    path: Path,
    kind: str,
    records: Iterable[Record],
    findings: Sequence[Finding],
    reading: ReadingReport | None = None,
) -> ValidationReport:
    return ValidationReport(
        path=str(path),
        kind=kind,
        records=count_kinds(records),
        findings=list(findings),
        reading=reading,
    )


def _validate_records(path: Path, quick: bool, order: ReadingOrder | None) -> ValidationReport:
    if order is not None and not path.is_dir():
        raise UsageError(
            f"--reader: expected a folder of records, got the file {path}; name the folder, since "
            "an item is read beside its conversation"
        )
    read = read_records(path)
    findings: list[Finding] = read.findings
    readings: Readings | None = None
    if path.is_dir():
        bundles, alone = _together(read.records)
        blobs = BlobFolder(path / BLOBS)
        context = _context(blobs, quick)
        said, readings = _read(order, bundles, context, blobs)
        findings = _unique([*findings, *alone, *check(bundles, context), *said])
    return _validation(
        path, "records", read.records, findings, readings.report if readings else None
    )


def _together(records: Iterable[Record]) -> tuple[list[Bundle], list[Finding]]:
    """Conversations with all that belongs to them, and what belongs to none."""
    groups = group_by_conversation(record for record in records if kind_of(record) in DATA_KINDS)
    alone = lonely(groups)
    odd = {conversation_of(finding.target) for finding in alone}
    return [Bundle.from_records(own) for name, own in groups.items() if name not in odd], alone


def is_release(path: Path) -> bool:
    """Whether a folder is a release, be it one that lost its manifest."""
    return (path / MANIFEST).is_file() or any(path.glob("data/*/*.parquet"))


def _validate_release(
    path: Path, quick: bool, order: ReadingOrder | None, folders: Sequence[Path]
) -> ValidationReport:
    from memassay.exports.formats.registry import FORMATS
    from memassay.exports.release.blobs import release_blobs
    from memassay.exports.release.check import check_release
    from memassay.flows.recipes.again.made_again import made_again
    from memassay.flows.recipes.known_names import known_names
    from memassay.flows.recipes.registry import codes_of
    from memassay.flows.stages.assay_again import assayed_again
    from memassay.flows.stages.check_stages import code_findings

    found = check_release(path, FORMATS)
    blobs = release_blobs(path)
    context = _context(blobs, quick)
    # Before the rules, which take their time: what is the matter with the reader shows at once.
    read, readings = _read(order, found.bundles, context, blobs)
    said = check(found.bundles, context)
    codes = codes_of({bundle.conversation.path for bundle in found.bundles})
    said += code_findings(found.bundles, codes)
    doubled = list(assayed_again(found, said, known_names(found.recipe), context))
    said += [] if quick else made_again(found, folders)
    said += read
    said = mark_accepted(said, found.decisions, {one.id: one for one in found.bundles}.get)
    findings = _unique([*found.findings, *doubled, *said])
    records = [record for bundle in found.bundles for record in bundle.records()]
    return _validation(path, "release", records, findings, readings.report if readings else None)


def estimate_path(path: Path, format_name: str | None, order: ReadingOrder) -> ReadingEstimate:
    """What it will cost to have the items of a path read; nobody is asked.

    Args:
        path: A release folder, a folder of records, or foreign files.
        format_name: Name of the foreign format; None for a release or records.
        order: Who reads which items.

    Raises:
        UsageError: The path is none of them, or the order names no model or no item.
    """
    return estimate_reading(order, _bundles(path, format_name))


def _bundles(path: Path, format_name: str | None) -> list[Bundle]:
    from memassay.exports import open_release

    if format_name is not None:
        with temporary_blobs() as blobs:
            stage = _import_stage(format_name, path, UNSTATED_LICENCE, strict=False)
            return bundles_of(_import_source(stage, blobs)[0])
    demand_data(path)
    if is_release(path):
        return list(open_release(path).bundles())
    if path.is_dir() and files_of(path):
        return _together(read_records(path).records)[0]
    raise _neither(path)

"""What the command line asks when it validates files that lie outside any workspace."""

from collections.abc import Iterable, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field

from memassay.exports.release.checking.spill import bundle_of
from memassay.flows.checking.asking import (
    count_kinds,
    has_errors,
    in_order,
    is_release,
    read_by_others,
    rule_context,
    unique,
)
from memassay.flows.checking.foreign import (
    UNSTATED_LICENCE,
    curate_foreign,
    import_stage_of,
    temporary_blobs,
)
from memassay.flows.checking.rules_again import ask_all
from memassay.flows.checking.sources import take_sources
from memassay.flows.reading.reader import (
    ReadingEstimate,
    ReadingOrder,
    ReadingReport,
    Readings,
    estimate_reading,
)
from memassay.flows.review.accepted_findings import mark_accepted
from memassay.flows.runners.garbage import without_collection
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.folders import demand_data
from memassay.flows.store.record_folder import BLOBS, files_of, lonely, read_records
from memassay.flows.workers.pool import Pool
from memassay.schemas.base import Record, Shape
from memassay.schemas.contracts.collection import InTurn, Mapper
from memassay.schemas.errors import UsageError
from memassay.schemas.grouping import group_by_conversation
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.validators.check import check


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


@without_collection()
def validate_path(
    path: Path,
    format_name: str | None = None,
    *,
    quick: bool = False,
    order: ReadingOrder | None = None,
    recipe_folder: Path | None = None,
    workers: int = 1,
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
        workers: Processes at once, this one among them.

    Raises:
        UsageError: The path is none of them, or the reader cannot be asked.
    """
    if format_name is not None:
        with Pool(workers) as pool:
            curated = curate_foreign(format_name, path, pool, quick=quick, order=order)
        return ValidationReport(
            path=str(path),
            kind=format_name,
            records=curated.counts,
            findings=curated.findings,
            reading=curated.reading,
        )
    demand_data(path)
    if is_release(path):
        folders = _folders(recipe_folder, path)
        with Pool(workers) as pool:
            return _validate_release(path, quick, order, folders, pool)
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


def _neither(path: Path) -> UsageError:
    return UsageError(
        f"{path}: expected a release folder or JSON Lines of records; "
        "say --format NAME for a foreign file"
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
        context = rule_context(blobs, quick)
        said, readings = read_by_others(order, bundles, context, blobs)
        findings = unique([*findings, *alone, *check(bundles, context), *said])
    return ValidationReport(
        path=str(path),
        kind="records",
        records=count_kinds(read.records),
        findings=findings,
        reading=readings.report if readings else None,
    )


def _together(records: Iterable[Record]) -> tuple[list[Bundle], list[Finding]]:
    """Conversations with all that belongs to them, and what belongs to none."""
    groups = group_by_conversation(record for record in records if kind_of(record) in DATA_KINDS)
    alone = lonely(groups)
    odd = {conversation_of(finding.target) for finding in alone}
    return [Bundle.from_records(own) for name, own in groups.items() if name not in odd], alone


def _validate_release(
    path: Path,
    quick: bool,
    order: ReadingOrder | None,
    folders: Sequence[Path],
    mapper: Mapper,
) -> ValidationReport:
    from memassay.exports.formats.registry import FORMATS
    from memassay.exports.release.blobs import release_blobs
    from memassay.exports.release.check import check_release
    from memassay.flows.checking.assay_again import assayed_again
    from memassay.flows.recipes.again.made_again import made_again
    from memassay.flows.recipes.known_names import known_names

    found = check_release(path, FORMATS, mapper)
    blobs = release_blobs(path)
    context = rule_context(blobs, quick)
    # Before the rules, which take their time: what is the matter with the reader shows at once.
    read, readings = read_by_others(order, found.bundles, context, blobs)
    answers = ask_all(found.bundles, context, mapper, asks_codes=True)
    known = known_names(found.recipe)
    doubled = list(assayed_again(found, answers.findings, known, context, mapper))
    said = [*answers.findings, *([] if quick else made_again(found, folders, mapper)), *read]
    said = mark_accepted(said, found.decisions, partial(bundle_of, found.bundles))
    return ValidationReport(
        path=str(path),
        kind="release",
        records=in_order(answers.counts),
        findings=unique([*found.findings, *doubled, *said]),
        reading=readings.report if readings else None,
    )


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


def _bundles(path: Path, format_name: str | None) -> Sequence[Bundle]:
    from memassay.exports import open_release

    if format_name is not None:
        with temporary_blobs() as blobs:
            stage = import_stage_of(format_name, path, UNSTATED_LICENCE, strict=False)
            return take_sources(stage, blobs, InTurn()).bundles
    demand_data(path)
    if is_release(path):
        return list(open_release(path).bundles())
    if path.is_dir() and files_of(path):
        return _together(read_records(path).records)[0]
    raise _neither(path)

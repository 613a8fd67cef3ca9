"""Foreign files: taken in as records, or only looked at."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memassay.flows.checking.asking import (
    in_order,
    is_release,
    read_by_others,
    rule_context,
    unique,
)
from memassay.flows.checking.record_lines import Lines, join_lines
from memassay.flows.checking.rules_again import (
    Place,
    ask_all,
    by_owner,
    name_of_place,
    places_of,
    size_of_place,
)
from memassay.flows.checking.sources import Taking, each_taken, take_lines, take_sources
from memassay.flows.reading.reader import ReadingOrder, ReadingReport
from memassay.flows.stages.import_stage import ImportStage
from memassay.flows.store.blob_folder import BlobFolder, write_durably
from memassay.flows.store.folders import new_folder
from memassay.flows.store.record_folder import BLOBS, file_of, write_records
from memassay.flows.workers.pool import Pool
from memassay.schemas.base import Shape
from memassay.schemas.contracts.collection import Mapper
from memassay.schemas.contracts.origins import Origins
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.recipes import SourceSection
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.licences import spdx
from memassay.validators.certificates.certify import certify

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
        origins: By conversation, where everything was in its file.
        bundles: Conversations in natural order of their ids.
        counts: Their records by kind.
        findings: What the import and the rules found.
        verdicts: By verdict, how many questions; none where nothing is certified.
        reading: How items were read; None where no reader was asked.
        read: By record, who read it and what they think of it.
    """

    origins: Mapping[str, Origins]
    bundles: Sequence[Bundle]
    counts: dict[str, int]
    findings: list[Finding]
    verdicts: dict[str, int]
    reading: ReadingReport | None = None
    read: Mapping[str, str] | None = None


@contextmanager
def temporary_blobs() -> Iterator[BlobStore]:
    """A blob store that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="memassay-") as folder:
        yield BlobFolder(Path(folder))


def import_foreign(
    format_name: str,
    path: Path,
    licence: str,
    out: Path,
    *,
    strict: bool = False,
    workers: int = 1,
) -> ImportReport:
    """Turn foreign files into a folder of records.

    Args:
        format_name: Name of the foreign format.
        path: File or folder in that format.
        licence: SPDX identifier of the data.
        out: New or empty folder: one JSON Lines file per kind of record, and `blobs`.
        strict: Refuse everything if there is one error.
        workers: Processes at once, this one among them.

    Raises:
        UsageError: The path is not of the format, the licence is none, or `out` is not empty.
    """
    try:
        stated = spdx(licence)
    except ValueError as error:
        raise UsageError(f"--licence: {error}") from error
    stage = import_stage_of(format_name, path, stated, strict)
    findings: list[Finding] = []
    held_out: list[HeldOut] = []
    counts = Counter[str]()
    lines: dict[str, list[Lines]] = {}
    with (
        new_folder(out) as folder,
        tempfile.TemporaryDirectory(prefix="memassay-") as scratch,
        Pool(workers) as pool,
    ):
        taking = Taking(stage, BlobFolder(folder / BLOBS), Path(scratch))
        for _, taken in each_taken(take_lines, taking, pool):
            findings += taken.findings
            held_out += taken.held_out
            counts += taken.counts
            for kind, own in taken.lines.items():
                lines.setdefault(kind, []).append(own)
        for kind, parts in lines.items():
            write_durably(folder / file_of(kind), join_lines(parts))
        write_records(folder, [*held_out, *findings])
    return ImportReport(
        folder=str(out), records=in_order(counts), findings=findings, held_out=held_out
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


def curate_foreign(
    format_name: str,
    path: Path,
    mapper: Mapper,
    *,
    quick: bool = False,
    order: ReadingOrder | None = None,
    certifies: bool = False,
) -> Curated:
    """Import foreign files and apply every rule; write no data.

    Args:
        format_name: Name of the foreign format.
        path: File or folder in that format.
        mapper: Has sources and conversations done.
        quick: Whether nothing is drawn or simulated again.
        order: Who reads which items; certificates say nothing of it.
        certifies: Whether every question is certified.

    Raises:
        UsageError: The path is not of the format, or the reader cannot be asked.
    """
    stage = import_stage_of(format_name, path, UNSTATED_LICENCE, strict=False)
    with temporary_blobs() as blobs:
        bundles, findings, origins = take_sources(stage, blobs, mapper)
        context = rule_context(blobs, quick)
        read, readings = read_by_others(order, bundles, context, blobs)
        answers = ask_all(bundles, context, mapper)
    findings = unique([*findings, *answers.findings])
    return Curated(
        origins=origins,
        bundles=bundles,
        counts=in_order(answers.counts),
        findings=unique([*findings, *read]),
        verdicts=_verdicts(bundles, findings, mapper) if certifies else {},
        reading=readings.report if readings else None,
        read=readings.verdicts if readings else None,
    )


@dataclass(frozen=True)
class _Certifying:
    """What whoever certifies a conversation must know: all, and what was found, by conversation."""

    bundles: Sequence[Bundle]
    found: Mapping[str, Sequence[Finding]]


def _verdicts_of_one(certifying: _Certifying, place: Place) -> Counter[str]:
    bundle = certifying.bundles[place.at]
    found = certifying.found.get(bundle.id, ())
    return Counter(str(one.verdict) for one in certify(bundle, found))


def _verdicts(
    bundles: Sequence[Bundle], findings: Iterable[Finding], mapper: Mapper
) -> dict[str, int]:
    """By verdict, how many questions."""
    certifying = _Certifying(bundles, by_owner(findings))
    places = places_of(bundles)
    each = mapper.map(_verdicts_of_one, certifying, places, size_of_place, name_of_place)
    verdicts: Counter[str] = sum(each, Counter())
    return dict(sorted(verdicts.items()))

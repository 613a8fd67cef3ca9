"""What is asked of data beside its rules, and how what is found is put together."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from memassay.flows.reading.reader import ReadingOrder, Readings, read_items
from memassay.flows.store.places.address import folder_of
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.kinds import KINDS, kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.synth.pictures.drawing.again import redraw
from memassay.validators.check import OF_READERS, check

_MANIFEST: Final = "manifest.json"


def is_release(path: Path) -> bool:
    """Whether a folder is a release, be it one that lost its manifest."""
    return (path / _MANIFEST).is_file() or any(path.glob("data/*/*.parquet"))


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether any finding is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def read_by_others(
    order: ReadingOrder | None, bundles: Sequence[Bundle], context: RuleContext, blobs: BlobStore
) -> tuple[list[Finding], Readings | None]:
    """What readers find, if any are asked."""
    if order is None:
        return [], None
    _refuse_replies_in_release(folder_of(order.workspace).resolve())
    readings = read_items(order, bundles, blobs)
    found = check(bundles, replace(context, readings=readings.by_record), OF_READERS)
    return found, readings


def rule_context(blobs: BlobStore, quick: bool) -> RuleContext:
    """What rules look at beside the records.

    Args:
        blobs: The bytes of assets.
        quick: Whether nothing is drawn again.
    """
    return RuleContext(blobs=blobs, draws=not quick, redraw=None if quick else redraw)


def unique(findings: Iterable[Finding]) -> list[Finding]:
    """Findings, equal ones once: the last in the place of the first."""
    return list({finding.id: finding for finding in findings}.values())


def count_kinds(records: Iterable[Record]) -> dict[str, int]:
    """Number of records by kind, in the order of `KINDS`; kinds without any are left out."""
    return in_order(Counter(map(kind_of, records)))


def in_order(counts: Mapping[str, int]) -> dict[str, int]:
    """Numbers by kind, in the order of `KINDS`; kinds without any are left out."""
    return {kind: counts[kind] for kind in KINDS if counts.get(kind)}


def _refuse_replies_in_release(place: Path) -> None:
    """Replies are kept outside of releases, which hold no files but their own."""
    if any(is_release(each) for each in (place, *place.parents)):
        raise UsageError(
            f"--workspace: expected a folder outside of releases, got {place}; name another one"
        )

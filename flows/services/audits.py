"""What the command line asks for when it audits somebody's data set."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from memassay.exports.errata.audited import Audited
from memassay.exports.errata.building import errata_of
from memassay.exports.errata.errata_page import errata_page
from memassay.exports.errata.text_patch import text_patch
from memassay.exports.formats.registry import FORMATS
from memassay.flows.checking.foreign import curate_foreign
from memassay.flows.reading.reader import ReadingOrder, ReadingReport
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.workers.pool import Pool
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.errata import Errata
from memassay.schemas.judgements.finding import Finding
from memassay.validators.check import RULES

_BESIDE: Final = (".json", ".patch")
"""Endings of what is written beside the page."""


class AuditReport(Shape):
    """What an audit found and where its report is."""

    report: str
    errata: str
    patch: str | None
    format: str
    records: dict[str, int]
    verdicts: dict[str, int]
    entries: dict[str, int]
    findings: list[Finding]
    reading: Annotated[
        ReadingReport | None, Field(description="How items were read, where a reader was asked.")
    ] = None


def audit_path(
    path: Path,
    format_name: str,
    out: Path,
    order: ReadingOrder | None = None,
    workers: int = 1,
) -> AuditReport:
    """Import, validate, compare and assay foreign files; write errata for their maintainers.

    Beside the Markdown page stand the errata as JSON, and a patch if anything can be mended; those
    of an earlier audit of that name are replaced.

    Args:
        path: File or folder of the data set; it is not changed.
        format_name: Name of its format.
        out: The Markdown file to write.
        order: Who reads which items; None if nobody does.
        workers: Processes at once, this one among them.

    Raises:
        UsageError: The path is not of the format, the report cannot be written there, or the
            reader cannot be asked.
        SourceError: The files changed while they were audited.
    """
    _refuse_target(path, out)
    with Pool(workers) as pool:
        curated = curate_foreign(format_name, path, pool, order=order, certifies=True)
    root = path if path.is_dir() else path.parent
    audited = Audited(
        name=path.resolve().name,
        format=format_name,
        root=root,
        bundles=curated.bundles,
        findings=curated.findings,
        origins=curated.origins,
        rules={rule.id: rule for rules in (FORMATS[format_name].rules, RULES) for rule in rules},
    )
    errata = errata_of(audited, curated.counts, curated.verdicts)
    return AuditReport(
        report=str(out),
        errata=str(out.with_suffix(".json")),
        patch=_write(errata, root, out, curated.read),
        format=format_name,
        records=errata.records,
        verdicts=errata.verdicts,
        entries=dict(Counter(str(entry.certainty) for entry in errata.errata)),
        findings=curated.findings,
        reading=curated.reading,
    )


def _refuse_target(path: Path, out: Path) -> None:
    if out.is_dir():
        raise UsageError(f"{out}: expected a file for the report, got a folder; name a file")
    if out.suffix in _BESIDE:
        raise UsageError(
            f"{out}: expected the name of a Markdown file, got '{out.name}'; errata in JSON and "
            f"the patch are written beside it: name {out.with_suffix('.md')}"
        )
    data, targets = path.resolve(), [out.with_suffix(end).resolve() for end in (".md", *_BESIDE)]
    inside = path.is_dir() and any(each.is_relative_to(data) for each in targets)
    if inside or data in (out.resolve(), *targets):
        # A folder's JSON files are its data: the errata would be read with them the next time.
        raise UsageError(
            f"{out}: expected a report outside the data, got one in or over {path}; "
            "name a file elsewhere with --out"
        )


def _write(errata: Errata, root: Path, out: Path, read: Mapping[str, str] | None) -> str | None:
    """Write the page, the JSON and the patch; gives the patch's path if there is one."""
    diff, left = text_patch(root, errata.patch)
    patch = out.with_suffix(".patch")
    page = errata_page(errata, patch.name if diff else None, left, read)
    write_durably(out, page.encode("utf-8"))
    document = errata.model_dump_json(indent=2, exclude_unset=True) + "\n"
    write_durably(out.with_suffix(".json"), document.encode("utf-8"))
    if diff:
        write_durably(patch, diff.encode("utf-8"))
        return str(patch)
    # One of an earlier audit would mend what is no longer wrong.
    patch.unlink(missing_ok=True)
    return None

"""What the command line asks for when it audits somebody's data set."""

from collections import Counter
from pathlib import Path

from memassay.exports.formats.registry import FORMATS
from memassay.exports.reports.audit_report import Audited, audit_report
from memassay.flows.services.checks import count_kinds, curate_foreign
from memassay.flows.store.blob_folder import write_durably
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.finding import Finding
from memassay.validators.check import RULES


class AuditReport(Shape):
    """What an audit found and where its report is."""

    report: str
    format: str
    records: dict[str, int]
    verdicts: dict[str, int]
    findings: list[Finding]


def audit_path(path: Path, format_name: str, out: Path) -> AuditReport:
    """Import, validate, compare and assay foreign files; write a report for their maintainers.

    Args:
        path: File or folder of the data set; it is not changed.
        format_name: Name of its format.
        out: The Markdown file to write; an earlier one is replaced.

    Raises:
        UsageError: The path is not of the format, or the report cannot be written there.
    """
    if out.is_dir():
        raise UsageError(f"{out}: expected a file for the report, got a folder; name a file")
    curated = curate_foreign(format_name, path)
    root = path if path.is_dir() else path.parent
    audited = Audited(
        name=path.resolve().name,
        format=format_name,
        files={name: _relative(file, root) for name, file in curated.files.items()},
        bundles=curated.bundles,
        findings=curated.findings,
        held_out=curated.held_out,
        certificates=curated.certificates,
        rules={rule.id: rule for rules in (FORMATS[format_name].rules, RULES) for rule in rules},
    )
    write_durably(out, audit_report(audited).encode("utf-8"))
    records = [record for bundle in curated.bundles for record in bundle.records()]
    verdicts = Counter(str(certificate.verdict) for certificate in curated.certificates)
    return AuditReport(
        report=str(out),
        format=format_name,
        records=count_kinds(records),
        verdicts=dict(sorted(verdicts.items())),
        findings=curated.findings,
    )


def _relative(file: Path, root: Path) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name

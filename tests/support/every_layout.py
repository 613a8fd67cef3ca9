"""A release in every layout that can be written."""

from pathlib import Path

from memassay.exports.formats.registry import FORMATS
from memassay.flows.services.releases import export_release
from memassay.schemas.contracts.protocols import ForeignFormat

LAYOUTS = sorted(name for name, form in FORMATS.items() if isinstance(form, ForeignFormat))


def lost_silently(release: Path, out: Path) -> dict[str, int]:
    """How many questions an export neither writes nor lists, by layout; none if all is well."""
    lost = {}
    for layout in LAYOUTS:
        report = export_release(release, layout, out / layout)
        listed = sum(row["number"] for row in report.questions_left_out)
        lost[layout] = report.of - report.questions - listed
    return {layout: number for layout, number in lost.items() if number}

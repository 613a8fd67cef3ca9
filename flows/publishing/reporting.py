"""`memassay report`: the page about a release, with what its workspace alone knows."""

from pathlib import Path
from typing import Any

from memassay.exports.release.reader import open_release
from memassay.exports.reports.page.page_counts import PageCounts
from memassay.exports.reports.page.report_page import report_page
from memassay.flows.review.reports import review_report
from memassay.flows.services.models import cost
from memassay.flows.services.releases import StatsCounts
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.places.address import Place
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError


class PageReport(Shape):
    """Where the page is, and what is in it."""

    report: str
    bytes: int
    questions: int
    samples: int


def write_report(release: Path, out: Path | None = None, place: Place | None = None) -> PageReport:
    """Write the page of a release.

    Args:
        release: Folder of the release.
        out: File to write; without it, `report-RELEASE.html` in the working directory.
        place: Workspace whose cost and agreement are shown; a release holds neither.

    Raises:
        UsageError: There is no such release or workspace, or the page cannot stand there.
        ReleaseError: A file of the release is damaged.
    """
    opened = open_release(release)
    page_file = out or Path(f"report-{release.resolve().name}.html")
    _demand_place(page_file, release)
    spent, review = _run_figures(place) if place else (None, None)
    counted, stats = PageCounts(opened.certificates()), StatsCounts(opened)
    for bundle in opened.bundles():
        counted.add(bundle)
        stats.add(bundle)
    page = report_page(opened, counted, stats.tables(), spent, review)
    data = page.html.encode("utf-8")
    write_durably(page_file, data)
    return PageReport(
        report=str(page_file), bytes=len(data), questions=page.questions, samples=page.samples
    )


def _run_figures(place: Place) -> tuple[dict[str, Any], dict[str, Any]]:
    with open_workspace(place) as workspace:
        return cost(workspace).model_dump(mode="json"), review_report(workspace)


def _demand_place(page: Path, release: Path) -> None:
    """Refuse a place where no file can stand, or inside the release, which never changes."""
    if page.is_dir():
        raise UsageError(f"{page}: expected a file to write, got a folder; name a file in it")
    if not page.parent.is_dir():
        raise UsageError(
            f"{page}: expected a folder that exists, got none at {page.parent}; make it first"
        )
    if page.resolve().is_relative_to(release.resolve()):
        raise UsageError(
            f"{page}: expected a file outside the release, got one inside; a release never "
            "changes, choose another place with --out"
        )

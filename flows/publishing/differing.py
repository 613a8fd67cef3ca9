"""What the command line asks of two releases: what differs, and which version that is due."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from memassay.exports.differences.compare import ReleaseDiff, compare
from memassay.exports.differences.page import page
from memassay.exports.release.reader import open_release
from memassay.flows.publishing.versions import Bump, due
from memassay.flows.services.drafts import changes_of
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError


class DiffReport(Shape):
    """All that differs between two releases."""

    diff: ReleaseDiff
    due: Annotated[Bump | None, Field(description="Part of the version; null if nothing differs.")]
    page: Annotated[str | None, Field(description="The page that was written, if any.")]


def diff_releases(before: Path, after: Path, html: Path | None = None) -> DiffReport:
    """What differs between two releases; with `html`, also as a page.

    Raises:
        UsageError: A folder is no release, or the page cannot be written.
        ReleaseError: A file of one is damaged.
    """
    diff = compare(open_release(before), open_release(after))
    if html is not None:
        if html.is_dir() or not html.parent.is_dir():
            raise UsageError(
                f"{html}: expected a file to write to, got no such folder, or a folder"
            )
        html.write_text(page(diff), encoding="utf-8", newline="\n")
    return DiffReport(
        diff=diff,
        due=due(changes_of(diff)) if diff.differences else None,
        page=str(html) if html else None,
    )

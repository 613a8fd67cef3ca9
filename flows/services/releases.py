"""What the command line asks of releases: other layouts and the papers' tables."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from memassay.exports.release.layout import unfit_document
from memassay.exports.release.parts.layout_files import LayoutFiles
from memassay.exports.release.parts.layout_part import LayoutPart, lay_out
from memassay.exports.release.reader import Release, open_release
from memassay.exports.reports.collection_stats import (
    CollectionCounts,
    CollectionStats,
    audit_figures,
    bank_figures,
)
from memassay.exports.reports.life_stats import LifeCounts
from memassay.exports.reports.unfit_summary import parts_lost, questions_lost
from memassay.flows.recipes.registry import PATHS, missing_path
from memassay.flows.stages.import_stage import foreign_format
from memassay.flows.store.folders import new_folder
from memassay.flows.workers.pool import Pool
from memassay.schemas.base import Shape
from memassay.schemas.contracts.figures import Figure
from memassay.schemas.contracts.paths import benchmark_of
from memassay.schemas.contracts.protocols import StrictFormat
from memassay.schemas.records.bundle import Bundle


class ExportReport(Shape):
    """What an export wrote, and what it left out."""

    folder: str
    format: str
    strict: bool
    conversations: int
    questions: int
    of: int
    questions_left_out: list[dict[str, Any]]
    parts_without_a_place: list[dict[str, Any]]
    unfit: list[dict[str, str]]


def export_release(release: Path, format_name: str, out: Path, workers: int = 1) -> ExportReport:
    """Write a release in a foreign layout, and `unfit.json`: what has no place in it.

    Args:
        release: Folder of the release.
        format_name: Name of the layout.
        out: New folder to write to.
        workers: Processes that share the conversations.

    Raises:
        UsageError: The release or the format does not exist, or `out` is not empty.
        ReleaseError: A file of the release is damaged.
    """
    layout = foreign_format(format_name)
    opened = open_release(release)
    ids = opened.ids()
    written = asked = 0
    with new_folder(out) as folder, Pool(workers) as pool:
        files = LayoutFiles(folder, layout.arrange(ids), opened.blobs)
        message = (release, opened.manifest.content_sha256, format_name)
        for one in pool.map(_lay_out, message, ids):
            written += one.written - len(files.add(one.conversation, one.part))
            asked += one.asked
        files.close()
        unfit = [*files.lost, *files.unfit]
    return ExportReport(
        folder=str(out),
        format=format_name,
        strict=isinstance(layout, StrictFormat),
        conversations=len(ids),
        questions=written,
        of=asked,
        questions_left_out=[row._asdict() for row in questions_lost(unfit)],
        parts_without_a_place=[row._asdict() for row in parts_lost(unfit)],
        unfit=[unfit_document(each) for each in unfit],
    )


class _LaidOut(NamedTuple):
    """A conversation in a layout: how many of its questions are there, of how many."""

    conversation: str
    part: LayoutPart
    written: int
    asked: int


def _lay_out(asked: tuple[Path, str, str], conversation: str) -> _LaidOut:
    """One conversation of a release in a layout, in whichever process."""
    folder, content, format_name = asked
    release = _opened_release(folder, content)
    bundle = release.bundle(conversation)
    kept, part = lay_out(foreign_format(format_name), bundle, release.blobs)
    return _LaidOut(conversation, part, len(kept.questions), len(bundle.questions))


@lru_cache(maxsize=1)
def _opened_release(folder: Path, _content: str) -> Release:
    """A release of some content, which the command has verified."""
    return open_release(folder, verify=False)


def path_not_installed(release: Path) -> str:
    """The path of a release if no package that is installed declares it; else nothing.

    Raises:
        UsageError: There is no such release.
    """
    return missing_path(open_release(release).manifest.recipe)


def release_stats(release: Path) -> list[dict[str, Any]]:
    """Counts of a release beside what the papers print, collection by collection.

    Raises:
        UsageError: There is no such release.
        ReleaseError: A file of the release is damaged.
    """
    opened = open_release(release)
    counts = StatsCounts(opened)
    for bundle in opened.bundles():
        counts.add(bundle)
    return counts.tables()


class StatsCounts:
    """The same of a release that is open, while its conversations pass by."""

    def __init__(self, opened: Release) -> None:
        """Count what its lists say; the conversations follow."""
        self._opened = opened
        self._collections = CollectionCounts(PATHS)
        self._lives = LifeCounts(opened.clusters(), opened.alterations())

    def add(self, bundle: Bundle) -> None:
        """Count a conversation; they come in natural order of their ids."""
        self._collections.add(bundle)
        self._lives.add(bundle)

    def tables(self) -> list[dict[str, Any]]:
        """What was counted, collection by collection."""
        # Banks and audits are of runs that write a collection; those have one.
        bank = list(self._opened.bank())
        audits = audit_figures(list(self._opened.flaws()), self._opened.repairs())
        return [
            _document(
                each,
                [
                    *bank_figures(bank, benchmark_of(each.collection, PATHS).types),
                    *audits,
                    *self._lives.figures(each.collection),
                ],
            )
            for each in self._collections.stats()
        ]


def _document(stats: CollectionStats, audits: Sequence[Figure]) -> dict[str, Any]:
    return {
        "collection": stats.collection,
        "source": stats.source,
        "conversations": [
            {"name": row.name, "ours": row.ours._asdict(), "paper": row.paper._asdict()}
            for row in stats.conversations
        ],
        "types": [
            {
                "code": row.code,
                "name": row.name,
                "ours": row.ours._asdict(),
                "paper": row.paper._asdict(),
            }
            for row in stats.types
        ],
        "figures": [{"title": each.title, "rows": each.rows} for each in (*stats.figures, *audits)],
    }

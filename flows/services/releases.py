"""What the command line asks of releases: other layouts, scores and the papers' tables."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memassay.exports.formats.registry import FORMATS
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
from memassay.flows.store.errata_file import concerned_items, errata_of
from memassay.flows.store.folders import new_folder
from memassay.flows.workers.pool import Pool
from memassay.schemas.base import Shape
from memassay.schemas.contracts.figures import Figure
from memassay.schemas.contracts.paths import benchmark_of
from memassay.schemas.contracts.protocols import Metric, ScoredFormat, StrictFormat
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle

if TYPE_CHECKING:
    from memassay.exports.scores.answer_evaluation import AnswerReport
    from memassay.exports.scores.prediction_file import Predictions


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


def evaluate_release(
    release: Path,
    memory: str | None = None,
    predictions: Path | None = None,
    errata: Path | None = None,
    captions: str | None = None,
) -> dict[str, Any]:
    """Scores of a memory's retrieval, or of somebody's answers.

    Args:
        release: Folder of the release.
        memory: Name of a memory, as `exports.scores.memory_systems.memory_by_name` takes it.
        predictions: JSON Lines of answers, one object a line.
        errata: A file of errata, or a later release that lists them: what they find wrong is
            left out of a second score, `errata.scores`.
        captions: What the memory is given as captions, one of `exports.scores.memories.Captions`.

    Raises:
        UsageError: There is no such release or memory, both or neither way is asked for, or a
            line of the predictions cannot be used.
        ReleaseError: A file of the release is damaged.
    """
    if (memory is None) == (predictions is None):
        raise UsageError("expected one of --memory and --predictions, got both or neither")
    if captions is not None and memory is None:
        raise UsageError(
            f"expected --captions with --memory, got --captions {captions} with answers, which "
            "your system has already given; leave it out"
        )
    opened = open_release(release)

    def scores(left_out: Collection[str] = ()) -> dict[str, Any]:
        if predictions is not None:
            return score_answers(opened, predictions, left_out).model_dump(mode="json")
        from memassay.exports.scores.memories import Captions
        from memassay.exports.scores.retrieval_evaluation import evaluate_retrieval

        given = Captions(captions) if captions is not None else None
        report = evaluate_retrieval(opened, str(memory), left_out=left_out, captions=given)
        return report.model_dump(mode="json")

    if errata is None:
        return scores()
    wrong = concerned_items(opened, errata_of(errata))
    left_out = [
        {"erratum": one.id, "item": item, "problem": one.problem} for item, one in wrong.items()
    ]
    return {**scores(), "errata": {"left_out": left_out, "scores": scores(wrong)}}


def score_answers(
    opened: Release, predictions: "Predictions", left_out: Collection[str] = ()
) -> "AnswerReport":
    """Scores of answers, those of the metrics of the release's formats and paths among them.

    Raises:
        UsageError: A prediction cannot be used, or no id is one of the release.
    """
    from memassay.exports.scores.answer_evaluation import evaluate_predictions

    metrics = metrics_of(opened)
    return evaluate_predictions(opened, predictions, left_out=left_out, metrics=metrics)


def metrics_of(opened: Release) -> dict[str, Mapping[str, Metric]]:
    """By collection of a release, the metrics of its format and of its path."""
    found: dict[str, Mapping[str, Metric]] = {}
    for name in sorted(opened.collections):
        layout = FORMATS.get(name)
        of_layout = layout.metrics if isinstance(layout, ScoredFormat) else {}
        found[name] = {**of_layout, **(PATHS[name].metrics if name in PATHS else {})}
    return found


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

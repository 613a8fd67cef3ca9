"""Scores answers with every metric that the formats and paths of a release have."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.reader import Release
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.contracts.protocols import Metric, ScoredFormat

if TYPE_CHECKING:
    from memassay.exports.scores.answer_evaluation import AnswerReport
    from memassay.exports.scores.prediction_file import Predictions


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

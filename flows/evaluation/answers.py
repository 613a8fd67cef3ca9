"""Scores answers with every metric that the formats and paths of a release have."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from memassay.exports.formats.registry import FORMATS
from memassay.exports.lifecycle.stage_metrics import Verdict
from memassay.exports.release.reader import Release
from memassay.flows.evaluation.judging import Judge, Judgement
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.contracts.protocols import Metric, ScoredFormat
from memassay.schemas.records.question import QAItem

if TYPE_CHECKING:
    from memassay.exports.scores.answer_evaluation import AnswerReport
    from memassay.exports.scores.prediction_file import Predictions


def score_answers(
    opened: Release,
    predictions: "Predictions",
    left_out: Collection[str] = (),
    judged: Mapping[str, Metric] = MappingProxyType({}),
) -> "AnswerReport":
    """Scores of answers, those of the metrics of the release's formats and paths among them.

    Args:
        opened: The release.
        predictions: The answers.
        left_out: Ids of questions that do not count.
        judged: Further metrics of every collection, those of a judge.

    Raises:
        UsageError: A prediction cannot be used, or no id is one of the release.
    """
    from memassay.exports.scores.answer_evaluation import evaluate_predictions

    metrics = {name: {**own, **judged} for name, own in metrics_of(opened).items()}
    return evaluate_predictions(opened, predictions, left_out=left_out, metrics=metrics)


def judged_metrics(
    opened: Release, predictions: "Predictions", judge: Judge | None
) -> dict[str, Metric]:
    """The scores of a judge as metrics, by their names; none without a judge.

    Raises:
        UsageError: A prediction cannot be used.
        EndpointError: The judge's endpoint answers nobody.
    """
    if judge is None:
        return {}
    from memassay.exports.scores.answer_evaluation import read_answers

    given = read_answers(opened, predictions).by_id
    asked = (
        (bundle, item, given[item.id].answer)
        for bundle in opened.bundles()
        for item in bundle.questions
        if item.id in given
    )
    judged = judge.judge(asked)

    def score(item: QAItem, _answer: str) -> float | None:
        # Who gives no answer is not right; where the judge's reply cannot be used, nobody knows.
        found = judged.get(item.id, Judgement(0.0, Verdict.OMISSION))
        return found.score if found else None

    def share(kind: Verdict) -> Metric:
        def metric(item: QAItem, _answer: str) -> float | None:
            found = judged.get(item.id, Judgement(0.0, Verdict.OMISSION))
            return float(found.verdict is kind) if found and found.verdict else None

        return metric

    metrics: dict[str, Metric] = {judge.name: score}
    if any(one and one.verdict for one in judged.values()):
        metrics |= {f"{judge.name}, {kind}": share(kind) for kind in Verdict}
    return metrics


def metrics_of(opened: Release) -> dict[str, Mapping[str, Metric]]:
    """By collection of a release, the metrics of its format and of its path."""
    found: dict[str, Mapping[str, Metric]] = {}
    for name in sorted(opened.collections):
        layout = FORMATS.get(name)
        of_layout = layout.metrics if isinstance(layout, ScoredFormat) else {}
        found[name] = {**of_layout, **(PATHS[name].metrics if name in PATHS else {})}
    return found

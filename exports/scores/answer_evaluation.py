"""Scores answers on a release: by type, in every variant that fits its items."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from memassay.exports.release.public.tables import public_ids
from memassay.exports.scores.answer_metrics import ANSWER_METRICS, AnswerMetric
from memassay.exports.scores.history_feeding import rounds_at
from memassay.exports.scores.memory_systems import evidence_rounds
from memassay.exports.scores.prediction_file import (
    Prediction,
    PredictionFile,
    Predictions,
    read_predictions,
)
from memassay.exports.scores.retrieval_evaluation import (
    CUTOFFS,
    Breakdown,
    Labels,
    RetrievalScores,
    Retrieved,
    breakdown,
    check_cutoffs,
    check_places,
    labels_of,
    retrieval_scores,
)
from memassay.exports.scores.retrieval_metrics import OURS
from memassay.schemas.base import Shape
from memassay.schemas.blame import advice, blaming
from memassay.schemas.contracts.protocols import Metric, ReleaseReader
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem

GENERAL: Final = ("mem-gallery", "mem-gallery-paper")
"""Variants that score every item with a gold answer."""


class SecondsSummary(Shape):
    """How long the answers took, in seconds, over the predictions that say so."""

    count: int
    mean: float
    median: float
    largest: float


class AnswerReport(Shape):
    """How right the answers of a file are.

    Attributes:
        release: Name of the data set.
        version: Version of the release.
        questions: Number of questions of the release.
        answered: How many of them the file answers.
        missing: Ids of those it does not; each scores 0.
        repeated: Ids answered more than once; the first answer counts.
        unknown: Ids the release does not have; they are not scored.
        answers: By variant and metric (`answer_metrics.ANSWER_METRICS`).
        retrieval: Scores of the retrieved rounds; empty if no line names any. A missing
            prediction scores 0, one without `retrieved` is excluded.
        seconds: None if no line says how long it took.
    """

    release: str
    version: str
    questions: int
    answered: int
    missing: list[str]
    repeated: list[str]
    unknown: list[str]
    answers: dict[str, dict[str, Breakdown]]
    retrieval: list[RetrievalScores]
    seconds: SecondsSummary | None


@dataclass(frozen=True)
class _Case:
    item: QAItem
    collection: str
    labels: Labels
    groups: list[list[str]]
    prediction: Prediction | None


_Score = Callable[[_Case], float | None]


def evaluate_predictions(
    reader: ReleaseReader,
    predictions: Predictions,
    cutoffs: Sequence[int] = CUTOFFS,
    left_out: Collection[str] = (),
    metrics: Mapping[str, Mapping[str, Metric]] | None = None,
) -> AnswerReport:
    """Score predictions.

    Args:
        reader: An opened release.
        predictions: A JSON Lines file or rows ``{"id", "answer", "retrieved"?, "seconds"?}``, or
            answers by id; an id is that of a record or the one under which the table `default`
            asks it.
        cutoffs: How many of the retrieved rounds count; all of them are scored too.
        left_out: Ids of records that are not scored, nor missed where they have no answer.
        metrics: By collection, further metrics of its questions by name.

    Raises:
        UsageError: The file cannot be read, a line is no prediction, or no id is one of the
            release; the message names it.
    """
    check_cutoffs(cutoffs)
    bundles = list(reader.bundles())
    ids = [(public, record) for one in bundles for record, public in public_ids(one).items()]
    file = read_predictions(predictions).by_record(dict(ids))
    _check_ids(file, dict(ids))
    cases = [
        _Case(
            item,
            bundle.conversation.collection,
            labels_of(bundle, item),
            evidence_rounds(bundle, item),
            _with_rounds(bundle, file.by_id.get(item.id)),
        )
        for bundle in bundles
        for item in bundle.questions
        if item.id not in left_out
    ]
    known = {case.item.id for case in cases}
    return AnswerReport(
        release=reader.manifest.name,
        version=reader.manifest.version,
        questions=len(cases),
        answered=sum(case.prediction is not None for case in cases),
        missing=[case.item.id for case in cases if case.prediction is None],
        repeated=file.repeated,
        unknown=sorted(set(file.by_id) - known - set(left_out), key=natural_key),
        answers=_answers(cases, metrics or {}),
        retrieval=_retrieval(cases, cutoffs),
        seconds=_seconds(file, known),
    )


def item_scores(
    bundle: Bundle,
    item: QAItem,
    answer: str,
    retrieved: list[str] | None = None,
    metrics: Mapping[str, Mapping[str, Metric]] | None = None,
) -> dict[str, float | None]:
    """The scores of one answer, as `variant/metric`; None where a metric does not apply.

    Args:
        bundle: The conversation.
        item: The question.
        answer: Its answer.
        retrieved: Round ids that were retrieved for it, best first; all of them count.
        metrics: As `evaluate_predictions` takes them.
    """
    prediction = Prediction(id=item.id, answer=answer, retrieved=retrieved)
    collection = bundle.conversation.collection
    groups = evidence_rounds(bundle, item)
    case = _Case(item, collection, labels_of(bundle, item), groups, prediction)
    tables = _answers([case], metrics or {})
    for scores in _retrieval([case], (1,)):
        if scores.cutoff is None and scores.variant == OURS:
            tables["retrieval"] = {name: getattr(scores, name) for name in ("recall", "precision")}
    return {
        f"{variant}/{name}": table.overall.mean
        for variant, own in tables.items()
        for name, table in own.items()
    }


def _check_ids(file: PredictionFile, records: Mapping[str, str]) -> None:
    """Refuse predictions of something else, or none: a score of 0 would say nothing."""
    known = next(iter(records.values()), "")
    if known and not set(records.values()) & set(file.by_id):
        got = repr(next(iter(file.by_id))) if file.by_id else "none"
        raise UsageError(
            f"predictions: expected ids of questions of the release, such as '{known}', got {got}; "
            "take `id` of its tables `default` or `eval`"
        )


def gold_answers(item: QAItem) -> list[str]:
    """The gold answer of an item as one text, then the wordings that are as right.

    Several values that are all needed are joined by a comma and a space, as Mem-Gallery and
    LoCoMo print them.
    """
    values = item.answer.values
    if not values:
        return list(item.answer.equivalents)
    one = item.answer.relation is AnswerRelation.ONE
    return [values[0] if one else ", ".join(values), *item.answer.equivalents]


def _answers(
    cases: Sequence[_Case], metrics: Mapping[str, Mapping[str, Metric]]
) -> dict[str, dict[str, Breakdown]]:
    tables = {
        variant: {
            name: _table(cases, _against(metric, _golds))
            for name, metric in ANSWER_METRICS[variant].items()
        }
        for variant in GENERAL
    }
    closed = {
        name: _table(own, _against(ANSWER_METRICS["closed"][name], golds))
        for name, (form, golds) in _CLOSED.items()
        if (own := [case for case in cases if case.item.answer.format is form])
    }
    for collection, own_metrics in metrics.items():
        own = [case for case in cases if case.collection == collection]
        if own and own_metrics:
            scores = {
                name: _of_item(f"metric {name} of {collection}", metric)
                for name, metric in own_metrics.items()
            }
            tables[collection] = {name: _table(own, score) for name, score in scores.items()}
    return {**tables, "closed": closed} if closed else tables


def _against(metric: AnswerMetric, golds: Callable[[_Case], list[str]]) -> _Score:
    return lambda case: metric(_answer_text(case), golds(case))


def _of_item(name: str, metric: Metric) -> _Score:
    """The score of a metric that a path or a layout gave; errors name the metric and the item."""

    def score(case: _Case) -> float | None:
        with blaming(f"{name} on {case.item.id}", metric):
            value = metric(case.item, _answer_text(case))
        if value is None or (isinstance(value, int | float) and 0.0 <= value <= 1.0):
            return value
        raise RecordError(
            f"{name} on {case.item.id}: expected a number from 0 to 1 or None, got {value!r}; "
            f"{advice(metric)}"
        )

    return score


def _table(cases: Sequence[_Case], score: _Score) -> Breakdown:
    return breakdown((case.labels, _score(case, score)) for case in cases)


def _score(case: _Case, score: _Score) -> float | None:
    """The score of a case; None where the metric cannot be applied to its gold answer."""
    try:
        value = score(case)
    except UsageError:
        return None
    # The metrics judge an answer; an empty one is wrong, even where the gold has no words.
    return 0.0 if value is not None and case.prediction is None else value


def _answer_text(case: _Case) -> str:
    return case.prediction.answer if case.prediction else ""


def _golds(case: _Case) -> list[str]:
    return gold_answers(case.item)


def _no_golds(_: _Case) -> list[str]:
    # The refusal metric wants a refusal where there is no gold answer, whatever wording is gold.
    return []


_CLOSED: Final = {
    "choice": (AnswerFormat.CHOICE, _golds),
    "image-ids": (AnswerFormat.IMAGE_ID, _golds),
    "refusal": (AnswerFormat.REFUSAL, _no_golds),
}
"""By metric: the answer format it is for, and what it compares with."""


def _with_rounds(bundle: Bundle, prediction: Prediction | None) -> Prediction | None:
    """A prediction whose finds are rounds: a turn that was retrieved is one of its round."""
    if prediction is None or prediction.retrieved is None:
        return prediction
    rounds = rounds_at(bundle, prediction.retrieved)
    return prediction.model_copy(update={"retrieved": rounds})


def _retrieval(cases: Sequence[_Case], cutoffs: Sequence[int]) -> list[RetrievalScores]:
    if not any(case.prediction and case.prediction.retrieved is not None for case in cases):
        return []
    found = [
        Retrieved(case.labels, case.prediction.retrieved if case.prediction else (), case.groups)
        for case in cases
    ]
    check_places("predictions: retrieved", found, "write the ids that the history has")
    return retrieval_scores(found, [*cutoffs, None], {case.collection for case in cases})


def _seconds(file: PredictionFile, known: set[str]) -> SecondsSummary | None:
    taken = [
        prediction.seconds
        for prediction in file.by_id.values()
        if prediction.seconds is not None and prediction.id in known
    ]
    if not taken:
        return None
    return SecondsSummary(
        count=len(taken), mean=fmean(taken), median=median(taken), largest=max(taken)
    )

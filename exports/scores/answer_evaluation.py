"""Scores answers on a release: by type, in every variant that fits its items."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from memassay.exports.release.public.tables import public_ids
from memassay.exports.scores.answer_metrics import ANSWER_METRICS, AnswerMetric
from memassay.exports.scores.evidence import evidence_rounds, rounds_at
from memassay.exports.scores.prediction_file import (
    Prediction,
    PredictionFile,
    Predictions,
    read_predictions,
)
from memassay.exports.scores.retrieval_metrics import OURS
from memassay.exports.scores.retrieval_tally import (
    CUTOFFS,
    Breakdown,
    BreakdownTally,
    Labels,
    RetrievalScores,
    RetrievalTally,
    check_cutoffs,
    labels_of,
)
from memassay.schemas.base import Shape
from memassay.schemas.blame import advice, blaming
from memassay.schemas.contracts.protocols import Metric, ReleaseReader
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.queries.hardness import HardnessMeter
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


_ASKED: Final = ("conversations", "questions", "assets")
"""Tables that public ids are made of."""


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
    file = read_answers(reader, predictions)
    tally = _Tally(cutoffs, metrics or {})
    for bundle in reader.bundles():
        meter = HardnessMeter(bundle)
        for item in bundle.questions:
            if item.id not in left_out:
                tally.add(_case(bundle, item, file.by_id.get(item.id), meter))
    return AnswerReport(
        release=reader.manifest.name,
        version=reader.manifest.version,
        questions=len(tally.known),
        answered=len(tally.known) - len(tally.missing),
        missing=tally.missing,
        repeated=file.repeated,
        unknown=sorted(set(file.by_id) - tally.known - set(left_out), key=natural_key),
        answers=tally.answers(),
        retrieval=tally.retrieval(),
        seconds=_seconds(file, tally.known),
    )


def read_answers(reader: ReleaseReader, predictions: Predictions) -> PredictionFile:
    """The predictions by the ids of records.

    Raises:
        UsageError: One cannot be used, or none is of the release.
    """
    records = {
        public: record
        for bundle in reader.bundles(_ASKED)
        for record, public in public_ids(bundle).items()
    }
    file = read_predictions(predictions).by_record(records)
    _check_ids(file, records)
    return file


def _case(
    bundle: Bundle, item: QAItem, prediction: Prediction | None, meter: HardnessMeter
) -> _Case:
    return _Case(
        item,
        bundle.conversation.collection,
        labels_of(bundle, item, meter),
        evidence_rounds(bundle, item),
        _with_rounds(bundle, prediction),
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
    tally = _Tally((1,), metrics or {})
    collection, groups = bundle.conversation.collection, evidence_rounds(bundle, item)
    prediction = Prediction(id=item.id, answer=answer, retrieved=retrieved)
    # Of one answer nothing is grouped, so that its conversation need not be measured for it.
    labels = Labels(item.type.value, f"{collection}/{item.benchmark_type}")
    tally.add(_Case(item, collection, labels, groups, prediction))
    tables = tally.answers()
    for scores in tally.retrieval():
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


class _Tally:
    """Scores of cases that pass by, none of which is kept."""

    def __init__(self, cutoffs: Sequence[int], metrics: Mapping[str, Mapping[str, Metric]]) -> None:
        self.known: set[str] = set()
        self.missing: list[str] = []
        self._collections: set[str] = set()
        self._general = {variant: _tallies(ANSWER_METRICS[variant]) for variant in GENERAL}
        self._closed = _tallies(_CLOSED)
        self._formats: set[AnswerFormat] = set()
        self._metrics = metrics
        self._own = {collection: _tallies(own) for collection, own in metrics.items()}
        self._retrieval = RetrievalTally([*cutoffs, None])
        self._names_rounds = False

    def add(self, case: _Case) -> None:
        """Score a case by every metric that is for it."""
        self.known.add(case.item.id)
        if case.prediction is None:
            self.missing.append(case.item.id)
        self._collections.add(case.collection)
        self._formats.add(case.item.answer.format)
        for variant, tables in self._general.items():
            for name, table in tables.items():
                metric = _against(ANSWER_METRICS[variant][name], _golds)
                table.add(case.labels, _score(case, metric))
        for name, (form, golds) in _CLOSED.items():
            if case.item.answer.format is form:
                metric = _against(ANSWER_METRICS["closed"][name], golds)
                self._closed[name].add(case.labels, _score(case, metric))
        for name, own in self._metrics.get(case.collection, {}).items():
            metric = _of_item(f"metric {name} of {case.collection}", own)
            self._own[case.collection][name].add(case.labels, _score(case, metric))
        # Where no answer came, nothing was retrieved; where none says what, nobody knows.
        found = case.prediction.retrieved if case.prediction else ()
        self._names_rounds |= case.prediction is not None and found is not None
        self._retrieval.add(case.labels, found, case.groups)

    def answers(self) -> dict[str, dict[str, Breakdown]]:
        """By variant and metric, those of which there is a case."""
        tables = {variant: _breakdowns(own) for variant, own in self._general.items()}
        for collection, own in self._own.items():
            if own and collection in self._collections:
                tables[collection] = {**tables.get(collection, {}), **_breakdowns(own)}
        closed = {
            name: own for name, own in self._closed.items() if _CLOSED[name][0] in self._formats
        }
        return {**tables, "closed": _breakdowns(closed)} if closed else tables

    def retrieval(self) -> list[RetrievalScores]:
        """Scores of the retrieved rounds; none if no prediction names any."""
        if not self._names_rounds:
            return []
        fix = "write the ids that the history has"
        self._retrieval.check_places("predictions: retrieved", fix)
        return self._retrieval.scores(self._collections)


def _tallies(names: Iterable[str]) -> dict[str, BreakdownTally]:
    return {name: BreakdownTally() for name in names}


def _breakdowns(tallies: Mapping[str, BreakdownTally]) -> dict[str, Breakdown]:
    return {name: own.breakdown() for name, own in tallies.items()}


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

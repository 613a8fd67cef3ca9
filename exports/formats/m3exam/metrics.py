"""What M3Exam's evaluator reports of answers (B.2), type by type."""

from typing import Final

from memassay.exports.scores.answer_evaluation import gold_answers
from memassay.exports.scores.answer_metrics import ANSWER_METRICS
from memassay.schemas.contracts.protocols import Metric
from memassay.schemas.records.question import QAItem

_FORMULAS: Final = ANSWER_METRICS["m3exam"]
_FIND_MATCHING, _JUDGEMENT = "fm", "fj"


def _golds(item: QAItem) -> list[str]:
    """From the exact answer to the coarsest one."""
    return [*gold_answers(item), *item.answer.coarser]


def _without(name: str, *left_out: str) -> Metric:
    """A metric of all types but those that the paper scores in another way."""

    def metric(item: QAItem, answer: str) -> float | None:
        return None if item.benchmark_type in left_out else _FORMULAS[name](answer, _golds(item))

    return metric


def _file_match(item: QAItem, answer: str) -> float | None:
    if item.benchmark_type != _FIND_MATCHING:
        return None
    return _FORMULAS["file-match"](answer, _golds(item))


METRICS: Final[dict[str, Metric]] = {
    "em": _without("em", _FIND_MATCHING),
    "f1": _without("f1", _FIND_MATCHING, _JUDGEMENT),
    "bleu-1": _without("bleu-1", _FIND_MATCHING, _JUDGEMENT),
    "file-match": _file_match,
}
"""By the paper's name."""

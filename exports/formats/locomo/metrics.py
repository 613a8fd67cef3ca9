"""The score that LoCoMo's evaluator gives an answer, by the category of its question."""

from typing import Final

from memassay.exports.scores.answer_evaluation import gold_answers
from memassay.exports.scores.answer_metrics import LOCOMO_BY_CATEGORY, locomo_score
from memassay.schemas.contracts.protocols import Metric
from memassay.schemas.records.question import QAItem


def _score(item: QAItem, answer: str) -> float | None:
    code = item.benchmark_type
    category = int(code) if code.isascii() and code.isdigit() else 0
    if category not in LOCOMO_BY_CATEGORY:
        return None
    return locomo_score(answer, gold_answers(item), category)


METRICS: Final[dict[str, Metric]] = {"score": _score}
"""By name."""

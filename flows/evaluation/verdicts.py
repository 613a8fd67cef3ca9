"""What an answer is, where nobody says so in these words (WorldMemArena B.3)."""

from typing import Final

from memassay.exports.lifecycle.stage_metrics import Verdict
from memassay.exports.scores.answer_metrics import ANSWER_METRICS
from memassay.schemas.records.question import AnswerFormat, QAItem

RIGHT: Final = 0.5
"""Score from which on an answer counts as right (our choice)."""


def wrong_verdict(item: QAItem, answer: str) -> Verdict:
    """What a wrong answer is: an omission if it gives none and there is one, else made up."""
    refuses = not answer.strip() or ANSWER_METRICS["closed"]["refusal"](answer, []) > 0
    asked = item.answerable and item.answer.format is not AnswerFormat.REFUSAL
    return Verdict.OMISSION if refuses and asked else Verdict.HALLUCINATION

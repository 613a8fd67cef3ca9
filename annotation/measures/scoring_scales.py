"""The scales on which people score answers, and when each value is to be given."""

from typing import Final

from memassay.schemas.judgements.assignment import ScaleStep
from memassay.schemas.records.question_type import QuestionType

MMRC, CORRECT = "mmrc", "correct"
SCALES: Final = (MMRC, CORRECT)
"""Names of the scales."""

CRITERIA: Final = (
    "Look for a meaningful match with the gold answer; synonyms and other wordings are as good."
)
"""What every scorer goes by, people and judges alike (MMRC Appendix I, Fig. 25-30)."""

_REASONING: Final = (
    "Full reasoning: brings several rounds together, clear, with every key detail.",
    "Partial reasoning: nearly all that is needed is there.",
    "Partial reasoning: some of it is brought together, some of the context is missing.",
    "Error in reasoning: the chain is unclear or wrong, and so is the answer.",
    "Lack of reasoning: vague or beside the point, without the conversation's context.",
)
_UPDATE: Final = (
    "Complete update: the new fact, and nothing that contradicts it.",
    "Partial update: the change is taken in, with a small omission.",
    "Partial update: some of the change is taken in, some is not.",
    "Failure to update: the outdated fact is still relied on.",
    "Incorrect update: a wrong new fact, or one that contradicts what was said.",
)
_RECALL: Final = (
    "Accurate recall: the key information, well used.",
    "Partial recall: nearly all details are there.",
    "Partial recall: some details are there, others are missed.",
    "Memory loss: important details are forgotten.",
    "Incorrect recall: details are mixed up or out of date.",
)
_MATCH: Final = (
    "It says what the gold answer says.",
    "It says nearly all of it; a detail is missing or vague.",
    "It says some of it.",
    "It says little of it, or most of what it says is wrong.",
    "It is wrong, but about the right thing.",
)
_NOTHING: Final = "Nothing in it matches: empty, refused without cause, or about something else."
"""The paper's scale begins at 0 and its criteria at 1: this one is our choice."""

_BY_TYPE: Final = {
    QuestionType.MULTI_FACT: _REASONING,
    QuestionType.KNOWLEDGE_UPDATE: _UPDATE,
    QuestionType.FACT_RECALL: _RECALL,
}
"""The paper's own criteria of its types CR, IU and MR (Appendix I); for all others, our choice."""


def scale_of(name: str, type_: QuestionType) -> list[ScaleStep]:
    """The values of a scale, best first, with the criteria of a type of question.

    Args:
        name: One of `SCALES`: `mmrc` has 5 to 0, `correct` has correct and wrong.
        type_: Type of the question.
    """
    if name == CORRECT:
        return [
            ScaleStep(value="correct", meaning="It says what the gold answer says."),
            ScaleStep(value="wrong", meaning="It does not, or contradicts it."),
        ]
    levels = (*_BY_TYPE.get(type_, _MATCH), _NOTHING)
    return [ScaleStep(value=str(5 - at), meaning=meaning) for at, meaning in enumerate(levels)]


def number_of(value: str) -> float | None:
    """A value as a number: a score as it is, correct 1 and wrong 0; None for anything else."""
    if value.isdecimal():
        return float(value)
    return {"correct": 1.0, "wrong": 0.0}.get(value)

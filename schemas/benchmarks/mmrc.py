"""MMRC: the types of its questions."""

from typing import Final

from memassay.schemas.benchmarks.shapes import Benchmark, PaperType
from memassay.schemas.records.question_type import QuestionType

TYPES: Final[dict[str, PaperType]] = {  # §3.1
    "IE": PaperType(
        "Information extraction",
        "All items of a kind, from text and images.",
        QuestionType.CROSS_MODAL,
    ),
    "CR": PaperType("Cross-turn reasoning", "Several rounds together.", QuestionType.MULTI_FACT),
    "IU": PaperType(
        "Information update", "The latest state of a fact.", QuestionType.KNOWLEDGE_UPDATE
    ),
    "IM": PaperType(
        "Image management",
        "Which images show something, or a detail of one of them.",
        QuestionType.VISUAL_REASONING,
    ),
    "MR": PaperType("Memory recall", "A detail of an earlier round.", QuestionType.FACT_RECALL),
    "AR": PaperType("Answer refusal", "What the history does not hold.", QuestionType.REFUSAL),
}

BENCHMARK: Final = Benchmark(TYPES)

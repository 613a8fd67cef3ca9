"""MMRC: the types of its questions, and its printed sizes."""

from typing import Final

from memassay.schemas.benchmarks.shapes import Benchmark, PaperTables, PaperType, Sizes, TypeSize
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

PRINTED: Final = PaperTables(
    source="MMRC, §3.3 and Table 2",
    # 5,120 dialogues of one session; 15.2 rounds and 4.65 images each.
    total=Sizes(5120, 77_824, 23_808, 28_720),
    types={
        "IE": TypeSize(5087),
        "CR": TypeSize(4789),
        "IU": TypeSize(4561),
        "IM": TypeSize(4721),
        "MR": TypeSize(4962),
        "AR": TypeSize(4600),
    },
)

BENCHMARK: Final = Benchmark(TYPES, PRINTED)

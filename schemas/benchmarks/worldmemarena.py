"""WorldMemArena: the types of its questions."""

from typing import Final

from memassay.schemas.benchmarks.shapes import Benchmark, PaperType
from memassay.schemas.records.question_type import QuestionType

TYPES: Final[dict[str, PaperType]] = {  # Table 4
    "FR": PaperType("Fact recall", "One fact stated earlier.", QuestionType.FACT_RECALL),
    "DU": PaperType(
        "Dynamic update", "The latest version of a changed fact.", QuestionType.KNOWLEDGE_UPDATE
    ),
    "MB": PaperType("Memory boundary", "What memory does not hold; abstain.", QuestionType.REFUSAL),
    "MC": PaperType(
        "Memory conflict",
        "Which of two disagreeing facts holds, by context.",
        QuestionType.CONFLICT,
    ),
    "TR": PaperType(
        "Temporal reasoning", "Timing, order or duration of events.", QuestionType.TEMPORAL
    ),
    "KR": PaperType(
        "Knowledge reasoning",
        "Stored facts with general knowledge of the world.",
        QuestionType.EXTERNAL_KNOWLEDGE,
    ),
    "TTL": PaperType(
        "Test-time learning",
        "A rule or skill taught earlier, applied.",
        QuestionType.LEARNED_CONCEPT,
    ),
    "VFR": PaperType(
        "Visual fact recall", "A fact that one image shows.", QuestionType.VISUAL_RECALL
    ),
    "VS": PaperType(
        "Visual search", "Where in the visual memory something is.", QuestionType.VISUAL_SEARCH
    ),
    "VU": PaperType(
        "Visual update", "The latest of a changed visual state.", QuestionType.VISUAL_UPDATE
    ),
    "CMR": PaperType(
        "Cross-modal reasoning", "Text and images together.", QuestionType.CROSS_MODAL
    ),
}

BENCHMARK: Final = Benchmark(TYPES)

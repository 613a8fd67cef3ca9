"""M2A: the types of its questions."""

from typing import Final

from memassay.schemas.benchmarks.locomo import TYPES as LOCOMO
from memassay.schemas.benchmarks.shapes import Benchmark, PaperType
from memassay.schemas.records.question_type import QuestionType

# §5.1 and C, step 3; 1 to 4 are LoCoMo's, 5 is no longer LoCoMo's adversarial type.
TYPES: Final[dict[str, PaperType]] = {
    **{code: paper_type for code, paper_type in LOCOMO.items() if code != "5"},
    "5": PaperType(
        "Visual retrieval",
        "A question about a new image of a concept that the dialogue introduced.",
        QuestionType.LEARNED_CONCEPT,
    ),
    "adversarial": PaperType(
        "Adversarial",
        "LoCoMo's fifth category, which M2A leaves out.",
        QuestionType.REFUSAL,
    ),
    "6": PaperType(
        "Visual multi-hop",
        "Facts of several turns about pictured concepts.",
        QuestionType.MULTI_FACT,
    ),
    "7": PaperType(
        "Visual temporal", "When something about a pictured concept was.", QuestionType.TEMPORAL
    ),
    "8": PaperType(
        "Visual open-domain",
        "General knowledge about what an image shows.",
        QuestionType.EXTERNAL_KNOWLEDGE,
    ),
    "9": PaperType(
        "Visual single-hop", "One fact about a pictured concept.", QuestionType.FACT_RECALL
    ),
}

BENCHMARK: Final = Benchmark(TYPES)

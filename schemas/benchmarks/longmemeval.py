"""LongMemEval: the types of its questions."""

from typing import Final

from memassay.schemas.benchmarks.shapes import Benchmark, PaperType
from memassay.schemas.records.question_type import QuestionType

TYPES: Final[dict[str, PaperType]] = {
    "single-session-user": PaperType(
        "Single-session, user", "A fact the user stated.", QuestionType.FACT_RECALL
    ),
    "single-session-assistant": PaperType(
        "Single-session, assistant", "A fact the assistant stated.", QuestionType.FACT_RECALL
    ),
    "single-session-preference": PaperType(
        "Single-session, preference",
        "A reply that fits what the user likes.",
        QuestionType.IMPLICIT,
    ),
    "multi-session": PaperType(
        "Multi-session", "Facts of several sessions.", QuestionType.MULTI_FACT
    ),
    "temporal-reasoning": PaperType(
        "Temporal reasoning", "Dates, order or spans.", QuestionType.TEMPORAL
    ),
    "knowledge-update": PaperType(
        "Knowledge update", "The latest state of a fact.", QuestionType.KNOWLEDGE_UPDATE
    ),
}

BENCHMARK: Final = Benchmark(TYPES, explains_refusals=True)

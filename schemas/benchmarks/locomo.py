"""LoCoMo: the types of its questions, and its printed sizes."""

from typing import Final

from memassay.schemas.benchmarks.shapes import Benchmark, PaperTables, PaperType, Sizes, TypeSize
from memassay.schemas.records.question_type import QuestionType

TYPES: Final[dict[str, PaperType]] = {
    "1": PaperType("Multi-hop", "Facts of several turns together.", QuestionType.MULTI_FACT),
    "2": PaperType("Temporal", "When something was, or how long.", QuestionType.TEMPORAL),
    "3": PaperType(
        "Open-domain", "The history with general knowledge.", QuestionType.EXTERNAL_KNOWLEDGE
    ),
    "4": PaperType("Single-hop", "A fact of one turn.", QuestionType.FACT_RECALL),
    "5": PaperType(
        "Adversarial", "What the history does not say, asked as if it did.", QuestionType.REFUSAL
    ),
}

PRINTED: Final = PaperTables(
    source="LoCoMo, the ten released conversations",
    # Images are its 910 addresses and data: images, and 316 captions without an image.
    total=Sizes(272, 5882, 1226, 1986, 0),
    types={
        "1": TypeSize(282, 3.13),
        "2": TypeSize(321, 1.17),
        "3": TypeSize(96, 2.08),
        "4": TypeSize(841, 1.07),
        "5": TypeSize(446, 1.03),
    },
)

BENCHMARK: Final = Benchmark(TYPES, PRINTED)

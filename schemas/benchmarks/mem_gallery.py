"""Mem-Gallery: the types of its questions, and its printed sizes."""

from typing import Final

from memassay.schemas.benchmarks.shapes import Benchmark, PaperTables, PaperType, Sizes, TypeSize
from memassay.schemas.records.question_type import QuestionType

TYPES: Final[dict[str, PaperType]] = {  # §3.3 and A.3
    "FR": PaperType("Factual retrieval", "A fact stated earlier.", QuestionType.FACT_RECALL),
    "VS": PaperType(
        "Visual-centric search",
        "The ids of all images that fit, in ascending order.",
        QuestionType.VISUAL_SEARCH,
    ),
    "TTL": PaperType(
        "Test-time learning",
        "What the history taught, applied to an image it has not shown.",
        QuestionType.LEARNED_CONCEPT,
    ),
    "TR": PaperType("Temporal reasoning", "When, or in which order.", QuestionType.TEMPORAL),
    "VR": PaperType(
        "Visual-centric reasoning",
        "Visual cues and text together give what neither says.",
        QuestionType.VISUAL_REASONING,
    ),
    "MR": PaperType(
        "Multi-entity reasoning",
        "Relations among several people, things or images.",
        QuestionType.MULTI_FACT,
    ),
    "KR": PaperType(
        "Knowledge resolution",
        "The latest state after a correction or change.",
        QuestionType.KNOWLEDGE_UPDATE,
    ),
    "CD": PaperType(
        "Conflict detection",
        "Whether new information contradicts the history: yes or no.",
        QuestionType.CONFLICT,
    ),
    "AR": PaperType("Answer refusal", "What the history never mentions.", QuestionType.REFUSAL),
}

FORMAT_PROMPTS: Final = {
    "VS": "Return the image_id of the image(s). If there are multiple images, sort them in "
    "ascending order and separate them by commas. Format example: "
    '"D2:IMG_003, D2:IMG_010, D10:IMG_002" (for format reference only).',
    "CD": "Please check whether this information conflicts with the conversation, and reply "
    'strictly with either "Yes." or "No."',
    "AR": "Provide your answer based on the information in the conversation. Only if the "
    "information about the question is not present in the conversation, reply with: "
    '"Not mentioned."',
}
"""What readers are shown of the form of the answer, of the three types that have one (Figure 9)."""

PRINTED: Final = PaperTables(
    source="Mem-Gallery, Tables 2, 5 and 6",
    total=Sizes(240, 3962, 1003, 1711, 487),
    types={
        "FR": TypeSize(219, 2.90),
        "VS": TypeSize(306, 1.91),
        "TTL": TypeSize(337, 4.09),
        "TR": TypeSize(123, 1.74),
        "VR": TypeSize(174, 3.05),
        "MR": TypeSize(206, 2.17),
        "KR": TypeSize(81, 2.21),
        "CD": TypeSize(81, 1.70),
        "AR": TypeSize(184),
    },
    conversations={
        "AI, Robotics, Automation, Future Tech": Sizes(12, 185, 31, 57, 8),
        "Academic, Animal, Pet, Research, Life": Sizes(14, 177, 45, 77, 28),
        "Architecture, Art, Culture, Exhibition, Technology": Sizes(14, 186, 30, 74, 6),
        "Astronomy, Physics, Scientific Experiments, Cosmology": Sizes(11, 203, 30, 54, 2),
        "Baking, Dessert, Daily Life, Skill": Sizes(15, 262, 57, 111, 32),
        "Dog, Behavior, Research, Academic, Life": Sizes(11, 180, 38, 63, 21),
        "Education, Career, Research, Lifestyle": Sizes(12, 227, 56, 106, 21),
        "Entrepreneurship, Blockchain, Economics, Logistics, Nature": Sizes(10, 144, 36, 90, 25),
        "Fashion, Personal Care, Lifestyle, Shopping": Sizes(9, 168, 37, 61, 13),
        # The paper prints "Culture"; its file is named "Cultural".
        "Global Travel, Cultural, Sightseeing": Sizes(10, 176, 66, 87, 29),
        "Global Travel, Sustainable Fashion, Design": Sizes(9, 159, 53, 78, 29),
        "Home, Health, Lifestyle, Product": Sizes(10, 163, 36, 74, 8),
        "Home, Repair, Maintenance, Cleaning": Sizes(18, 270, 43, 68, 0),
        "Landscape, Travel, Architecture, Nature": Sizes(11, 173, 64, 92, 38),
        "Music, Dance, Theater, Performance, Learning": Sizes(14, 220, 43, 57, 1),
        "Nature, Economics, Programming, Student Life": Sizes(10, 201, 78, 136, 67),
        "Parenting, Commuting, Hobbies, Travel, Gear": Sizes(16, 221, 48, 82, 14),
        "Python, Botany, AI, Student Life": Sizes(12, 252, 117, 205, 110),
        "Real Estate, Home Decor, DIY, Lifestyle": Sizes(11, 196, 53, 75, 11),
        "Technology, Ethics, Future Society": Sizes(11, 199, 42, 64, 24),
    },
)

BENCHMARK: Final = Benchmark(TYPES, PRINTED)

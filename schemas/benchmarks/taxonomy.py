"""One taxonomy of question types, with the crosswalk to each paper's own codes."""

from enum import StrEnum
from typing import Final, NamedTuple


class QuestionType(StrEnum):
    """What a question asks of a memory, in our words."""

    FACT_RECALL = "fact_recall"
    MULTI_FACT = "multi_fact"
    TEMPORAL = "temporal"
    CROSS_MODAL = "cross_modal"
    VISUAL_RECALL = "visual_recall"
    VISUAL_SEARCH = "visual_search"
    VISUAL_REASONING = "visual_reasoning"
    VISUAL_UPDATE = "visual_update"
    KNOWLEDGE_UPDATE = "knowledge_update"
    CONFLICT = "conflict"
    REFUSAL = "refusal"
    LEARNED_CONCEPT = "learned_concept"
    THEMATIC = "thematic"
    JUDGEMENT = "judgement"
    IMPLICIT = "implicit"
    EXTERNAL_KNOWLEDGE = "external_knowledge"


class PaperType(NamedTuple):
    """A question type as a paper defines it.

    Attributes:
        name: The paper's name for it.
        meaning: What it asks, in one sentence of ours.
        type: The nearest type of our taxonomy.
    """

    name: str
    meaning: str
    type: QuestionType


_M3EXAM: Final = {  # §2.2 and A.3
    "ss": PaperType("Single-session", "One detail, stated in one round.", QuestionType.FACT_RECALL),
    "ms": PaperType(
        "Multi-session",
        "Facts of at least two sessions, connected or compared.",
        QuestionType.MULTI_FACT,
    ),
    "tr": PaperType(
        "Temporal reasoning", "Dates, order of events or time spans.", QuestionType.TEMPORAL
    ),
    "mr": PaperType(
        "Multimodal reasoning",
        "A number, label, rank or sum read from a chart or page and not in the text.",
        QuestionType.VISUAL_REASONING,
    ),
    "fm": PaperType(
        "Find-matching image",
        "The one image that a description fits, among look-alikes.",
        QuestionType.VISUAL_SEARCH,
    ),
    "th": PaperType(
        "Thematic reasoning",
        "A procedure or rationale of at least three steps, in order.",
        QuestionType.THEMATIC,
    ),
    "fj": PaperType(
        "Factual judgement",
        "The right one of four options that stand in the question.",
        QuestionType.JUDGEMENT,
    ),
    "ii": PaperType(
        "Implicit inference",
        "What is never said but follows from clues of several rounds.",
        QuestionType.IMPLICIT,
    ),
}
_MEM_GALLERY: Final = {  # §3.3 and A.3
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
_LOCOMO: Final = {
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
_M2A: Final = {  # §5.1 and C, step 3; 1 to 4 are LoCoMo's, 5 replaces LoCoMo's adversarial type
    **{code: paper_type for code, paper_type in _LOCOMO.items() if code != "5"},
    "5": PaperType(
        "Visual retrieval",
        "A question about a new image of a concept that the dialogue introduced.",
        QuestionType.LEARNED_CONCEPT,
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
_WORLDMEMARENA: Final = {  # Table 4
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
_MMRC: Final = {  # §3.1
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
_LONGMEMEVAL: Final = {
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

PAPER_TYPES: Final[dict[str, dict[str, PaperType]]] = {
    "m3exam": _M3EXAM,
    "mem-gallery": _MEM_GALLERY,
    "locomo": _LOCOMO,
    "m2a": _M2A,
    "worldmemarena": _WORLDMEMARENA,
    "mmrc": _MMRC,
    "longmemeval": _LONGMEMEVAL,
}
"""By collection and the paper's own code, what the paper's question type is."""

CROSSWALK: Final[dict[str, dict[str, QuestionType]]] = {
    collection: {code: paper_type.type for code, paper_type in codes.items()}
    for collection, codes in PAPER_TYPES.items()
}
"""By collection, from the paper's code of a question type to ours."""


def question_type(collection: str, code: str) -> QuestionType | None:
    """Our type for a paper's code; None when the paper has no such code."""
    return CROSSWALK.get(collection, {}).get(code)

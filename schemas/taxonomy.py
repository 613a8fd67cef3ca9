"""One taxonomy of question types, with the crosswalk to each paper's own codes."""

from enum import StrEnum
from typing import Final


class QuestionType(StrEnum):
    """What a question asks of a memory, in our words."""

    FACT_RECALL = "fact_recall"
    MULTI_FACT = "multi_fact"
    TEMPORAL = "temporal"
    CROSS_MODAL = "cross_modal"
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


CROSSWALK: Final[dict[str, dict[str, QuestionType]]] = {
    "m3exam": {
        "ss": QuestionType.FACT_RECALL,
        "ms": QuestionType.MULTI_FACT,
        "tr": QuestionType.TEMPORAL,
        "mr": QuestionType.CROSS_MODAL,
        "fm": QuestionType.VISUAL_SEARCH,
        "th": QuestionType.THEMATIC,
        "fj": QuestionType.JUDGEMENT,
        "ii": QuestionType.IMPLICIT,
    },
    "mem-gallery": {
        "FR": QuestionType.FACT_RECALL,
        "VS": QuestionType.VISUAL_SEARCH,
        "TTL": QuestionType.LEARNED_CONCEPT,
        "TR": QuestionType.TEMPORAL,
        "VR": QuestionType.VISUAL_REASONING,
        "MR": QuestionType.MULTI_FACT,
        "KR": QuestionType.KNOWLEDGE_UPDATE,
        "CD": QuestionType.CONFLICT,
        "AR": QuestionType.REFUSAL,
    },
    "locomo": {
        "1": QuestionType.MULTI_FACT,
        "2": QuestionType.TEMPORAL,
        "3": QuestionType.EXTERNAL_KNOWLEDGE,
        "4": QuestionType.FACT_RECALL,
        "5": QuestionType.REFUSAL,
    },
    "m2a": {
        "1": QuestionType.MULTI_FACT,
        "2": QuestionType.TEMPORAL,
        "3": QuestionType.EXTERNAL_KNOWLEDGE,
        "4": QuestionType.FACT_RECALL,
        "5": QuestionType.LEARNED_CONCEPT,
        "6": QuestionType.MULTI_FACT,
        "7": QuestionType.TEMPORAL,
        "8": QuestionType.EXTERNAL_KNOWLEDGE,
        "9": QuestionType.FACT_RECALL,
    },
    "worldmemarena": {
        "FR": QuestionType.FACT_RECALL,
        "DU": QuestionType.KNOWLEDGE_UPDATE,
        "MB": QuestionType.REFUSAL,
        "MC": QuestionType.CONFLICT,
        "TR": QuestionType.TEMPORAL,
        "KR": QuestionType.EXTERNAL_KNOWLEDGE,
        "TTL": QuestionType.LEARNED_CONCEPT,
        "VFR": QuestionType.CROSS_MODAL,
        "VS": QuestionType.VISUAL_SEARCH,
        "VU": QuestionType.VISUAL_UPDATE,
        "CMR": QuestionType.CROSS_MODAL,
    },
    "mmrc": {
        "IE": QuestionType.CROSS_MODAL,
        "CR": QuestionType.MULTI_FACT,
        "IU": QuestionType.KNOWLEDGE_UPDATE,
        "IM": QuestionType.VISUAL_REASONING,
        "MR": QuestionType.FACT_RECALL,
        "AR": QuestionType.REFUSAL,
    },
}
"""By collection, from the paper's code of a question type to ours."""


def question_type(collection: str, code: str) -> QuestionType | None:
    """Our type for a paper's code; None when the paper has no such code."""
    return CROSSWALK.get(collection, {}).get(code)

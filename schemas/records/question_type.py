"""What a question asks of a memory: our one taxonomy, and no paper's."""

from enum import StrEnum


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

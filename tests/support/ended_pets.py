"""A conversation with pets and a van, some of which are no more, and one refusal about them."""

from typing import Any

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from support.ledgers import bundle_of, fact, mention


def pets(question: str, **item: Any) -> Bundle:
    """Nadia's dog died, Olek's lives; Nadia's van was sold."""
    made = bundle_of(
        [
            (fact("F1", "nadia", "dog", "Comet", kind="entity"), "D1:1"),
            (fact("F2", "nadia", "dog", "died", operation="delete", supersedes=["F1"]), "D3:1"),
            (fact("F3", "olek", "dog", "Duke", kind="entity"), "D1:2"),
            (fact("F4", "nadia", "vehicle", "van"), "D1:3"),
            (fact("F5", "nadia", "vehicle", "sold", operation="delete", supersedes=["F4"]), "D4:1"),
            (fact("F6", "ben", "alibi", "cinema", status="retracted"), "D2:1"),
        ],
        [mention("F6_M9", "F6", "D3:3", form="denied")],
    )
    asked = {
        "id": "c/Q001",
        "conversation": "c",
        "question": {"text": question},
        "answer": {"format": "refusal", "values": ["Not mentioned."]},
        "answerable": False,
        "type": "refusal",
        "benchmark_type": "AR",
        "origin": "imported",
        **item,
    }
    return made.model_copy(update={"questions": [QAItem.model_validate(asked)]})

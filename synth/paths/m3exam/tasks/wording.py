"""What a model is asked for while questions with fixed queries are worded (M3Exam A.3)."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task


class WordedQuestion(BaseModel):
    """One question in other words."""

    number: int = Field(description="Number of the question.")
    drafts: list[str] = Field(description="Its wordings, the best first.")


class WordedQuestions(BaseModel):
    """The questions of one request in other words."""

    items: list[WordedQuestion]


def question_wording(
    user_name: str,
    items: Sequence[dict[str, Any]],
    style: str,
    drafts: int,
    record: str,
) -> Task[WordedQuestions]:
    """Other words for questions of one type.

    Args:
        user_name: Who the history is of.
        items: Number, plain question, kind of answer and the phrases that must stay, of each.
        style: How they are asked, in words of ours.
        drafts: How many wordings of each are wanted.
        record: Id of the first item, for messages.
    """
    inputs = {
        "user_name": user_name,
        "items": list(items),
        "style": style,
        "drafts": str(drafts),
    }
    return Task("question_wording", inputs, WordedQuestions, record=record)

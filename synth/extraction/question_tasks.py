"""What a model that asks about a dialogue proposes, and how a proposal is mended."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage


class ItemDraft(BaseModel):
    """A question as it is proposed."""

    question: str = Field(min_length=1)
    answers: list[str] = Field(min_length=1, description="The gold, then coarser ones.")
    evidence: list[str] = Field(description="Ids of the rounds that prove the gold.")
    fact: str = Field(description="Id of the fact whose value is the gold; else empty.")
    steps: list[str] = Field(description="Steps of a procedure, in order; else empty.")
    options: list[str] = Field(description="Four options, A to D; else empty.")
    others: list[str] = Field(description="Ids of competing images; else empty.")


class ItemDrafts(BaseModel):
    """The questions proposed for one window."""

    items: list[ItemDraft]


def question_repair(
    user_name: str,
    item: ItemDraft,
    problems: Sequence[str],
    rounds: Sequence[Mapping[str, Any]],
    images: Sequence[ShownImage],
    record: str,
) -> Task[ItemDraft]:
    """A question mended: what breaks the constraint of its type is put right."""
    inputs = {
        "user_name": user_name,
        "item": item.model_dump(),
        "problems": list(problems),
        "rounds": [dict(one) for one in rounds],
    }
    return Task("question_repair", inputs, ItemDraft, images=tuple(images), record=record)

"""What a model is asked for beside the writing, on every path: probes, choices, readings."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.readings import ItemsReply, SessionsReply


class ProbeAnswer(BaseModel):
    """An answer to a question under some condition."""

    answer: str = Field(min_length=1)
    sure: bool = Field(description="Whether what was shown settles it.")


class BestOf(BaseModel):
    """Which of several replies is best."""

    best: int = Field(ge=1, description="Number of the candidate, from 1.")
    reason: str = Field(description="In one sentence.")


def probe_answer(
    question: str,
    form: str,
    shown: Sequence[Any] | None,
    images: Sequence[ShownImage] = (),
    record: str = "",
) -> Task[ProbeAnswer]:
    """An answer from the rounds shown, or closed-book where none are (None)."""
    inputs = {
        "shown": list(shown or ()),
        "question": question,
        "form": form,
        "closed_book": shown is None,
    }
    return Task("probe_answer", inputs, ProbeAnswer, images=tuple(images), record=record)


def best_of_judge(
    task: str, instructions: str, request: str, candidates: Sequence[str], record: str
) -> Task[BestOf]:
    """The choice among several replies to one task (best of n)."""
    inputs = {
        "task": task,
        "instructions": instructions,
        "request": request,
        "candidates": [
            {"number": number, "reply": reply} for number, reply in enumerate(candidates, start=1)
        ],
    }
    return Task("best_of_judge", inputs, BestOf, record=record)


def item_reading(
    inputs: Mapping[str, Any], images: Sequence[ShownImage], record: str
) -> Task[ItemsReply]:
    """What a reader of some items of one history finds wrong with each.

    Args:
        inputs: Who speaks, the rounds shown, and of each item its id, question, gold and form.
        images: Images of the questions and of the evidence.
        record: Ids of the items.
    """
    return Task("item_reading", dict(inputs), ItemsReply, images=tuple(images), record=record)


def session_reading(
    inputs: Mapping[str, Any], images: Sequence[ShownImage], record: str
) -> Task[SessionsReply]:
    """What a reader of some sessions finds wrong with the rounds of each.

    Args:
        inputs: Who speaks, the rounds shown, and ids of the sessions.
        images: Images of the sessions.
        record: The conversation and the sessions.
    """
    return Task("session_reading", dict(inputs), SessionsReply, images=tuple(images), record=record)

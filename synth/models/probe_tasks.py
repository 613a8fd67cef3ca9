"""What a model is asked for beside the writing, on every path: probes, choices, readings."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.readings import ReaderReply, ToldReply


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
) -> Task[ReaderReply]:
    """What a reader of an item finds wrong with it.

    Args:
        inputs: The question, its gold, the form asked for, who speaks, and the rounds shown.
        images: Images of the question and of the evidence.
        record: Id of the item.
    """
    return Task("item_reading", dict(inputs), ReaderReply, images=tuple(images), record=record)


def session_reading(
    inputs: Mapping[str, Any], images: Sequence[ShownImage], record: str
) -> Task[ToldReply]:
    """What a reader of a session finds wrong with its rounds.

    Args:
        inputs: The session, who speaks, and the rounds shown.
        images: Images of the session.
        record: The conversation and the session.
    """
    return Task("session_reading", dict(inputs), ToldReply, images=tuple(images), record=record)

"""What a model is asked for beside the writing, on every path: probes, choices, readings."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.readings import ItemsReply, SessionsReply
from memassay.synth.models.prompt_files import load_prompt


class ProbeAnswer(BaseModel):
    """An answer to a question under some condition."""

    answer: str = Field(min_length=1)
    sure: bool = Field(description="Whether what was shown settles it.")


class BestOf(BaseModel):
    """Which of several replies is best."""

    best: int = Field(ge=1, description="Number of the candidate, from 1.")
    reason: str = Field(description="In one sentence.")


class ShortAnswer(BaseModel):
    """An answer from what a memory found."""

    answer: str = Field(min_length=1)


class GradedAnswer(BaseModel):
    """A grade between 0 and 1, as Mem-Gallery's judge gives it."""

    score: float = Field(ge=0, le=1, description="0, 0.25, 0.5, 0.75 or 1.")
    reasoning: str = Field(description="Short explanation.")


class LabelledAnswer(BaseModel):
    """Right or wrong, as M2A's judge says it."""

    reasoning: str = Field(description="One sentence.")
    label: Literal["CORRECT", "WRONG"]


class JudgedAnswer(BaseModel):
    """What an answer is, as WorldMemArena's labels have it."""

    reason: str = Field(description="In one sentence.")
    verdict: Literal["correct", "hallucination", "omission"]


class JudgedEntry(BaseModel):
    """What one entry of a memory says."""

    entry: int = Field(ge=1, description="Number of the entry.")
    points: list[int] = Field(description="Numbers of the points that it says.")
    about: bool = Field(description="Whether it speaks of the thing and property of any point.")


class JudgedEntries(BaseModel):
    """What entries of a memory say."""

    entries: list[JudgedEntry]


JUDGES: Final[Mapping[str, type[BaseModel]]] = MappingProxyType(
    {"score": GradedAnswer, "label": LabelledAnswer, "verdict": JudgedAnswer}
)
"""The reply of a judge of answers, by how it is read."""


def memory_answer(
    memories: str, question: str, form: str, images: Sequence[ShownImage], record: str
) -> Task[ShortAnswer]:
    """An answer from what a memory found for a question."""
    inputs = {"memories": memories, "question": question, "form": form}
    return Task("answer_from_memory", inputs, ShortAnswer, images=tuple(images), record=record)


def answer_judgement(
    prompt: str, reply: type[BaseModel], inputs: Mapping[str, str], record: str
) -> Task[BaseModel]:
    """What a judge thinks of an answer.

    Args:
        prompt: Name of a prompt, or the path of one's own.
        reply: How the judge replies, one of `JUDGES`.
        inputs: Question, gold, answer and evidence; those that the prompt takes are given.
        record: Id of the question.
    """
    taken = load_prompt(prompt).about.inputs
    given = {name: inputs[name] for name in taken if name in inputs}
    return Task(prompt, given, reply, record=record)


def entries_judgement(
    entries: Sequence[str], points: Sequence[str], record: str
) -> Task[JudgedEntries]:
    """Which points some entries of a memory say."""
    inputs = {
        name: [{"number": at, "text": text} for at, text in enumerate(texts, start=1)]
        for name, texts in (("entries", entries), ("points", points))
    }
    return Task("memory_entries", inputs, JudgedEntries, record=record)


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

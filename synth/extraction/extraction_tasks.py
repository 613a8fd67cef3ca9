"""What a model is asked for while facts are extracted from a dialogue (WorldMemArena §4)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.records.conversation import Conversation, Round
from memassay.synth.extraction.quoting import quoted_round, user_name_of


class MemoryPoint(BaseModel):
    """One property of one subject, as a turn states it."""

    round: str = Field(description="Id of the round.")
    speaker: Literal["user", "assistant"]
    subject: str = Field(min_length=1, description="`user`, or a name.")
    attribute: str = Field(min_length=1, description="Noun phrase for the property.")
    value: str = Field(min_length=1, description="The value alone, word for word.")
    type: Literal["text", "number", "date"]
    unit: str = Field(description="Unit of a number; else empty.")
    statement: str = Field(min_length=1, description="The fact as a sentence.")


class MemoryPoints(BaseModel):
    """The memory points of some rounds."""

    points: list[MemoryPoint]


class UpdateMark(BaseModel):
    """What a later value is to the ones before it."""

    fact: str = Field(description="Id of the later value.")
    relation: Literal["update", "interference", "separate"]
    of: str = Field(description="Id of the value it replaces or interferes with; else empty.")


class UpdateMarks(BaseModel):
    """Marks of all later values."""

    marks: list[UpdateMark]


class Entailment(BaseModel):
    """Whether a text states something, and where."""

    entailed: bool
    quote: str = Field(description="The part that shows it, copied; empty if not entailed.")


def memory_points(
    talk: Conversation,
    rounds: Sequence[Round],
    days: Mapping[str, str],
    known: Sequence[tuple[str, str]],
) -> Task[MemoryPoints]:
    """The memory points of a slice of a dialogue.

    Args:
        talk: The conversation.
        rounds: The slice.
        days: Day by round.
        known: Subject and attribute of what earlier slices said.
    """
    inputs = {
        "user_name": user_name_of(talk),
        "rounds": [quoted_round(one, days.get(one.id, "")) for one in rounds],
        "known": [{"subject": subject, "attribute": attribute} for subject, attribute in known],
    }
    where = f"{talk.id}, {rounds[0].id} to {rounds[-1].id}"
    return Task("memory_points", inputs, MemoryPoints, record=where)


def update_marking(
    talk: Conversation, properties: Sequence[Mapping[str, Any]]
) -> Task[UpdateMarks]:
    """What the later values of properties are to the earlier ones."""
    inputs = {"user_name": user_name_of(talk), "properties": [dict(one) for one in properties]}
    return Task("update_marking", inputs, UpdateMarks, record=talk.id)


def entailment(statement: str, text: str, record: str) -> Task[Entailment]:
    """Whether a text states a fact that it does not hold word for word."""
    return Task("entailment", {"statement": statement, "text": text}, Entailment, record=record)

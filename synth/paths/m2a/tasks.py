"""What a model is asked for on the path of M2A: guest sessions about concepts (C)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task


class ConceptQuestion(BaseModel):
    """A question about concepts that guest sessions introduced."""

    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    category: Literal[6, 7, 8, 9] = Field(description="M2A's category (C, step 3).")
    evidence: list[str] = Field(min_length=1, description="Session and turn, e.g. `2:5`.")


class GuestTurn(BaseModel):
    """One turn of a guest session."""

    speaker: str = Field(min_length=1)
    text: str = Field(min_length=1)
    images: list[str] = Field(description="Ids of concept images shown with it.")


class GuestSession(BaseModel):
    """One guest session."""

    turns: list[GuestTurn] = Field(min_length=1)


class GuestSessions(BaseModel):
    """Sessions about a group of concepts with their questions, made in one call."""

    sessions: list[GuestSession] = Field(min_length=1)
    questions: list[ConceptQuestion]


def concept_session(
    concepts: Sequence[Mapping[str, Any]],
    host: Sequence[str],
    sessions: int,
    turns: int,
    questions: int,
    record: str = "",
) -> Task[GuestSessions]:
    """Guest sessions about a group of concepts, with questions, in one call (M2A C)."""
    inputs = {
        "concepts": [dict(one) for one in concepts],
        "host": list(host),
        "sessions": str(sessions),
        "turns": str(turns),
        "questions": str(questions),
    }
    return Task("concept_session", inputs, GuestSessions, record=record)

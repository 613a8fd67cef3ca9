"""What a model is asked for on the path of M2A: guest sessions about concepts (C)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage


class _Part(BaseModel):
    """A part of a reply; what it has besides is kept, so that it can be named."""

    model_config = ConfigDict(extra="allow")


class ConceptQuestion(_Part):
    """A question about concepts that guest sessions introduced."""

    question: str
    answer: str
    category: Annotated[
        int,
        Field(description="M2A's category (C, step 3).", json_schema_extra={"enum": [6, 7, 8, 9]}),
    ]
    evidence: list[str] = Field(description="Session and turn, e.g. `D2:5`.")


class GuestTurn(_Part):
    """One turn of a guest session."""

    speaker: str
    text: str
    images: list[str] = Field(default=[], description="Ids of concept images shown with it.")


class GuestSession(_Part):
    """One guest session."""

    turns: list[GuestTurn]


class GuestSessions(BaseModel):
    """Sessions about a group of concepts with their questions, made in one call."""

    sessions: list[GuestSession] = Field(min_length=1)
    questions: list[ConceptQuestion] = []


class NumberedSession(GuestSession):
    """A guest session that is written again."""

    session: int = Field(description="Its number, from 1.")


class SessionsAgain(BaseModel):
    """Guest sessions that are written again."""

    sessions: list[NumberedSession]


class ConceptQuestions(BaseModel):
    """Questions about guest sessions."""

    questions: list[ConceptQuestion]


@dataclass(frozen=True)
class GuestRequest:
    """What guest sessions are to be about.

    Attributes:
        concepts: Name and ids of images of each, with its category where that is known.
        speakers: Name of each of the two, with what is known of them.
        host: What they say around the place where the sessions come in.
        sessions: Number, date and weekday of each session.
        turns: Fewest and most turns of a session.
        images: The images of all concepts, labelled by their ids.
        record: What the sessions are of, for messages.
    """

    concepts: Sequence[Mapping[str, Any]]
    speakers: Sequence[Mapping[str, Any]]
    host: Sequence[str]
    sessions: Sequence[Mapping[str, Any]]
    turns: tuple[int, int]
    images: tuple[ShownImage, ...] = ()
    record: str = ""


def concept_session(request: GuestRequest, questions: Mapping[str, int]) -> Task[GuestSessions]:
    """Guest sessions about a group of concepts, with questions, in one call (M2A C)."""
    inputs = {
        "concepts": list(request.concepts),
        "speakers": list(request.speakers),
        "host": list(request.host),
        "sessions": list(request.sessions),
        "count": str(len(request.sessions)),
        **_turns(request),
        "questions": dict(questions),
    }
    return Task("concept_session", inputs, GuestSessions, request.images, request.record)


def guest_sessions_repair(
    request: GuestRequest,
    kept: Sequence[Mapping[str, Any]],
    flagged: Sequence[Mapping[str, Any]],
    problems: Sequence[str],
    draw: int,
) -> Task[SessionsAgain]:
    """The flagged sessions again; those that are kept are shown and not asked for."""
    inputs = {
        "concepts": list(request.concepts),
        "speakers": list(request.speakers),
        "sessions": list(request.sessions),
        "kept": list(kept),
        "flagged": list(flagged),
        "problems": list(problems),
        **_turns(request),
    }
    name = "guest_sessions_repair"
    return Task(name, inputs, SessionsAgain, request.images, request.record, draw)


def guest_questions(
    request: GuestRequest,
    sessions: Sequence[Mapping[str, Any]],
    kept: Sequence[Mapping[str, Any]],
    problems: Sequence[str],
    questions: Mapping[str, int],
    draw: int,
) -> Task[ConceptQuestions]:
    """So many questions of each category about the sessions, beside those that are kept."""
    inputs = {
        "concepts": list(request.concepts),
        "sessions": list(sessions),
        "kept": list(kept),
        "problems": list(problems),
        "questions": dict(questions),
    }
    return Task("guest_questions", inputs, ConceptQuestions, request.images, request.record, draw)


def _turns(request: GuestRequest) -> dict[str, str]:
    least, most = request.turns
    return {"least": str(least), "most": str(most)}

"""What a model is asked for while a timeline is planned and checked (M3Exam §2.2, E)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.judgements.flaw import FlawKind
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.values.civil_time import is_when
from memassay.synth.extraction.quoting import quoted_event, seeds
from memassay.synth.world.persona_file import PersonaFile


def _day(text: str) -> str:
    if len(text) != len("2024-03-14") or not is_when(text):
        raise ValueError(f"expected a day that exists, as YYYY-MM-DD, got {text!r}")
    return text


Day = Annotated[str, AfterValidator(_day)]


class PlannedEvent(BaseModel):
    """An event as it is planned."""

    title: str = Field(min_length=1, description="The event as a noun phrase.")
    query: str = Field(min_length=1, description="What the user asks while showing a picture.")
    date: Day = Field(description="YYYY-MM-DD.")
    keyword: str = Field(min_length=1, description="Image-search keyword, two to four words.")


class PlannedLine(BaseModel):
    """Events in the order of time."""

    events: list[PlannedEvent] = Field(min_length=1)


class EventFlag(BaseModel):
    """What is wrong with an event."""

    event: str = Field(description="Id of the event.")
    kind: FlawKind
    reason: str = Field(min_length=1, description="In one sentence.")


class EventFlags(BaseModel):
    """Everything that is wrong with a timeline."""

    flags: list[EventFlag]


def event_line(
    persona: PersonaFile,
    so_far: Sequence[PlannedEvent],
    count: int,
    part: tuple[int, int],
    first_day: str,
    days_apart: int,
) -> Task[PlannedLine]:
    """Some events of the core line, after those that are there."""
    inputs = {
        "user_name": persona.name,
        "seeds": seeds(persona),
        "so_far": [{"date": one.date, "title": one.title} for one in so_far],
        "count": str(count),
        "part": str(part[0]),
        "parts": str(part[1]),
        "first_day": first_day,
        "days_apart": str(days_apart),
    }
    return Task("event_line", inputs, PlannedLine, record=persona.id, draw=part[0])


def distractor_line(
    persona: PersonaFile, core: Sequence[PlannedEvent], count: int, draw: int
) -> Task[PlannedLine]:
    """Side events beside a core line."""
    days = sorted(one.date for one in core)
    inputs = {
        "user_name": persona.name,
        "seeds": seeds(persona),
        "core_line": [{"date": one.date, "title": one.title} for one in core],
        "count": str(count),
        "first_day": days[0],
        "last_day": days[-1],
    }
    return Task("distractor_line", inputs, PlannedLine, record=persona.id, draw=draw)


def timeline_check(
    persona: PersonaFile, events: Sequence[TimelineEvent], draw: int
) -> Task[EventFlags]:
    """The self-check of a timeline."""
    inputs = {
        "user_name": persona.name,
        "seeds": seeds(persona),
        "events": [quoted_event(event) for event in events],
    }
    return Task("timeline_check", inputs, EventFlags, record=persona.id, draw=draw)


def event_repair(
    persona: PersonaFile,
    events: Sequence[TimelineEvent],
    at: int,
    problems: Sequence[str],
    draw: int,
) -> Task[PlannedEvent]:
    """One flagged event mended; its neighbours are shown."""
    event = events[at]
    inputs = {
        "user_name": persona.name,
        "seeds": seeds(persona),
        "event": {**quoted_event(event), "keyword": event.keyword},
        "problems": list(problems),
        "before": [quoted_event(one) for one in events[max(at - _BESIDE, 0) : at]],
        "after": [quoted_event(one) for one in events[at + 1 : at + 1 + _BESIDE]],
    }
    return Task("event_repair", inputs, PlannedEvent, record=event.id, draw=draw)


_BESIDE = 3
"""Neighbours on each side that a repair is shown (our choice)."""

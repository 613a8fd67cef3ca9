"""What a model is asked for when it audits a dialogue (M3Exam §2.2, E, Figures 18 and 19)."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.judgements.flaw import FlawKind
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.paths.m3exam.tasks.timeline import seeds, told
from memassay.synth.world.persona_file import PersonaFile


class RoundFlag(BaseModel):
    """What is wrong with a turn."""

    round: str = Field(description="Id of the round.")
    speaker: Literal["user", "assistant"]
    kind: FlawKind
    reason: str = Field(min_length=1, description="In one sentence.")


class RoundFlags(BaseModel):
    """Everything that is wrong with some rounds."""

    flags: list[RoundFlag]


def quoted_round(round_: Round, day: str = "") -> dict[str, Any]:
    """A round as prompts quote it: its turns by speaker, and the captions of what it shows."""
    shown = [
        {"id": one.id, "caption": one.caption or ""}
        for turn in round_.turns
        for one in turn.attachments
    ]
    return {
        "round": round_.id,
        **({"date": day} if day else {}),
        **{turn.speaker: turn.text for turn in round_.turns},
        **({"shown": shown} if shown else {}),
    }


def chunk_audit(
    persona: PersonaFile,
    events: Sequence[TimelineEvent],
    rounds: Sequence[Round],
    draw: int,
) -> Task[RoundFlags]:
    """The audit of a contiguous slice of rounds."""
    days = {event.id: event.day for event in events}
    told_here = {round_.event for round_ in rounds}
    inputs = {
        "user_name": persona.name,
        "seeds": seeds(persona),
        "events": [told(event) for event in events if event.id in told_here],
        "rounds": [quoted_round(one, days.get(one.event or "", "")) for one in rounds],
    }
    where = f"{persona.id}, {rounds[0].id} to {rounds[-1].id}"
    return Task("chunk_audit", inputs, RoundFlags, record=where, draw=draw)


def cross_audit(persona: PersonaFile, summaries: Sequence[str], draw: int) -> Task[RoundFlags]:
    """The audit of distant rounds by their summaries."""
    inputs = {
        "user_name": persona.name,
        "seeds": seeds(persona),
        "summaries": list(summaries),
    }
    return Task("cross_audit", inputs, RoundFlags, record=persona.id, draw=draw)

"""What a model is asked for when it audits a dialogue (M3Exam §2.2, E, Figures 18 and 19)."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.judgements.flaw import FlawKind
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.extraction.quoting import User, quoted_event, quoted_round


class RoundFlag(BaseModel):
    """What is wrong with a turn."""

    round: str = Field(description="Id of the round.")
    speaker: Literal["user", "assistant"]
    kind: FlawKind
    reason: str = Field(min_length=1, description="In one sentence.")


class RoundFlags(BaseModel):
    """Everything that is wrong with some rounds."""

    flags: list[RoundFlag]


def chunk_audit(
    user: User,
    events: Sequence[TimelineEvent],
    rounds: Sequence[Round],
    draw: int,
) -> Task[RoundFlags]:
    """The audit of a contiguous slice of rounds."""
    days = {event.id: event.day for event in events}
    here = {round_.event for round_ in rounds}
    inputs = {
        "user_name": user.name,
        "seeds": dict(user.seeds),
        "events": [quoted_event(event) for event in events if event.id in here],
        "rounds": [quoted_round(one, days.get(one.event or "", "")) for one in rounds],
    }
    where = f"{user.id}, {rounds[0].id} to {rounds[-1].id}"
    return Task("chunk_audit", inputs, RoundFlags, record=where, draw=draw)


def cross_audit(user: User, summaries: Sequence[str], draw: int) -> Task[RoundFlags]:
    """The audit of distant rounds by their summaries."""
    inputs = {
        "user_name": user.name,
        "seeds": dict(user.seeds),
        "summaries": list(summaries),
    }
    return Task("cross_audit", inputs, RoundFlags, record=user.id, draw=draw)

"""What a model is asked for when dialogues become one life (A.2.3).

It reads what they say of their user, and writes bridges, new sessions, revisions and profiles.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task


class BridgeRound(BaseModel):
    """One exchange of a bridge."""

    user: str = Field(min_length=1)
    reply: str = Field(min_length=1)


class BridgeRounds(BaseModel):
    """Exchanges in the order of time."""

    rounds: list[BridgeRound] = Field(min_length=1)


class RevisedTurn(BaseModel):
    """A turn as it should be."""

    round: str
    speaker: Literal["user", "assistant"]
    text: str = Field(min_length=1)
    reason: str


class RevisedTurns(BaseModel):
    """The turns of a session that are to be replaced."""

    turns: list[RevisedTurn]


def cluster_bridge(
    profile: Mapping[str, Any],
    before: Sequence[Mapping[str, Any]],
    after: Sequence[Mapping[str, Any]],
    rounds: int,
    record: str = "",
) -> Task[BridgeRounds]:
    """Rounds that link two sessions of a cluster."""
    inputs = {
        "profile": dict(profile),
        "before": [dict(one) for one in before],
        "after": [dict(one) for one in after],
        "rounds": str(rounds),
    }
    return Task("cluster_bridge", inputs, BridgeRounds, record=record)


def dialogue_revise(
    profile: Mapping[str, Any],
    rounds: Sequence[Mapping[str, Any]],
    before: Sequence[str],
    record: str = "",
) -> Task[RevisedTurns]:
    """What has to change in a session that was put together from others."""
    inputs = {
        "profile": dict(profile),
        "rounds": [dict(one) for one in rounds],
        "before": list(before),
    }
    return Task("dialogue_revise", inputs, RevisedTurns, record=record)


class LifeProfile(BaseModel):
    """Who somebody is, by what they said."""

    summary: str = Field(min_length=1, description="Two to four sentences.")
    traits: list[str] = Field(description="One word or phrase each.")
    style: str = Field(description="How they talk.")


def life_profile(name: str, said: Sequence[str], record: str = "") -> Task[LifeProfile]:
    """Who somebody is, from sentences of theirs."""
    return Task("life_profile", {"name": name, "said": list(said)}, LifeProfile, record=record)


def extension_wording(
    profile: Mapping[str, Any],
    before: Sequence[str],
    rounds: Sequence[Mapping[str, Any]],
    record: str = "",
) -> Task[BridgeRounds]:
    """The rounds of a new session in words that suit who speaks; what they say is fixed."""
    inputs = {
        "profile": dict(profile),
        "before": list(before),
        "rounds": [dict(one) for one in rounds],
    }
    return Task("extension_wording", inputs, BridgeRounds, record=record)


class LifeStatement(BaseModel):
    """One thing that a dialogue says about a life."""

    round: str
    quote: str = Field(description="Words of the round, copied.")
    says: str = Field(min_length=1, description="One sentence that can be understood alone.")


class LifeStatements(BaseModel):
    """All that a dialogue says about a life."""

    statements: list[LifeStatement]


def life_statements(
    day: str, people: Sequence[str], rounds: Sequence[Mapping[str, Any]], record: str = ""
) -> Task[LifeStatements]:
    """What one dialogue says about the life of those who speak."""
    inputs = {"day": day, "people": list(people), "rounds": [dict(one) for one in rounds]}
    return Task("life_statements", inputs, LifeStatements, record=record)


class ContradictingPair(BaseModel):
    """Two statements that cannot both be true of one life."""

    one: int
    other: int
    reason: str
    certain: bool = Field(description="No natural reading makes both true.")


class ContradictingPairs(BaseModel):
    """All such pairs among some statements."""

    pairs: list[ContradictingPair]


def life_contradictions(statements: str, record: str = "") -> Task[ContradictingPairs]:
    """Which of the numbered statements of several dialogues cannot both be true."""
    inputs = {"statements": statements}
    return Task("life_contradictions", inputs, ContradictingPairs, record=record)

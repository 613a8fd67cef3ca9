"""How prompts quote a history: its user, its events, its rounds and what they show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    SpeakerKind,
)
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.persona import Persona
from memassay.synth.world.persona_file import PersonaFile


@dataclass(frozen=True)
class User:
    """The user of a history.

    Attributes:
        id: Id of the conversation.
        name: As the dialogue says it.
        seeds: What the history was written from, as prompts quote it.
    """

    id: str
    name: str
    seeds: Mapping[str, Any]


def seeds(persona: Persona | PersonaFile) -> dict[str, Any]:
    """The source inputs of a history (M3Exam §2.2)."""
    return {
        "name": persona.name,
        "profession": persona.profession,
        "summary": persona.summary,
        "traits": persona.traits,
        "style": persona.style,
        "core_event": persona.core_event,
        "domains": persona.domains,
    }


def user_name_of(talk: Conversation) -> str:
    """Name of the user of a conversation; empty where nobody is human."""
    return next((one.name for one in talk.speakers if one.kind is SpeakerKind.HUMAN), "")


def quoted_event(event: TimelineEvent) -> dict[str, str]:
    """An event of a timeline."""
    return {
        "event": event.id.partition("/")[2],
        "line": str(event.line),
        "date": event.day,
        "title": event.title,
        "query": event.query,
    }


def quoted_round(round_: Round, day: str = "") -> dict[str, Any]:
    """A round: its turns by speaker, and the captions of what it shows."""
    shown = [caption_fields(one) for turn in round_.turns for one in turn.attachments]
    return {
        "round": round_.id,
        **({"date": day} if day else {}),
        **{turn.speaker: turn.text for turn in round_.turns},
        **({"shown": shown} if shown else {}),
    }


def quoted_turns(round_: Round) -> dict[str, str]:
    """A round without its date and what it shows."""
    return {"round": round_.id, **{turn.speaker: turn.text for turn in round_.turns}}


def caption_fields(attachment: Attachment) -> dict[str, str]:
    """An image or page by its caption."""
    return {"id": attachment.id, "caption": attachment.caption or ""}


def blobs_of(assets: Sequence[Asset]) -> Mapping[str, str]:
    """SHA-256 of the bytes by asset, for those that can be shown to a model."""
    return {one.id: one.blob_sha256 for one in assets if one.blob_sha256 and one.width}


def shown_images(attachments: Iterable[Attachment], blobs: Mapping[str, str]) -> list[ShownImage]:
    """Attachments as a model is shown them, those without bytes left out."""
    return [
        ShownImage(label=one.id, sha256=blobs[one.asset])
        for one in attachments
        if one.asset in blobs
    ]

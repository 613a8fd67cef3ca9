"""What a model is asked for while a dialogue is written, round by round (M3Exam §2.2, E)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.records.conversation import Attachment
from memassay.synth.extraction.quoting import caption_fields
from memassay.synth.extraction.repair_tasks import UserTurn
from memassay.synth.world.persona_file import PersonaFile


class AssistantTurn(BaseModel):
    """What the assistant answers."""

    text: str = Field(min_length=1, description="The answer.")


@dataclass(frozen=True)
class Moment:
    """The place of a round in its history.

    Attributes:
        place: Id of the round.
        record: Id of the round for messages.
        persona: Who the user is.
        event: The event in words, with its date and the query it raises.
        memory: Summaries of all rounds so far, oldest first.
        recent: The rounds of the event window as they were said (M3Exam §2.2).
        first: Whether it is the first round of all, which sets the scene.
        follows_up: Whether it is a follow-up inside its event.
    """

    place: str
    record: str
    persona: PersonaFile
    event: dict[str, str]
    memory: Sequence[str]
    recent: Sequence[dict[str, str]]
    first: bool
    follows_up: bool


def user_turn(
    moment: Moment,
    must_say: Sequence[dict[str, str]],
    shown: Sequence[Attachment],
    images: Sequence[ShownImage],
    *,
    pages: bool,
) -> Task[UserTurn]:
    """The user's message of a round; over pages it quotes a number, label or term of them."""
    return Task(
        "user_turn_document" if pages else "user_turn",
        {
            **_setting(moment),
            "scene_setting": moment.first,
            "follow_up": moment.follows_up,
            "must_say": list(must_say),
            "shown": [caption_fields(one) for one in shown],
        },
        UserTurn,
        images=tuple(images),
        record=moment.record,
    )


def assistant_turn(
    moment: Moment,
    asked: str,
    must_say: Sequence[dict[str, str]],
    steps: Sequence[str],
    images: Sequence[ShownImage],
    *,
    pages: bool,
) -> Task[AssistantTurn]:
    """The assistant's answer over all images of the event so far."""
    inputs = {
        **_setting(moment),
        "user_turn": asked,
        "must_say": list(must_say),
        "steps": list(steps),
        "pages": pages,
    }
    return Task("assistant_turn", inputs, AssistantTurn, images=tuple(images), record=moment.record)


def _setting(moment: Moment) -> dict[str, Any]:
    persona = moment.persona
    return {
        "user_name": persona.name,
        "persona": {
            "profession": persona.profession,
            "summary": persona.summary,
            "traits": persona.traits,
            "style": persona.style,
        },
        "event": moment.event,
        "memory": list(moment.memory),
        "recent": list(moment.recent),
    }

"""What a model is asked for while a dialogue is written, round by round (M3Exam §2.2, E)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.records.conversation import Attachment
from memassay.synth.world.persona_file import PersonaFile


class UserTurn(BaseModel):
    """What the user writes."""

    text: str = Field(min_length=1, description="The message, as its writer would send it.")


class AssistantTurn(BaseModel):
    """What the assistant answers."""

    text: str = Field(min_length=1, description="The answer.")


class RoundSummary(BaseModel):
    """One line of the running memory."""

    summary: str = Field(min_length=1, description="The exchange in at most 40 words.")


@dataclass(frozen=True)
class Moment:
    """Where in a history a round stands.

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
            "shown": [_captioned(one) for one in shown],
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


@dataclass(frozen=True)
class RoundRepair:
    """Where a turn stands that is to be mended.

    Attributes:
        user_name: Name of the user.
        record: Id of its round, for messages.
        recent: The rounds around it as they were said.
        draw: Which try it is.
    """

    user_name: str
    record: str
    recent: Sequence[dict[str, str]]
    draw: int = 0


def turn_repair(
    repair: RoundRepair, speaker: str, text: str, problems: Sequence[str]
) -> Task[UserTurn]:
    """A turn mended: what is wrong with it is put right, everything else stays."""
    inputs = {
        "user_name": repair.user_name,
        "speaker": speaker,
        "turn": text,
        "problems": list(problems),
        "recent": list(repair.recent),
    }
    return Task("turn_repair", inputs, UserTurn, record=repair.record, draw=repair.draw)


def round_summary(
    moment: Moment, user: str, assistant: str, shown: Sequence[Attachment]
) -> Task[RoundSummary]:
    """The exchange condensed for the running memory (M3Exam E, Figure 20)."""
    return summary_of(moment.persona, moment.record, user, assistant, shown)


def summary_of(
    persona: PersonaFile,
    record: str,
    user: str,
    assistant: str,
    shown: Sequence[Attachment],
) -> Task[RoundSummary]:
    """An exchange of a history condensed, wherever it stands."""
    inputs = {
        "user_name": persona.name,
        "user_turn": user,
        "assistant_turn": assistant,
        "shown": [_captioned(one) for one in shown],
    }
    return Task("round_summary", inputs, RoundSummary, record=record)


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


def _captioned(attachment: Attachment) -> dict[str, str]:
    return {"id": attachment.id, "caption": attachment.caption or ""}

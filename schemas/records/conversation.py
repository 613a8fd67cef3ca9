"""Conversation > session > round > turn, with the images and documents attached to turns."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import Field, JsonValue

from memassay.schemas.base import Record, SchemaVersion, Shape, matching, new_field
from memassay.schemas.ids import (
    AttachmentId,
    ConversationId,
    RecordId,
    RoundId,
    SessionId,
    TurnId,
)
from memassay.schemas.values.civil_time import When

PATH_NAME: Final = "[a-z][a-z0-9-]{0,39}"
"""Pattern of the name of a synthesis path: that of its folder, `-` for `_`, or its entry point."""
IMPORTED: Final = "curate"
"""What the path of a conversation is that was imported."""


class SpeakerKind(StrEnum):
    """Who or what speaks."""

    HUMAN = "human"
    ASSISTANT = "assistant"
    AGENT = "agent"
    ENVIRONMENT = "environment"
    TOOL = "tool"


class RoundKind(StrEnum):
    """What a round, the unit of evidence, is made of."""

    EXCHANGE = "exchange"
    UTTERANCE = "utterance"
    STEP = "step"
    DOCUMENT = "document"


class TurnKind(StrEnum):
    """What a turn is."""

    UTTERANCE = "utterance"
    OBSERVATION = "observation"
    REASONING = "reasoning"
    ACTION = "action"
    FEEDBACK = "feedback"


class SessionArc(StrEnum):
    """The role of a session in the whole: set-up (S00), main line, distractor side, guest."""

    SETUP = "setup"
    MAIN = "main"
    SIDE = "side"
    GUEST = "guest"


class Profile(Shape):
    """Who a speaker is, as far as the data set says so."""

    summary: Annotated[str | None, Field(description="Short biography.")] = None
    traits: Annotated[list[str], Field(description="Traits, one word or phrase each.")] = []
    style: Annotated[str | None, Field(description="How the speaker talks.")] = None


class Speaker(Shape):
    """Somebody or something that speaks in a conversation."""

    id: Annotated[
        str, Field(min_length=1, max_length=128, description="Unique in the conversation.")
    ]
    name: Annotated[str, Field(description="Name as shown to readers.")]
    kind: Annotated[SpeakerKind, Field(description="Human, assistant, agent, environment, tool.")]
    profile: Annotated[Profile | None, Field(description="Who the speaker is.")] = None
    model: Annotated[
        str | None, new_field(2, "Model that answered, where one did (MMRC §3.3).", min_length=1)
    ] = None


class Attachment(Shape):
    """An image or document (page) that a turn or a question shows."""

    id: AttachmentId
    asset: RecordId
    caption: Annotated[str | None, Field(description="Public caption, shown to readers.")] = None
    page: Annotated[int | None, Field(ge=1, description="1-based page of a document.")] = None
    extras: Annotated[dict[str, JsonValue], Field(description="By foreign format.")] = {}


class Action(Shape):
    """What an agent did and whether it worked (WorldMemArena §4)."""

    name: Annotated[str, Field(min_length=1, description="Name of the action or tool.")]
    arguments: Annotated[dict[str, JsonValue], Field(description="Arguments by name.")] = {}
    ok: Annotated[bool | None, Field(description="Whether it succeeded, if known.")] = None


class Turn(Shape):
    """One utterance, observation, piece of reasoning, action or feedback."""

    id: TurnId
    speaker: Annotated[str, Field(min_length=1, description="Id of the speaker.")]
    kind: Annotated[TurnKind, Field(description="What the turn is.")] = TurnKind.UTTERANCE
    text: Annotated[str, Field(description="What was said; may be empty beside an image.")] = ""
    time: When | None = None
    action: Annotated[Action | None, Field(description="For turns of kind action.")] = None
    attachments: Annotated[list[Attachment], Field(description="In the order shown.")] = []
    extras: Annotated[dict[str, JsonValue], Field(description="By foreign format.")] = {}


class Round(Shape):
    """The unit of evidence: an exchange, one utterance, one agent step or a document batch."""

    id: RoundId
    kind: Annotated[RoundKind, Field(description="What the round is made of.")]
    turns: Annotated[list[Turn], Field(min_length=1, description="In the order spoken.")]
    event: Annotated[str | None, Field(description="Id of the event that led to it.")] = None
    date: Annotated[
        When | None, new_field(2, "Its own day or time, where it is not that of its session.")
    ] = None
    extras: Annotated[dict[str, JsonValue], Field(description="By foreign format.")] = {}


class Session(Shape):
    """A run of rounds without a pause; list order is time order."""

    id: SessionId
    index: Annotated[int, Field(ge=1, description="1-based position in the conversation.")]
    date: When | None = None
    arc: Annotated[SessionArc | None, Field(description="Its role in the whole.")] = None
    event_type: Annotated[str | None, Field(description="What kind of event it tells.")] = None
    rounds: Annotated[list[Round], Field(description="In the order spoken.")]
    origin: Annotated[
        str | None,
        new_field(2, "The single dialogue or guest group it came from (M2A §4.4).", min_length=1),
    ] = None
    extras: Annotated[dict[str, JsonValue], Field(description="By foreign format.")] = {}

    def date_of(self, round_: Round) -> str | None:
        """`When` one of its rounds was: the round's own date, else the session's."""
        return round_.date or self.date

    def ends_on(self) -> str | None:
        """`When` its last round was."""
        return self.date_of(self.rounds[-1]) if self.rounds else self.date


class Checkpoint(Shape):
    """A point at which questions are asked (WorldMemArena §4)."""

    id: Annotated[str, Field(min_length=1, max_length=128, description="Id of the checkpoint.")]
    covered_sessions: Annotated[
        list[SessionId], Field(min_length=1, description="Sessions seen when asked.")
    ]
    extras: Annotated[dict[str, JsonValue], Field(description="By foreign format.")] = {}


class Conversation(Record):
    """One conversation of a data set, from its first session to its last."""

    schema_version: SchemaVersion = 2
    id: ConversationId
    collection: Annotated[
        str, Field(min_length=1, description="Data set it belongs to, e.g. `mem-gallery`.")
    ]
    path: Annotated[str, matching(PATH_NAME, "Synthesis path, or `curate` for imported ones.")]
    title: Annotated[str | None, Field(description="Name shown to people.")] = None
    domain: Annotated[
        str | None,
        Field(
            description="What it is about: `Travel` (one of MMRC's 14 categories, §3.3), "
            "`agent/gui/excel` (WorldMemArena C.3)."
        ),
    ] = None
    speakers: Annotated[list[Speaker], Field(min_length=1, description="Everyone who speaks.")]
    sessions: Annotated[list[Session], Field(description="In time order.")]
    checkpoints: Annotated[list[Checkpoint], Field(description="In time order.")] = []
    twin_of: Annotated[
        ConversationId | None,
        new_field(2, "Conversation that is the same dialogue with a text swapped for an image."),
    ] = None
    tags: Annotated[
        list[Annotated[str, Field(min_length=1)]],
        new_field(2, "Labels to choose conversations by."),
    ] = []

    def speaker_names(self) -> dict[str, str]:
        """By the id of a speaker, the name for people: with the id where two have one name."""
        names = [speaker.name for speaker in self.speakers]
        return {
            each.id: f"{each.name} ({each.id})" if names.count(each.name) > 1 else each.name
            for each in self.speakers
            if each.name
        }

    def rounds(self) -> list[Round]:
        """Every round, in time order."""
        return [round_ for session in self.sessions for round_ in session.rounds]

    def turns(self) -> list[Turn]:
        """Every turn, in time order."""
        return [turn for round_ in self.rounds() for turn in round_.turns]

    def attachments(self) -> list[tuple[Turn, Attachment]]:
        """Every attachment with the turn that shows it, in time order."""
        return [(turn, item) for turn in self.turns() for item in turn.attachments]

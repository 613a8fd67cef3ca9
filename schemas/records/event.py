"""Events of a timeline: what happens behind a conversation, before a word of it is written."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Record, SchemaVersion, new_field
from memassay.schemas.ids import ConversationId, RecordId
from memassay.schemas.records.asset import Sha256
from memassay.schemas.values.civil_time import When


class EventLine(StrEnum):
    """Whether an event belongs to the core event or is a distractor (M3Exam §2.2)."""

    CORE = "core"
    SIDE = "side"


class TimelineEvent(Record):
    """One event: what happens, when, what the user will ask about it, which image goes with it.

    M3Exam §2.2, Timeline Construction: a life event with the visually grounded query the
    persona will raise, a strictly increasing date and an image-search keyword. Its
    `source_sha256` is the hash of the card it was made from and of the voice it is told in. What
    lasts longer than a day is told in stages, each an event of its own.
    """

    schema_version: SchemaVersion = 3
    id: RecordId
    conversation: ConversationId
    position: Annotated[int, Field(ge=1, description="1-based position in the timeline.")]
    session: Annotated[int, Field(ge=1, description="1-based position of its session.")]
    date: Annotated[
        When,
        Field(description="When it comes up, to the minute: strictly later than the event before."),
    ]
    line: Annotated[EventLine, Field(description="Core line or distractor.")]
    title: Annotated[str, Field(min_length=1, description="The event as a noun phrase.")]
    query: Annotated[str, Field(description="The visually grounded query it raises.")]
    keyword: Annotated[str, Field(description="Image-search keyword.")]
    card: Annotated[str, Field(description="Card of the persona file it was made from.")]
    source_sha256: Sha256
    names: Annotated[
        dict[str, str], Field(description="Names of the entities that it is about.")
    ] = {}
    facts: Annotated[
        dict[str, RecordId], Field(description="Facts it makes true, by slot of its card.")
    ] = {}
    stage: Annotated[
        str | None, new_field(3, "Stage of its card, where that is told in several (§2.2).")
    ] = None
    happened: Annotated[
        When | None,
        new_field(3, "When it happened, for a stage: on the day it comes up or before."),
    ] = None
    outcomes: Annotated[
        dict[str, str],
        new_field(3, "How what its card leaves open turned out, by the name of what is open."),
    ] = {}

    @property
    def happened_on(self) -> str:
        """The day on which it happened, without the time."""
        return (self.happened or self.date).partition("T")[0]

    @property
    def day(self) -> str:
        """The day on which it comes up, without the time."""
        return self.date.partition("T")[0]

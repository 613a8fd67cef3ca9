"""Facts and mentions: what is true in a conversation's world, and where it can be seen."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Modality, Record, SchemaVersion, Shape, new_field
from memassay.schemas.ids import AttachmentId, RecordId, RoundId, SessionId, TurnId
from memassay.schemas.records.taught_rule import TaughtRule
from memassay.schemas.values.civil_time import When


class ValueType(StrEnum):
    """How the text of a value is to be read."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    ENTITY = "entity"
    RULE = "rule"


class FactHolder(StrEnum):
    """Who holds a fact to be so."""

    SPEAKER = "speaker"
    WORLD = "world"
    EXTERNAL = "external"


class FactStatus(StrEnum):
    """Whether a fact holds in the conversation; `unsaid`: a person took it out of the text."""

    ASSERTED = "asserted"
    RETRACTED = "retracted"
    INTERFERENCE = "interference"
    IMPLIED = "implied"
    UNSAID = "unsaid"


class FactOperation(StrEnum):
    """What a fact does to the state before it (WorldMemArena §4)."""

    APPEND = "append"
    REVISE = "revise"
    DELETE = "delete"
    MERGE = "merge"


class FactScope(StrEnum):
    """Whether a fact comes from the history or from the question's own material."""

    HISTORY = "history"
    QUESTION = "question"


class MentionForm(StrEnum):
    """How completely a mention gives its fact away."""

    FULL = "full"
    PARTIAL = "partial"
    DENIED = "denied"


class FactValue(Shape):
    """The value of a fact; numbers are decimal strings with a unit."""

    type: Annotated[ValueType, Field(description="How to read the text.")]
    text: Annotated[str, Field(description="The value, e.g. `12.5`, `2024-03-01`, `Rex`.")]
    unit: Annotated[str | None, Field(description="Unit of a number, e.g. `kg`, `EUR`.")] = None
    rule: Annotated[
        TaughtRule | None,
        new_field(2, "For type rule, what the text says in words (WorldMemArena TTL, MMRC CR)."),
    ] = None


class Fact(Record):
    """One typed truth about the world behind a conversation; it has no place in the text."""

    schema_version: SchemaVersion = 2
    id: RecordId
    subject: Annotated[str, Field(min_length=1, description="What the fact is about.")]
    attribute: Annotated[str, Field(min_length=1, description="Which property it states.")]
    value: Annotated[FactValue, Field(description="What it states.")]
    order: Annotated[
        int | None,
        Field(
            ge=1,
            description="1-based position among the facts of its subject and attribute, "
            "e.g. of the steps of a plan; facts that have one do not contradict each other.",
        ),
    ] = None
    statement: Annotated[
        str | None,
        Field(description="The fact as a sentence: a memory point's content (WorldMemArena §4)."),
    ] = None
    holder: Annotated[FactHolder, Field(description="Who holds it to be so.")] = FactHolder.WORLD
    speaker: Annotated[str | None, Field(description="Speaker id, if a speaker holds it.")] = None
    source: Annotated[
        str | None,
        Field(
            description="What it was learned from, e.g. `invoice`, `primary` (WorldMemArena's "
            "memory_source); a fact (source, `authority`, number) ranks it in a conflict."
        ),
    ] = None
    status: Annotated[FactStatus, Field(description="Whether it holds.")] = FactStatus.ASSERTED
    valid_from: When | None = None
    valid_to: When | None = None
    operation: Annotated[
        FactOperation, Field(description="What it does to the state before it.")
    ] = FactOperation.APPEND
    supersedes: Annotated[list[RecordId], Field(description="Facts it replaces.")] = []
    session: Annotated[
        SessionId | None,
        Field(
            description="Session after which a memory should hold it (WorldMemArena §4), for "
            "facts whose place in the text is not known more exactly; else mentions say where."
        ),
    ] = None
    entailed_by: Annotated[list[RecordId], Field(description="Facts that imply it.")] = []
    importance: Annotated[float, Field(ge=0, le=1, description="From 0 to 1.")] = 0.5
    scope: Annotated[FactScope, Field(description="History or question.")] = FactScope.HISTORY
    citation: Annotated[str | None, Field(description="Source of an external fact.")] = None


class Mention(Record):
    """A place where a fact can be seen: a round, a turn, an attachment, a region of pixels."""

    id: RecordId
    fact: RecordId
    round: RoundId
    turn: TurnId | None = None
    attachment: AttachmentId | None = None
    asset: RecordId | None = None
    box: Annotated[
        list[int] | None,
        Field(min_length=4, max_length=4, description="Left, top, right, bottom in the asset, px."),
    ] = None
    modality: Annotated[Modality, Field(description="Text, image or document.")]
    speaker: Annotated[str | None, Field(description="Id of the speaker who said it.")] = None
    span: Annotated[
        list[int] | None,
        Field(
            min_length=2, max_length=2, description="Start and end in the turn's text, code points."
        ),
    ] = None
    form: Annotated[MentionForm, Field(description="Full, partial or denied.")] = MentionForm.FULL

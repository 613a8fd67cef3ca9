"""Question-answer items: the question, its gold answer, the evidence that proves it."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from memassay.schemas.base import Modality, Record, SchemaVersion, Shape, matching, new_field
from memassay.schemas.ids import ConversationId, PlaceId, RecordId
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.parts.reference import Reference
from memassay.schemas.records.question_type import QuestionType


class AnswerFormat(StrEnum):
    """What form an answer takes, which decides how it is scored."""

    FREE = "free"
    CHOICE = "choice"
    IMAGE_ID = "image_id"
    YES_NO = "yes_no"
    DATE = "date"
    NUMBER = "number"
    REFUSAL = "refusal"


class AnswerRelation(StrEnum):
    """How several gold values belong together."""

    ONE = "one"
    ALL = "all"
    ORDERED = "ordered"


class ItemOrigin(StrEnum):
    """Who made an item."""

    MACHINE = "machine"
    PERSON = "person"
    IMPORTED = "imported"


class QuestionText(Shape):
    """What is asked, with the images shown beside it."""

    text: Annotated[str, Field(min_length=1, description="The question.")]
    attachments: Annotated[list[Attachment], Field(description="Images shown with it.")] = []


class AnswerOption(Shape):
    """One option of a multiple-choice question."""

    label: Annotated[str, Field(min_length=1, description="Letter or name of the option.")]
    text: Annotated[str, Field(description="What the option says.")]


class Answer(Shape):
    """The gold answer: what is right, what is also right, what only looks right.

    Values of format `image_id` are attachment ids. With relation `all` every value is needed,
    with `one` the first is gold, with `ordered` every value in this order.
    """

    format: Annotated[AnswerFormat, Field(description="Form of the answer.")]
    values: Annotated[list[str], Field(description="Gold values; empty only if it is missing.")]
    relation: Annotated[AnswerRelation, Field(description="How the values belong together.")] = (
        AnswerRelation.ONE
    )
    equivalents: Annotated[
        list[str], Field(description="Other wordings as right as the gold, e.g. date formats.")
    ] = []
    coarser: Annotated[
        list[str], Field(description="Less precise answers, best first (M3Exam B.2).")
    ] = []
    competitors: Annotated[
        list[str], Field(description="Candidates that must lose, e.g. look-alike images.")
    ] = []
    traps: Annotated[
        list[str], Field(description="Wrong answers the question invites, e.g. adversarial ones.")
    ] = []
    options: Annotated[list[AnswerOption], Field(description="For format choice.")] = []


class Evidence(Shape):
    """The places that prove the gold answer.

    Every group must be read; inside a group any one place is enough. `canonical` names one
    place of each group, in the order the data set prints them.
    """

    groups: Annotated[
        list[Annotated[list[PlaceId], Field(min_length=1)]],
        Field(description="Groups of alternative places."),
    ] = []
    canonical: Annotated[list[PlaceId], Field(description="One place of each group.")] = []
    facts: Annotated[
        list[RecordId],
        Field(
            description="Facts the answer rests on: the gold memory points of an item "
            "(WorldMemArena §4), or what a query's execution rested on."
        ),
    ] = []

    @classmethod
    def of(cls, places: list[str]) -> "Evidence":
        """Evidence in which every place is needed and has no alternative."""
        return cls(groups=[[place] for place in places], canonical=places)


class AskedAt(Shape):
    """When a question is asked: at a checkpoint, after a session, or (neither) at the end."""

    checkpoint: Annotated[str | None, Field(description="Id of a checkpoint.")] = None
    session: Annotated[str | None, Field(description="Id of the last session seen.")] = None


class Wording(Shape):
    """How a machine worded a question: a template, and the texts of its slots."""

    template: Annotated[
        str, Field(min_length=1, description="With slots: `When does {thing} end?`.")
    ]
    slots: Annotated[dict[str, str], Field(description="Text of each slot by its name.")] = {}


PublicId = Annotated[
    str, matching("[A-Za-z0-9][A-Za-z0-9._-]{0,127}", "What papers cite, e.g. `A-0001`.")
]


class QAItem(Record):
    """One question with its gold answer and the evidence that proves it."""

    schema_version: SchemaVersion = 3
    id: RecordId
    conversation: ConversationId
    question: Annotated[QuestionText, Field(description="What is asked.")]
    answer: Annotated[Answer, Field(description="What is right.")]
    answerable: Annotated[bool, Field(description="False if the history does not say.")] = True
    modalities: Annotated[
        list[Modality], Field(description="What a reader must look at to answer.")
    ] = []
    asked_at: Annotated[AskedAt, Field(description="When it is asked.")] = AskedAt()
    evidence: Annotated[Evidence, Field(description="Where the answer can be read.")] = Evidence()
    decoys: Annotated[
        list[PlaceId], Field(description="Near-miss places of a question that has no answer.")
    ] = []
    type: Annotated[QuestionType, Field(description="Type in our taxonomy.")]
    benchmark_type: Annotated[str, Field(description="The paper's own code, e.g. `FR`.")]
    query: Annotated[
        dict[str, JsonValue] | None,
        Field(description="Query over the ledger whose execution gives the gold answer."),
    ] = None
    twin_of: RecordId | None = None
    origin: Annotated[ItemOrigin, Field(description="Who made the item.")]
    format_prompt: Annotated[
        str | None, Field(description="Instruction on the form of the answer, shown to models.")
    ] = None
    wording: Annotated[
        Wording | None, new_field(2, "Template and slots of a question that a machine worded.")
    ] = None
    public_id: Annotated[
        PublicId | None, new_field(2, "What errata and papers cite it by; unique in a release.")
    ] = None
    references: Annotated[
        list[Reference], new_field(3, "Phrases that describe a thing instead of naming it.")
    ] = []

"""Concepts: people, pets and things that a conversation introduces by pictures (M2A C)."""

from typing import Annotated, ClassVar

from pydantic import Field

from memassay.schemas.base import Record, SchemaVersion, Shape
from memassay.schemas.ids import RecordId
from memassay.schemas.records.question import AnswerOption


class ConceptVqa(Shape):
    """A question about a picture that came with a concept, as its source words it."""

    asset: RecordId
    question: Annotated[str, Field(min_length=1, description="Its text.")]
    options: Annotated[list[AnswerOption], Field(description="None for an open question.")] = []
    answer: Annotated[
        str, Field(min_length=1, description="Label of the right option, or the answer itself.")
    ]
    licence: Annotated[str | None, Field(description="SPDX identifier of the question.")] = None


class Concept(Record):
    """Somebody or something that a conversation names and shows (M2A C, step 1).

    No turn shows the pictures that are held out: questions alone may show them. Whether a reader
    knows the concept again is asked with these.
    """

    READABLE_SINCE: ClassVar[int] = 3

    schema_version: SchemaVersion = 3
    id: RecordId
    name: Annotated[str, Field(min_length=1, description="Subject of its facts, e.g. `bo`.")]
    said: Annotated[str, Field(min_length=1, description="How turns name it, e.g. `<bo>`.")]
    category: Annotated[
        str | None, Field(description="What it is, e.g. `dog`; None if its source does not say.")
    ] = None
    shown: Annotated[list[RecordId], Field(description="Assets that turns show, in order.")] = []
    held_out: Annotated[list[RecordId], Field(description="Assets for questions alone.")] = []
    facts: Annotated[list[RecordId], Field(description="What the conversation says of it.")] = []
    vqa: Annotated[list[ConceptVqa], Field(description="Questions that came with it.")] = []

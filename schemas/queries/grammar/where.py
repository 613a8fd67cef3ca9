"""Filters that hold a fact against texts, words and numbers of the query."""

from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.base import Modality, Shape
from memassay.schemas.ids import AttachmentId, RecordId, SessionId
from memassay.schemas.queries.grammar.words import DecimalText, Position, Words
from memassay.schemas.records.ledger import FactHolder, FactOperation, FactScope, FactStatus
from memassay.schemas.values.civil_time import When


class Bounds(Shape):
    """Bounds of which at least one is given; a fact fits if it fits all."""

    @model_validator(mode="after")
    def _refuse_none(self) -> Self:
        given = {
            field.alias or name: getattr(self, name)
            for name, field in type(self).model_fields.items()
        }
        given.pop("unit", None)
        if all(bound is None for bound in given.values()):
            raise PydanticCustomError(
                "no_bound",
                "expected at least one of {names}, got none",
                {"names": ", ".join(given)},
            )
        return self


class NumberBounds(Bounds):
    """Between which numbers a value lies, in one unit."""

    above: Annotated[DecimalText | None, Field(description="More than this.")] = None
    below: Annotated[DecimalText | None, Field(description="Less than this.")] = None
    least: Annotated[DecimalText | None, Field(description="This or more.")] = None
    most: Annotated[DecimalText | None, Field(description="This or less.")] = None
    unit: Annotated[
        str | None, Field(description="Unit of the bounds and of all values; none: without unit.")
    ] = None


class PlainWhere(Shape):
    """Filters that need no other expression. A list means any of its members."""

    subject: Annotated[Words | None, Field(description="What the fact is about.")] = None
    attribute: Annotated[Words | None, Field(description="Which property it states.")] = None
    value: Annotated[Words | None, Field(description="Text of its value.")] = None
    order: Annotated[
        Position | list[Position] | None, Field(description="1-based position in its list.")
    ] = None
    holder: FactHolder | list[FactHolder] | None = None
    speaker: Annotated[
        Words | None, Field(description="Who holds it, or (for others' facts) who mentions it.")
    ] = None
    source: Annotated[Words | None, Field(description="What it was learned from.")] = None
    status: FactStatus | list[FactStatus] | None = None
    operation: FactOperation | list[FactOperation] | None = None
    scope: FactScope | list[FactScope] | None = None
    during: Annotated[When | None, Field(description="Its date lies in this stretch.")] = None
    modality: Annotated[
        Modality | list[Modality] | None, Field(description="Of one of its visible mentions.")
    ] = None
    attachment: AttachmentId | list[AttachmentId] | None = None
    asset: RecordId | list[RecordId] | None = None
    session: SessionId | list[SessionId] | None = None
    number: Annotated[
        NumberBounds | None, Field(description="Its value is a number within these bounds.")
    ] = None

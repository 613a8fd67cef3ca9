"""The base classes of every record, and the string types that records are built of."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

# Python's `$` also matches before a final newline, ECMAScript's does not: the second
# constraint makes every JSON Schema validator give the same verdict.
_NO_NEWLINE: dict[str, Any] = {"not": {"pattern": "[\\n\\r]"}}


def matching(pattern: str, description: str) -> Any:
    """Field metadata: the string matches an ASCII pattern as a whole.

    Args:
        pattern: Regular expression without anchors, in the subset that Python, Rust and
            ECMAScript read alike.
        description: What the string means; it goes into the JSON Schema.
    """
    return Field(pattern=f"^(?:{pattern})$", description=description, json_schema_extra=_NO_NEWLINE)


class Shape(BaseModel):
    """Base of everything inside a record: closed, immutable, finite numbers only."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


SchemaVersion = Annotated[int, Field(ge=1, description="Version of the record's shape.")]


class Record(Shape):
    """Base of every record: an id, the version of its shape, and what has no field of ours.

    A kind whose shape changes states the new version of all shapes, one more than
    `SCHEMA_VERSION`, and gets a step in `schemas/migrations`: `schema_version: SchemaVersion = 2`.
    The other kinds keep theirs, and with it their content hashes, on which decisions and edits
    rest.
    """

    id: Annotated[str, Field(min_length=1, max_length=300, description="Unique id of the record.")]
    schema_version: SchemaVersion = 1
    extras: Annotated[
        dict[str, JsonValue],
        Field(
            description="By foreign format: what its file held that we have no field for, "
            "so that a round trip loses nothing."
        ),
    ] = {}


class Modality(StrEnum):
    """Where a fact can be seen, or what a question needs its reader to look at."""

    TEXT = "text"
    IMAGE = "image"
    DOCUMENT = "document"

"""The base classes of every record, and the string types that records are built of."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Final, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_serializer

_SINCE: Final = "x-since"

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


def new_field(version: int, description: str, **limits: Any) -> Any:
    """Field metadata: a field that joined its shape in a version and is left out while empty.

    A record that does not use it is written, hashed and read as before that version, so that
    decisions, edits and finished work which rest on its hash stay valid.

    Args:
        version: The first version of all shapes that has the field.
        description: What the field means; it goes into the JSON Schema.
        limits: Other arguments of `pydantic.Field`.
    """
    extra: dict[str, Any] = {_SINCE: version}
    return Field(description=description, exclude_if=_empty, json_schema_extra=extra, **limits)


def _empty(value: Any) -> bool:
    return value is None or value == [] or value == {}


class Shape(BaseModel):
    """Base of everything inside a record: closed, immutable, finite numbers only."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


SchemaVersion = Annotated[int, Field(ge=1, description="Version of the record's shape.")]


class Record(Shape):
    """Base of every record: an id, the version of its shape, and what has no field of ours.

    A kind whose shape changes states the new version of all shapes, one more than
    `SCHEMA_VERSION`, and gets a step in `schemas/migrations`: `schema_version: SchemaVersion = 2`.
    The other kinds keep theirs, and with it their content hashes, on which decisions and edits
    rest. In memory every record is of the newest version of its kind; as JSON it states the
    oldest version that has all of its fields (`added`).
    """

    READABLE_SINCE: ClassVar[int] = 1
    """Version of the last change of the kind that was more than an added field."""

    id: Annotated[str, Field(min_length=1, max_length=300, description="Unique id of the record.")]
    schema_version: SchemaVersion = 1
    extras: Annotated[
        dict[str, JsonValue],
        Field(
            description="By foreign format: what its file held that we have no field for, "
            "so that a round trip loses nothing."
        ),
    ] = {}

    @field_serializer("schema_version")
    def _oldest_version(self, _newest: int) -> SchemaVersion:
        return max(self.READABLE_SINCE, _in_use(self))


def _in_use(shape: Shape) -> int:
    """The first version that has every field which a shape and the shapes inside it use."""
    found = 1
    for name, version in _added_fields(type(shape)):
        if not _empty(getattr(shape, name)):
            found = max(found, version)
    for name in _changed_parts(type(shape)):
        value = getattr(shape, name)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, Shape):
                found = max(found, _in_use(part))
    return found


@cache
def _added_fields(shape: type[Shape]) -> tuple[tuple[str, int], ...]:
    """Fields that joined a shape after its first version, each with the version that has it."""
    extras = ((name, field.json_schema_extra) for name, field in shape.model_fields.items())
    return tuple(
        (name, int(str(extra[_SINCE])))
        for name, extra in extras
        if isinstance(extra, dict) and _SINCE in extra
    )


@cache
def _changed_parts(shape: type[Shape]) -> tuple[str, ...]:
    """Fields that hold shapes to which fields were added; no record nests in itself."""
    return tuple(
        name
        for name, field in shape.model_fields.items()
        if any(_added_fields(inner) or _changed_parts(inner) for inner in _shapes(field.annotation))
    )


def _shapes(annotation: Any) -> Iterator[type[Shape]]:
    if isinstance(annotation, type) and issubclass(annotation, Shape):
        yield annotation
    for inner in get_args(annotation):
        yield from _shapes(inner)


class Modality(StrEnum):
    """Where a fact can be seen, or what a question needs its reader to look at."""

    TEXT = "text"
    IMAGE = "image"
    DOCUMENT = "document"

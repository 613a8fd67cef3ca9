"""Images and documents: what the bytes are, where they come from, what may be done with them."""

from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import Field

from memassay.schemas.base import Record, SchemaVersion, matching, new_field
from memassay.schemas.ids import RecordId
from memassay.schemas.records.drawn import Drawn
from memassay.schemas.values.pixels import Picture

Sha256 = Annotated[str, matching("[0-9a-f]{64}", "SHA-256 in lower-case hexadecimal.")]


PERSON: Final = "person"
"""Origin of an image that a person brought to a review."""


class Availability(StrEnum):
    """Whether the bytes are in the store, at an address only, or nowhere."""

    PRESENT = "present"
    REMOTE = "remote"
    MISSING = "missing"


class Asset(Record):
    """An image, a document, or a page of a document; captions belong to attachments."""

    schema_version: SchemaVersion = 3
    id: RecordId
    availability: Annotated[Availability, Field(description="Present, remote or missing.")]
    blob_sha256: Sha256 | None = None
    pixel_sha256: Sha256 | None = None
    perceptual_hash: Annotated[
        str | None, Field(description="64-bit perceptual hash of the pixels, hexadecimal.")
    ] = None
    media_type: Annotated[str | None, Field(description="Media type of the blob.")] = None
    width: Annotated[int | None, Field(ge=1, description="Width in pixels.")] = None
    height: Annotated[int | None, Field(ge=1, description="Height in pixels.")] = None
    uri: Annotated[str | None, Field(description="Path or address in the source it came from.")] = (
        None
    )
    parent: RecordId | None = None
    page: Annotated[int | None, Field(ge=1, description="1-based page of the parent.")] = None
    box: Annotated[
        list[int] | None,
        Field(
            min_length=4, max_length=4, description="Left, top, right, bottom in the parent, px."
        ),
    ] = None
    transcription: Annotated[
        str | None,
        Field(description="Private: what can be read in the pixels; never exported as history."),
    ] = None
    licence: Annotated[str | None, Field(description="SPDX identifier.")] = None
    attribution: Annotated[str | None, Field(description="Whom to credit, and where.")] = None
    origin: Annotated[
        str | None, Field(description="How it was obtained, e.g. `import`, `rendered`, `user`.")
    ] = None
    exif_removed: Annotated[list[str], Field(description="Names of the EXIF tags removed.")] = []
    duplicate_group: Annotated[
        str | None, Field(description="Id shared by assets whose pixels are the same.")
    ] = None
    drawn: Annotated[
        Drawn | None, new_field(3, "Private: what it was drawn from; never exported as history.")
    ] = None


PAINTED: Final = (
    *("blob_sha256", "pixel_sha256", "perceptual_hash", "media_type"),
    *("width", "height", "exif_removed"),
)
"""Fields of an asset that its bytes give; that it is there is known before it is painted."""


def stored_fields(picture: Picture, blob_sha256: str) -> dict[str, Any]:
    """The fields of an asset that its image gives, whose bytes are in the store."""
    return {
        "availability": Availability.PRESENT,
        "blob_sha256": blob_sha256,
        "pixel_sha256": picture.pixel_sha256,
        "perceptual_hash": picture.perceptual_hash,
        "media_type": picture.media_type,
        "width": picture.width,
        "height": picture.height,
        "exif_removed": list(picture.exif_removed),
    }

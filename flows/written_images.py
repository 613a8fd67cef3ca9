"""Images that people show with questions of their own: taken in, and an asset of the history."""

from collections.abc import Mapping
from typing import Any, Final

from memassay.annotation.web_content import NewImage
from memassay.schemas.asset import Asset, Availability
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import record_id
from memassay.schemas.licences import spdx
from memassay.schemas.pixels import take_in
from memassay.schemas.protocols import BlobStore

_ATTACHMENT: Final = "Q:IMG_001"


def written_image(image: NewImage, conversation: str, blobs: BlobStore) -> Asset:
    """The asset of an image that a person sent; nothing but its pixels is kept.

    Raises:
        UsageError: The bytes are no image, or its licence is no SPDX expression.
    """
    try:
        picture, licence = take_in(image.data, anew=True), spdx(image.licence)
    except ValueError as error:  # among them every `PixelError`
        raise UsageError(f"image: {error}") from error
    return Asset(
        id=record_id(conversation, f"P_{picture.pixel_sha256[:12]}"),
        availability=Availability.PRESENT,
        blob_sha256=blobs.put(picture.data),
        pixel_sha256=picture.pixel_sha256,
        perceptual_hash=picture.perceptual_hash,
        media_type=picture.media_type,
        width=picture.width,
        height=picture.height,
        licence=licence,
        attribution=image.attribution.strip()[:300] or None,
        origin="person",
        exif_removed=picture.exif_removed,
    )


def shown_with(document: Mapping[str, Any], asset: Asset) -> dict[str, Any]:
    """A question that shows an image."""
    attachments = [{"id": _ATTACHMENT, "asset": asset.id}]
    return {**document, "question": {**document["question"], "attachments": attachments}}

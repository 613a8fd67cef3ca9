"""Images that people bring, for questions or histories: taken in, and an asset of the history."""

import threading
from collections.abc import Mapping
from typing import Any, Final

from memassay.annotation.pages.writing_content import NewImage
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import record_id
from memassay.schemas.records.asset import PERSON, Asset, stored_fields
from memassay.schemas.values.licences import spdx
from memassay.schemas.values.pixels import take_in

_ATTACHMENT: Final = "Q:IMG_001"
_LARGEST: Final = 25_000_000
"""Pixels of an image that a person may send; decoded, they take about half a gigabyte."""
_ONE: Final = threading.Lock()


def written_image(image: NewImage, conversation: str, blobs: BlobStore) -> Asset:
    """The asset of an image that a person sent; nothing but its pixels is kept.

    Raises:
        UsageError: The bytes are no image or too large a one, or its licence is no SPDX expression.
    """
    try:
        licence = spdx(image.licence)
        # Few bytes can be many pixels, and many people may send them at once.
        with _ONE:
            picture = take_in(image.data, again=True, largest=_LARGEST)
    except ValueError as error:  # among them every `PixelError`
        raise UsageError(f"image: {error}") from error
    return Asset(
        id=record_id(conversation, f"P_{picture.pixel_sha256[:12]}"),
        **stored_fields(picture, blobs.put(picture.data)),
        licence=licence,
        attribution=image.attribution.strip()[:300] or None,
        origin=PERSON,
    )


def shown_with(document: Mapping[str, Any], asset: Asset) -> dict[str, Any]:
    """A question that shows an image."""
    attachments = [{"id": _ATTACHMENT, "asset": asset.id}]
    return {**document, "question": {**document["question"], "attachments": attachments}}

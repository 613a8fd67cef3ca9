"""Small pictures of a release for pages that stand alone: bytes inside the page, no address."""

import base64
import io
from html import escape
from typing import Final

from memassay.exports.release.reader import Release
from memassay.schemas.records.asset import Asset, Availability

_SIZE: Final = (480, 360)
_QUALITY: Final = 80


def is_picture(asset: Asset) -> bool:
    """Whether an asset has pixels in the release."""
    media_type = asset.media_type or ""
    return asset.availability is Availability.PRESENT and media_type.startswith("image/")


def thumbnail(release: Release, asset: Asset, caption: str) -> str:
    """An HTML image of an asset, at most 480 x 360 pixels.

    Args:
        release: Where the pixels are.
        asset: Which; one that `is_picture`.
        caption: What is said to those who do not see it.

    Raises:
        BlobError: The bytes are missing, or no image.
    """
    image = release.image(asset.id)
    buffer = io.BytesIO()
    image.thumbnail(_SIZE)
    image.convert("RGB").save(buffer, "JPEG", quality=_QUALITY)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return f'<img decoding="async" alt="{escape(caption)}" src="data:image/jpeg;base64,{data}">'

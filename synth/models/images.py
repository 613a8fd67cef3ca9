"""Images as models get to see them: upright, small enough to be useful, PNG or JPEG."""

import io
from functools import lru_cache

from memassay.schemas.contracts.calls import ModelRequest
from memassay.schemas.contracts.protocols import BlobStore

_KEPT = 64
"""Scaled images held in memory; one image is shown in several neighbouring requests."""


class ImageScaler:
    """Scales the images of a blob store down to a longest side."""

    def __init__(self, blobs: BlobStore) -> None:
        """Take where the bytes are."""
        self.blobs = blobs
        self.scaled = lru_cache(maxsize=_KEPT)(self._scale)

    def images_of(self, request: ModelRequest) -> list[bytes]:
        """The images of a request, in its order and at its size."""
        return [self.scaled(one.sha256, request.image_side) for one in request.images]

    def _scale(self, sha256: str, side: int) -> bytes:
        """Bytes of an image no side of which is longer than `side` pixels; PDFs give page one.

        An image that is small enough already is sent as it is.
        """
        data = self.blobs.get(sha256)
        if data.startswith(b"%PDF"):
            data = _first_page(data, side)
        from PIL import Image, ImageOps

        with Image.open(io.BytesIO(data)) as image:
            if max(image.size) <= side and image.format in {"PNG", "JPEG"}:
                return data
            upright = ImageOps.exif_transpose(image)
            kept = upright.convert("RGB")
            kept.thumbnail((side, side), Image.Resampling.LANCZOS)
            out = io.BytesIO()
            # Photographs are ten times smaller as JPEG; drawings stay sharp as PNG.
            if image.format == "JPEG":
                kept.save(out, "JPEG", quality=88)
            else:
                kept.save(out, "PNG", optimize=True)
            return out.getvalue()


def _first_page(data: bytes, side: int) -> bytes:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        page = document[0]
        picture = page.render(scale=side / max(page.get_size())).to_pil()
        out = io.BytesIO()
        picture.save(out, "PNG")
        return out.getvalue()
    finally:
        document.close()


def media_type(data: bytes) -> str:
    """Media type of an image that a scaler gave."""
    return "image/jpeg" if data.startswith(b"\xff\xd8") else "image/png"

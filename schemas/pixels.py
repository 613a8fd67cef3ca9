"""What the bytes of an image say: size, media type, pixel hash, perceptual hash, EXIF.

Pillow is loaded only when an image is looked at.
"""

import hashlib
import io
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS: Final = 64_000_000
"""Largest image taken in, in pixels; a larger one is refused before it is decoded."""

_MEDIA_TYPES: Final = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
}


class PixelError(ValueError):
    """Bytes that are not a whole image of a known format, or an image that is too large."""


@dataclass(frozen=True)
class Picture:
    """An image taken in: upright, without EXIF, with everything an asset record states.

    Attributes:
        data: Encoded bytes; the given ones unless orientation or EXIF had to go.
        media_type: Media type of `data`.
        width: In pixels.
        height: In pixels.
        pixel_sha256: SHA-256 of size and RGBA pixels, the same for every encoding.
        perceptual_hash: 64-bit difference hash, 16 hexadecimal digits.
        exif_removed: Names of the EXIF tags that were removed.
    """

    data: bytes
    media_type: str
    width: int
    height: int
    pixel_sha256: str
    perceptual_hash: str
    exif_removed: tuple[str, ...]


def open_image(data: bytes) -> "Image":
    """The decoded first frame of an image.

    Raises:
        PixelError: The bytes are no whole image of a known format, or it is too large.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data))
        if image.width * image.height > MAX_PIXELS:
            raise PixelError(
                f"expected at most {MAX_PIXELS} pixels, got {image.width} x {image.height}"
            )
        if image.format not in _MEDIA_TYPES:
            raise PixelError(f"expected one of {', '.join(_MEDIA_TYPES)}, got {image.format}")
        image.load()
    except UnidentifiedImageError as error:
        start = (
            "a Git LFS pointer" if data.startswith(b"version https://git-lfs") else "other bytes"
        )
        raise PixelError(f"expected an image, got {start}") from error
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError) as error:
        if isinstance(error, PixelError):
            raise
        raise PixelError(
            f"expected a whole image, got one that cannot be decoded: {error}"
        ) from error
    return image


def take_in(data: bytes) -> Picture:
    """Normalise orientation, strip EXIF, measure and hash an image.

    Raises:
        PixelError: The bytes are no whole image of a known format, or it is too large.
    """
    from PIL import ExifTags, ImageOps

    image = open_image(data)
    media_type = _MEDIA_TYPES[image.format or ""]
    exif = image.getexif()
    removed = tuple(sorted(ExifTags.TAGS.get(tag, f"0x{tag:04x}") for tag in exif))
    if removed:
        image = ImageOps.exif_transpose(image)
        data, media_type = _encoded(image, media_type)
    return Picture(
        data=data,
        media_type=media_type,
        width=image.width,
        height=image.height,
        pixel_sha256=pixel_sha256(image),
        perceptual_hash=difference_hash(image),
        exif_removed=removed,
    )


def _encoded(image: "Image", media_type: str) -> tuple[bytes, str]:
    """The image encoded anew without metadata: JPEG stays JPEG, everything else becomes PNG."""
    clean = image.copy()
    clean.info = {}
    buffer = io.BytesIO()
    if media_type == "image/jpeg":
        clean.save(buffer, "JPEG", quality=95)
        return buffer.getvalue(), "image/jpeg"
    clean.save(buffer, "PNG")
    return buffer.getvalue(), "image/png"


def pixel_sha256(image: "Image") -> str:
    """SHA-256 of an image's size and RGBA pixels, in lower-case hexadecimal."""
    rgba = image.convert("RGBA")
    head = f"{rgba.width}x{rgba.height}:".encode("ascii")
    return hashlib.sha256(head + rgba.tobytes()).hexdigest()


def difference_hash(image: "Image") -> str:
    """64-bit difference hash: brighter than the right neighbour on a grid of 9 x 8 grey cells."""
    from PIL import Image as Images

    grey = image.convert("RGBA").convert("L").resize((9, 8), Images.Resampling.LANCZOS)
    cells = grey.tobytes()
    bits = (cells[row * 9 + at] > cells[row * 9 + at + 1] for row in range(8) for at in range(8))
    return f"{sum(bit << place for place, bit in enumerate(bits)):016x}"


def hash_distance(left: str, right: str) -> int:
    """Number of bits (0..64) in which two perceptual hashes differ."""
    return (int(left, 16) ^ int(right, 16)).bit_count()

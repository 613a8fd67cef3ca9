"""What the bytes of an image say: size, media type, pixel hash, perceptual hash, EXIF.

Pillow is loaded only when an image is looked at.
"""

import hashlib
import io
import struct
import warnings
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS: Final = 64_000_000
"""Largest image taken in, in pixels; a larger one is refused before it is decoded."""

_MEDIA_TYPES: Final = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",  # what many telephones write: a JPEG with more pictures behind the first
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
}
PDF: Final = "application/pdf"

_PNG_MODES: Final = frozenset({"1", "L", "LA", "P", "RGB", "RGBA", "I;16"})
_DEEP_MODES: Final = frozenset({"I", "F", "I;16", "I;16B", "I;16L"})
_OTHER_METADATA: Final = {
    "xmp": "XMP",
    "XML:com.adobe.xmp": "XMP",
    "photoshop": "IPTC",
    "comment": "Comment",
    "mp": "MultiPicture",
}
"""Name of further metadata by the key under which Pillow keeps it; XMP and IPTC hold places too."""
_UNREADABLE: Final = "EXIF"
_TIFF_STRUCTURE: Final = frozenset(
    (
        *("BitsPerSample", "ColorMap", "Compression", "ExtraSamples", "FillOrder", "ImageLength"),
        *("ImageWidth", "PhotometricInterpretation", "PlanarConfiguration", "Predictor"),
        *("ReferenceBlackWhite", "ResolutionUnit", "RowsPerStrip", "SampleFormat"),
        *("SamplesPerPixel", "StripByteCounts", "StripOffsets", "TileByteCounts", "TileLength"),
        *("TileOffsets", "TileWidth", "XResolution", "YCbCrSubSampling", "YResolution"),
    )
)


class PixelError(ValueError):
    """Bytes that are not a whole image of a known format, or an image that is too large."""


class NotAnImageError(PixelError):
    """Bytes that are no image at all, or one of a format that is not taken in."""


class ImageTooLargeError(PixelError):
    """An image of more than `MAX_PIXELS`; it was refused before it was decoded."""


# Pillow's readers leak whatever their parsing of broken bytes runs into.
_DECODING_ERRORS: Final = (
    *(OSError, ArithmeticError, LookupError, SyntaxError, TypeError, ValueError),
    *(struct.error, zlib.error),
)


@dataclass(frozen=True)
class Picture:
    """An image taken in: upright, without EXIF, with everything an asset record states.

    Attributes:
        data: Encoded bytes; the given ones unless orientation or metadata had to go.
        media_type: Media type of `data`.
        width: In pixels.
        height: In pixels.
        pixel_sha256: SHA-256 of size and pixels of `data`, the same for every lossless encoding.
        perceptual_hash: 64-bit difference hash, 16 hexadecimal digits.
        exif_removed: Names of the EXIF tags and other metadata that were removed.
    """

    data: bytes
    media_type: str
    width: int
    height: int
    pixel_sha256: str
    perceptual_hash: str
    exif_removed: tuple[str, ...]


@dataclass(frozen=True)
class Measured:
    """What can be measured of the bytes of an image in one look.

    Attributes:
        media_type: Media type of the bytes.
        width: In pixels.
        height: In pixels.
        pixel_sha256: SHA-256 of size and pixels, see `pixel_sha256`.
        perceptual_hash: See `difference_hash`.
        metadata: Names of EXIF tags and other metadata, see `metadata_of`.
        one_colour: Whether every pixel is the same.
    """

    media_type: str
    width: int
    height: int
    pixel_sha256: str
    perceptual_hash: str
    metadata: tuple[str, ...]
    one_colour: bool


_MEASURED: Final[dict[str, Measured]] = {}
"""By the SHA-256 of the bytes: an image that is taken in is checked, and written in each layout."""
_KEPT: Final = 1 << 16


def measure(data: bytes) -> Measured:
    """What bytes measure as an image; the same bytes are decoded once.

    Raises:
        PixelError: The bytes are no whole image of a known format, or it is too large.
    """
    digest = hashlib.sha256(data).hexdigest()
    return _MEASURED.get(digest) or _measure(digest, open_image(data))


def _measure(digest: str, image: "Image") -> Measured:
    """Measure a decoded image, and keep what it gave under the hash of its bytes."""
    if len(_MEASURED) >= _KEPT:
        _MEASURED.clear()
    found = _MEASURED[digest] = Measured(
        media_type=media_type_of(image),
        width=image.width,
        height=image.height,
        pixel_sha256=pixel_sha256(image),
        perceptual_hash=difference_hash(image),
        metadata=metadata_of(image),
        one_colour=is_one_colour(image),
    )
    return found


def measures_of(digests: Iterable[str]) -> dict[str, Measured]:
    """What bytes measured in this process, by their SHA-256; others are left out."""
    return {digest: _MEASURED[digest] for digest in digests if digest in _MEASURED}


def take_measures(known: Mapping[str, Measured]) -> None:
    """Take what bytes measured elsewhere, with the same Pillow, by their SHA-256."""
    _MEASURED.update(known)


def open_image(data: bytes, largest: int = MAX_PIXELS) -> "Image":
    """The decoded first frame of an image.

    Args:
        data: Encoded bytes of any of the known formats.
        largest: Most pixels that are decoded.

    Raises:
        PixelError: The bytes are no whole image of a known format, or it is too large.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data))
        if image.width * image.height > largest:
            raise ImageTooLargeError(
                f"expected at most {largest} pixels, got {image.width} x {image.height}"
            )
        if image.format not in _MEDIA_TYPES:
            raise NotAnImageError(f"expected one of {', '.join(_MEDIA_TYPES)}, got {image.format}")
        image.load()
    except UnidentifiedImageError as error:
        start = (
            "a Git LFS pointer" if data.startswith(b"version https://git-lfs") else "other bytes"
        )
        raise NotAnImageError(f"expected an image, got {start}") from error
    except PixelError:
        raise
    except Image.DecompressionBombError as error:
        said = f"expected at most {largest} pixels, got far more"
        raise ImageTooLargeError(said) from error
    except _DECODING_ERRORS as error:
        raise PixelError(
            f"expected a whole image, got one that cannot be decoded: {error}"
        ) from error
    return image


def take_in(data: bytes, *, again: bool = False, largest: int = MAX_PIXELS) -> Picture:
    """Normalise orientation, strip EXIF and other metadata, measure and hash an image.

    Args:
        data: Encoded bytes of any of the known formats.
        again: Encode again even if no metadata is seen, so that nothing but the pixels is kept:
            no second frame, no bytes behind the image, no chunk that Pillow does not know.
        largest: Most pixels that are decoded.

    Raises:
        PixelError: The bytes are no whole image of a known format, or it is too large.
    """
    image = open_image(data, largest)
    media_type = media_type_of(image)
    removed = metadata_of(image)
    if again or removed or image.format == "TIFF":  # no browser shows a TIFF
        data, media_type = _encode(_upright(image), media_type)
        # The hash speaks of the bytes that are kept, and JPEG changes pixels.
        image = open_image(data, largest)
    # The checks of the same run ask for the same facts of the same bytes.
    seen = _measure(hashlib.sha256(data).hexdigest(), image)
    return Picture(
        data=data,
        media_type=media_type,
        width=seen.width,
        height=seen.height,
        pixel_sha256=seen.pixel_sha256,
        perceptual_hash=seen.perceptual_hash,
        exif_removed=removed,
    )


def _upright(image: "Image") -> "Image":
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(image)
    except _DECODING_ERRORS:  # EXIF that nobody can read turns nothing
        return image


def metadata_of(image: "Image") -> tuple[str, ...]:
    """Names of the metadata in an image, sorted; the structure of a TIFF is none."""
    from PIL import ExifTags

    try:
        names = {ExifTags.TAGS.get(tag, f"0x{tag:04x}") for tag in image.getexif()}
    except _DECODING_ERRORS:
        names = {_UNREADABLE}
    if image.format == "TIFF":
        names -= _TIFF_STRUCTURE
    names |= {_OTHER_METADATA[key] for key in _OTHER_METADATA if key in image.info}
    names |= {str(key) for key in getattr(image, "text", {}) if key not in _OTHER_METADATA}
    return tuple(sorted(names))


def _encode(image: "Image", media_type: str) -> tuple[bytes, str]:
    """The image encoded again without metadata: JPEG stays JPEG, everything else becomes PNG."""
    clean = image.copy()
    clean.info = {key: image.info[key] for key in ("transparency",) if key in image.info}
    buffer = io.BytesIO()
    if media_type == "image/jpeg":
        clean.save(buffer, "JPEG", quality=95)
        return buffer.getvalue(), "image/jpeg"
    if clean.mode not in _PNG_MODES:
        clean = clean.convert("RGBA" if clean.has_transparency_data else "RGB")
    clean.save(buffer, "PNG")
    return buffer.getvalue(), "image/png"


def pixel_sha256(image: "Image") -> str:
    """SHA-256 of an image's size and pixels, in lower-case hexadecimal.

    Pixels are compared as 8-bit RGBA, and what cannot be seen (the colour of a wholly
    transparent pixel) does not count; images of more than 8 bits a channel are hashed as they are.
    """
    head = f"{image.width}x{image.height}:"
    if image.mode in _DEEP_MODES:
        digest = hashlib.sha256(f"{head}{image.mode}:".encode("ascii"))
        digest.update(image.tobytes())
    else:
        digest = hashlib.sha256(head.encode("ascii"))
        digest.update(_visible(image).tobytes())
    return digest.hexdigest()


def _visible(image: "Image") -> "Image":
    from PIL import Image as Images

    rgba = image.convert("RGBA")
    if not image.has_transparency_data:
        return rgba
    alpha = rgba.getchannel("A")
    if alpha.getextrema()[0] != 0:
        return rgba
    blank = Images.new("RGBA", rgba.size)
    blank.paste(rgba, mask=alpha.point(lambda value: 255 if value else 0))
    return blank


def is_one_colour(image: "Image") -> bool:
    """Whether every pixel of an image is the same."""
    if image.mode in _DEEP_MODES:
        return image.getextrema()[0] == image.getextrema()[1]
    return image.getcolors(maxcolors=1) is not None


def media_type_of(image: "Image") -> str:
    """Media type of the bytes that an image was decoded from."""
    return _MEDIA_TYPES[image.format or ""]


def difference_hash(image: "Image") -> str:
    """64-bit difference hash: brighter than the right neighbour on a grid of 9 x 8 grey cells."""
    from PIL import Image as Images

    # RGB gives the same greys without the detour, in half the time.
    opaque = image if image.mode in {"L", "RGB"} else image.convert("RGBA")
    grey = opaque.convert("L").resize((9, 8), Images.Resampling.LANCZOS)
    cells = grey.tobytes()
    bits = (cells[row * 9 + at] > cells[row * 9 + at + 1] for row in range(8) for at in range(8))
    return f"{sum(bit << place for place, bit in enumerate(bits)):016x}"


def hash_distance(left: str, right: str) -> int:
    """Number of bits (0..64) in which two perceptual hashes differ."""
    return (int(left, 16) ^ int(right, 16)).bit_count()

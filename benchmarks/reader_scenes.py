"""Counts objects of a colour in a picture: pixels of its hue, joined to regions of equal size."""

import colorsys
import io
from statistics import median
from typing import Final

from PIL import Image
from reader_pixels import Box, components, merged

_HUES: Final = {
    "red": (345, 12),
    "orange": (20, 38),
    "yellow": (45, 62),
    "green": (90, 160),
    "blue": (200, 235),
    "purple": (262, 295),
}
"""First and last hue in degrees by colour word."""
_BROWN: Final = ((10, 32), 0.62)
"""Hues of brown, and the brightness below which an orange is a brown."""


def is_colour(word: str, red: int, green: int, blue: int) -> bool:
    """Whether a pixel (0 to 255 each) is of a colour, light or dark, but no pastel."""
    hue, saturation, value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    if saturation < 0.45 or value < 0.2:
        return False
    degrees = hue * 360
    (least, most), darkest = _BROWN
    brown = least <= degrees <= most and value < darkest
    if word == "brown":
        return brown
    first, last = _HUES[word]
    inside = first <= degrees <= last if first < last else degrees >= first or degrees <= last
    return inside and not brown


def objects_of(data: bytes, colour: str) -> list[Box]:
    """Boxes of the objects of a colour in an encoded picture."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    colours = picture.getcolors(1 << 24) or []
    wanted = {rgb for _, rgb in colours if is_colour(colour, *rgb)}  # type: ignore[misc]
    pixels = picture.tobytes()
    mask = bytes(
        (pixels[at], pixels[at + 1], pixels[at + 2]) in wanted for at in range(0, len(pixels), 3)
    )
    regions = [
        box
        for box, count in components(mask, picture.width)
        if count >= 60 and box.width < 140 and 8 < box.height < 140
    ]
    boxes = merged(regions)
    if not boxes:
        return []
    usual = median(max(box.width, box.height) for box in boxes)
    return [box for box in boxes if max(box.width, box.height) > 0.6 * usual]

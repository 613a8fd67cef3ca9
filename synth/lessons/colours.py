"""What the colour of a drawn thing is called, so that people can speak of what they see."""

import colorsys
import io
from collections import Counter
from typing import Final

from memassay.synth.concepts.library import ConceptImage

_LIGHT: Final = (0.34, 0.44)
"""How light a body is, from black 0 to white 1; nothing else in a picture is (our drawings)."""
_WEIGHTS: Final = (0.299, 0.587, 0.114)
"""How light red, green and blue look (ITU-R BT.601)."""
_GREY: Final = 0.2
"""Saturation below which a colour is called grey."""
_HUES: Final = (
    *((6, "red"), (50, "brown"), (75, "olive"), (165, "green"), (195, "teal"), (238, "blue")),
    *((320, "purple"), (345, "wine-red"), (360, "red")),
)
"""Names of colours as dark as bodies are, by the degrees of hue up to which they go."""


def colour_of(image: ConceptImage) -> str | None:
    """What the colour of most of a drawn thing is called; None if it has none, or is not drawn.

    Args:
        image: The picture.
    """
    from PIL import Image

    if image.looks is None:
        return None
    _, (left, top, right, bottom) = image.looks()
    with Image.open(io.BytesIO(image.read())) as opened:
        data = opened.convert("RGB").crop((left, top, right, bottom)).tobytes()
    times = Counter(zip(data[::3], data[1::3], data[2::3], strict=True))
    least, most = (round(255 * one) for one in _LIGHT)
    for colour, _ in times.most_common():
        light = sum(weight * one for weight, one in zip(_WEIGHTS, colour, strict=True))
        if least <= light <= most:
            return _name(*colour)
    return None


def _name(red: int, green: int, blue: int) -> str:
    hue, saturation, _ = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    if saturation < _GREY:
        return "grey"
    return next(name for upto, name in _HUES if 360 * hue <= upto)

"""How well pictures of classes are told apart without colour, by a simple descriptor."""

from typing import Final

from PIL import Image, ImageOps

from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.pictures.canvas.pixels import image_of
from memassay.synth.pictures.classes.families import CLASSES, exemplar, exemplar_figure

SIDE: Final = 24
"""Pixels of a side of what is compared."""


def descriptor(family: str, number: int, key: str) -> "Image.Image":
    """A picture in grey, cut to the thing itself, small, its lightness evened out."""
    sketch = exemplar(exemplar_figure(family, number), keyed_random(family, str(number), key))
    grey = image_of(sketch).convert("L").crop(sketch.pixel_boxes()[family])
    return ImageOps.equalize(grey.resize((SIDE, SIDE)))


def distance(one: "Image.Image", other: "Image.Image") -> int:
    """Sum of differences, from whichever side it is seen."""
    pixels = one.tobytes()
    return min(
        sum(abs(a - b) for a, b in zip(pixels, seen.tobytes(), strict=True))
        for seen in (other, ImageOps.mirror(other))
    )


def recognised(family: str, shown: int, probes: int) -> float:
    """Share of new pictures whose nearest shown picture is of their class; by chance an eighth."""
    known = [
        (number, descriptor(family, number, f"shown {nth}"))
        for number in range(CLASSES)
        for nth in range(shown)
    ]
    right = 0
    for number in range(CLASSES):
        for nth in range(probes):
            new = descriptor(family, number, f"new {nth}")
            right += min(known, key=lambda one: distance(one[1], new))[0] == number
    return right / (CLASSES * probes)

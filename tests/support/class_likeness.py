"""How well pictures of classes are told apart, without colour by a simple descriptor or by it."""

from collections.abc import Callable
from typing import Any, Final

from PIL import Image, ImageOps

from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.pictures.canvas.pixels import image_of
from memassay.synth.pictures.classes.families import CLASSES, exemplar, exemplar_figure

Shares = dict[tuple[int, ...], float]
"""Share of each step of colours in a picture."""
SIDE: Final = 24
"""Pixels of a side of what is compared."""
LEVELS: Final = 8
"""Into how many steps a histogram of colours divides each channel."""
Look = Callable[["Image.Image", tuple[int, int, int, int]], Any]
"""What is kept of a picture and the box of its thing."""


def descriptor(image: "Image.Image", box: tuple[int, int, int, int]) -> "Image.Image":
    """A picture in grey, cut to the thing itself, small, its lightness evened out."""
    return ImageOps.equalize(image.convert("L").crop(box).resize((SIDE, SIDE)))


def distance(one: "Image.Image", other: "Image.Image") -> int:
    """Sum of differences, from whichever side it is seen."""
    pixels = one.tobytes()
    return min(
        sum(abs(a - b) for a, b in zip(pixels, seen.tobytes(), strict=True))
        for seen in (other, ImageOps.mirror(other))
    )


def histogram(image: "Image.Image", _box: object = None) -> Shares:
    """Shares of the colours of a whole picture."""
    shares: Shares = {}
    colours: Any = image.convert("RGB").getcolors(image.width * image.height)
    for count, channels in colours:
        step = tuple(one * LEVELS // 256 for one in channels)
        shares[step] = shares.get(step, 0.0) + count / (image.width * image.height)
    return shares


def cut_histogram(image: "Image.Image", box: tuple[int, int, int, int]) -> Shares:
    """The same of the thing cut out."""
    return histogram(image.crop(box))


def colour_distance(one: Shares, other: Shares) -> float:
    """Sum of the differences of two histograms."""
    return sum(abs(one.get(step, 0.0) - other.get(step, 0.0)) for step in one.keys() | other.keys())


def recognised(family: str, shown: int, probes: int, *, recoloured: bool = False) -> float:
    """Share of new pictures whose nearest shown picture is of their class; by chance an eighth."""
    return share_right(family, (shown, probes), descriptor, distance, recoloured=recoloured)


def share_right(
    family: str,
    pictures: tuple[int, int],
    look: Look,
    apart: Callable[[Any, Any], float],
    *,
    recoloured: bool = False,
) -> float:
    """The same by another look.

    Args:
        family: Whose classes.
        pictures: How many of each class are shown, and how many are new.
        look: What is kept of each.
        apart: How far two are from each other.
        recoloured: Whether colours are drawn for each picture.
    """
    shown, probes = pictures

    def seen(number: int, key: str) -> Any:
        figure = exemplar_figure(family, number, recoloured=recoloured)
        sketch = exemplar(figure, keyed_random(family, str(number), key))
        return look(image_of(sketch), sketch.pixel_boxes()[family])

    known = [
        (number, seen(number, f"shown {nth}")) for number in range(CLASSES) for nth in range(shown)
    ]
    right = 0
    for number in range(CLASSES):
        for nth in range(probes):
            new = seen(number, f"new {nth}")
            right += min(known, key=lambda one: apart(one[1], new))[0] == number
    return right / (CLASSES * probes)

"""Colours drawn for one picture, so that they say nothing about the class of what it shows."""

import colorsys
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.classes.pen import Colours

_WEIGHTS: Final = (0.299, 0.587, 0.114)
"""How light red, green and blue look (ITU-R BT.601)."""
_BODY: Final = (0.36, 0.42)
_MARK: Final = (0.86, 0.92)
_EDGE: Final = (0.12, 0.18)
_FLOWER: Final = (0.6, 0.75)
"""How light each is, from black 0 to white 1: build and mark are seen without colour."""
_FURRED: Final = frozenset({"dog", "cat", "rabbit"})
"""Families whose colours are those of fur: browns and greys."""
_FUR: Final = (0.02, 0.13)
"""Hues of these, as shares of the circle."""


def draw_colours(family: str, random: Random) -> Colours:
    """Colours of a thing of a family; no class has any of its own."""
    if family in _FURRED:
        hue, saturation = random.uniform(*_FUR), random.uniform(0.0, 0.75)
        pale = random.uniform(*_FUR)
    else:
        hue, saturation = random.random(), random.uniform(0.3, 0.75)
        pale = random.random()
    return Colours(
        body=_colour(hue, saturation, random.uniform(*_BODY)),
        mark=_colour(pale, random.uniform(0.1, 0.4), random.uniform(*_MARK)),
        edge=_colour(hue, saturation, random.uniform(*_EDGE)),
        flower=_colour(random.random(), random.uniform(0.4, 0.75), random.uniform(*_FLOWER)),
    )


def _colour(hue: float, saturation: float, light: float) -> str:
    """A colour of a hue that looks so light; what no screen can show is paler."""
    pure = colorsys.hsv_to_rgb(hue, saturation, 1.0)
    own = sum_in_order(weight * one for weight, one in zip(_WEIGHTS, pure, strict=True))
    if light <= own:
        shown = [one * light / own for one in pure]
    else:
        share = (light - own) / (1 - own)
        shown = [one + (1 - one) * share for one in pure]
    return "#" + "".join(f"{round(one * 255):02x}" for one in shown)

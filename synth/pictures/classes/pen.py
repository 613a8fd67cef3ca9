"""A pen that draws in the coordinates of a thing, whatever its size, lean and side."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.synth.pictures.canvas.sketch import Point, Sketch

_CORNERS: Final = 40
"""Corners of the polygon that is drawn for an ellipse."""


@dataclass(frozen=True)
class Colours:
    """Colours of a thing.

    Attributes:
        body: Of most of it.
        mark: Of what is drawn on it.
        edge: Of its outlines.
        flower: Of flowers in it; None for those that its shape usually has.
    """

    body: str
    mark: str
    edge: str
    flower: str | None = None


@dataclass(frozen=True)
class Pen:
    """Draws a thing that lies between -1 and 1 in both directions, `y` downwards.

    Attributes:
        sketch: Where it is drawn, its origin in the corner.
        size: Pixels of a unit.
        lean: In radians, clockwise.
        stretch: Its width beside its height.
        mirrored: Whether left and right are exchanged.
        line: Width of outlines in pixels.
        colours: What it is painted with.
    """

    sketch: Sketch
    size: float
    lean: float
    stretch: float
    mirrored: bool
    line: float
    colours: Colours

    def at(self, x: float, y: float) -> Point:
        """Where a point of the thing lies in the picture."""
        across = x * self.stretch * (-1 if self.mirrored else 1) * self.size
        down = y * self.size
        cosine, sine = math.cos(self.lean), math.sin(self.lean)
        return (
            across * cosine - down * sine,
            across * sine + down * cosine,
        )

    def shape(self, points: Iterable[Point], fill: str | None = None) -> None:
        """A filled and outlined polygon."""
        placed = [self.at(x, y) for x, y in points]
        self.sketch.polygon(placed, fill or self.colours.body)
        self.sketch.line([*placed, placed[0], placed[1]], self.colours.edge, self.line)

    def patch(self, points: Iterable[Point], fill: str | None = None) -> None:
        """A filled polygon without an outline, in the colour of marks if none is given."""
        self.sketch.polygon([self.at(x, y) for x, y in points], fill or self.colours.mark)

    def stroke(self, points: Sequence[Point], colour: str | None = None, width: float = 1) -> None:
        """A line, as thick as outlines or so many times thicker."""
        placed = [self.at(x, y) for x, y in points]
        self.sketch.line(placed, colour or self.colours.edge, self.line * width)

    def oval(
        self, x: float, y: float, rx: float, ry: float, fill: str | None = None, turn: float = 0
    ) -> None:
        """A filled and outlined ellipse around a point."""
        self.shape(oval(x, y, rx, ry, turn), fill)

    def dot(self, x: float, y: float, r: float, fill: str | None = None) -> None:
        """A filled circle without an outline."""
        self.patch(oval(x, y, r, r), fill)


def oval(
    x: float, y: float, rx: float, ry: float, turn: float = 0, start: float = 0, end: float = 1
) -> list[Point]:
    """Points of an ellipse, or of a part of it, from a share of the way around to another.

    Clockwise from the right end; `turn` turns the whole of it, in radians.
    """
    whole = end - start >= 1
    count = max(3, round(_CORNERS * (end - start)))
    made = []
    for nth in range(count if whole else count + 1):
        angle = 2 * math.pi * (start + (end - start) * nth / count)
        across, down = rx * math.cos(angle), ry * math.sin(angle)
        cosine, sine = math.cos(turn), math.sin(turn)
        made.append((x + across * cosine - down * sine, y + across * sine + down * cosine))
    return made

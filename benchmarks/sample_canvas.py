"""A small drawing surface and the colours that the sample's images share."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

Point: TypeAlias = tuple[float, float]

WIDTH, HEIGHT, SCALE, COLOURS = 640, 480, 2, 48
INK, GREY, PALE, PAPER, WHITE = "#22303c", "#7b8791", "#d5dbe0", "#fbf7ec", "#ffffff"
RED, BLUE, YELLOW, GREEN, ORANGE = "#c8352b", "#2f6db5", "#efb82d", "#3d8a4d", "#df7f27"
SKY, SEA, SAND, WOOD, DARK_WOOD, STONE = (
    "#cfe6f2",
    "#4f90ad",
    "#e5d3a4",
    "#b98a56",
    "#7a5533",
    "#a9a69d",
)


class Canvas:
    """A drawing surface of 640 x 480 pixels; all coordinates are given in those pixels."""

    def __init__(self, background: str) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), background)
        self.pen = ImageDraw.Draw(self.image)

    def rect(
        self, left: float, top: float, right: float, bottom: float, fill: str, edge: str = ""
    ) -> None:
        """Fill a rectangle, with a two-pixel edge if `edge` names a colour."""
        box = (left * SCALE, top * SCALE, right * SCALE, bottom * SCALE)
        self.pen.rectangle(box, fill=fill, outline=edge or None, width=2 * SCALE)

    def poly(self, points: Sequence[Point], fill: str, edge: str = "") -> None:
        """Fill a polygon, with a two-pixel edge if `edge` names a colour."""
        self.pen.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=fill)
        if edge:
            self.line([*points, points[0]], edge, 2)

    def line(self, points: Sequence[Point], colour: str, width: float = 2) -> None:
        """Draw a chain of straight segments."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        self.pen.line(scaled, fill=colour, width=round(width * SCALE), joint="curve")

    def circle(self, x: float, y: float, radius: float, fill: str, edge: str = "") -> None:
        """Fill a circle around (x, y)."""
        box = [value * SCALE for value in (x - radius, y - radius, x + radius, y + radius)]
        self.pen.ellipse(box, fill=fill, outline=edge or None, width=2 * SCALE)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 16,
        colour: str = INK,
        anchor: str = "lm",
        bold: bool = False,
    ) -> None:
        """Write one line with Pillow's built-in scalable font; `anchor` as Pillow defines it."""
        font = ImageFont.load_default(size * SCALE)
        weight = 0.5 * SCALE if bold else 0
        self.pen.text(
            (x * SCALE, y * SCALE),
            words,
            font=font,
            fill=colour,
            anchor=anchor,
            stroke_width=weight,
        )

    def dashes(self, left: float, right: float, y: float, colour: str) -> None:
        """Draw a horizontal dashed line."""
        x = left
        while x < right:
            self.line([(x, y), (min(x + 8, right), y)], colour, 1.5)
            x += 14

    def measure(self, start: Point, end: Point, label: str, offset: Point) -> None:
        """Draw a dimension line with end ticks, and its label `offset` from the middle."""
        (x1, y1), (x2, y2) = start, end
        length = math.hypot(x2 - x1, y2 - y1)
        nx, ny = -(y2 - y1) / length * 6, (x2 - x1) / length * 6
        self.line([start, end], RED, 1.5)
        for x, y in (start, end):
            self.line([(x - nx, y - ny), (x + nx, y + ny)], RED, 1.5)
        self.text((x1 + x2) / 2 + offset[0], (y1 + y2) / 2 + offset[1], label, 17, RED, "mm")

    def save(self, path: Path) -> None:
        """Scale down, reduce to a palette without dithering and write a PNG."""
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        palette = small.quantize(
            COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
        palette.save(path, optimize=True)


def curve(start: float, end: float, steps: int = 40) -> list[float]:
    """Even steps from start to end, both included."""
    return [start + (end - start) * index / steps for index in range(steps + 1)]

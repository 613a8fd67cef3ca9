"""A sketch: shapes and texts of a picture, before pixels or a PDF page are made of them.

Coordinates are pixels from the top left. Shapes come first and texts are on top of them, so
that a figure can be set into a page and a page can be written as pixels and as a PDF alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from memassay.synth.pictures.canvas.fonts import CAPITAL, check_drawable, font, text_width

Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
Align: TypeAlias = Literal["left", "middle", "right"]


@dataclass(frozen=True)
class Shape:
    """A filled or outlined shape.

    Attributes:
        form: `rectangle` and `ellipse` are given by two corners, the others by their points.
        points: Corners or points.
        fill: Colour within, if any.
        edge: Colour of the outline or line, if any.
        width: Of the outline or line in pixels.
        radius: Of a rectangle's corners in pixels.
    """

    form: Literal["rectangle", "ellipse", "polygon", "line"]
    points: tuple[Point, ...]
    fill: str | None = None
    edge: str | None = None
    width: float = 0
    radius: float = 0

    def move(self, right: float, down: float) -> "Shape":
        """The same shape elsewhere."""
        return replace(self, points=tuple((x + right, y + down) for x, y in self.points))


@dataclass(frozen=True)
class Text:
    """One line of text; `x` is its left end, `y` its baseline."""

    x: int
    y: int
    words: str
    size: int
    colour: str
    bold: bool

    def move(self, right: int, down: int) -> "Text":
        """The same text elsewhere."""
        return replace(self, x=self.x + right, y=self.y + down)


@dataclass
class Sketch:
    """A picture being made.

    Attributes:
        width: In pixels.
        height: In pixels.
        paper: Colour of the background.
        shapes: In drawing order.
        texts: On top of the shapes.
        boxes: Where the text or objects of each key are.
        lines: What can be read, line by line.
    """

    width: int
    height: int
    paper: str
    shapes: list[Shape] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    boxes: dict[str, Box] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def rectangle(
        self,
        box: Box,
        fill: str | None,
        edge: str | None = None,
        width: float = 0,
        radius: float = 0,
    ) -> None:
        """Draw a rectangle, with rounded corners if there is a radius."""
        left, top, right, bottom = box
        corners = ((left, top), (right, bottom))
        self.shapes.append(Shape("rectangle", corners, fill, edge, width, radius))

    def ellipse(
        self, box: Box, fill: str | None, edge: str | None = None, width: float = 0
    ) -> None:
        """Draw an ellipse within a box."""
        left, top, right, bottom = box
        self.shapes.append(Shape("ellipse", ((left, top), (right, bottom)), fill, edge, width))

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """Fill a polygon."""
        self.shapes.append(Shape("polygon", tuple(points), fill))

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Draw a chain of straight segments."""
        self.shapes.append(Shape("line", tuple(points), edge=colour, width=width))

    def text(
        self,
        x: float,
        middle: float,
        words: str,
        size: int,
        colour: str,
        *,
        bold: bool = False,
        align: Align = "left",
        key: str | None = None,
    ) -> Box:
        """Write one line; its capitals are centred on `middle`, its ink is noted under `key`.

        Raises:
            ValueError: The vendored font lacks one of the characters.
        """
        check_drawable(words)
        face = font(size, bold)
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * text_width(words, size, bold)
        left, baseline = round(x - shift), round(middle + CAPITAL * size / 2)
        self.texts.append(Text(left, baseline, words, size, colour, bold))
        ink = face.getbbox(words, anchor="ls")
        box = (left + ink[0], baseline + ink[1], left + ink[2], baseline + ink[3])
        if key is not None:
            self.note(key, box)
        return box

    def note(self, key: str, box: Box) -> None:
        """Note where a key can be seen; noted twice, both places count."""
        old = self.boxes.get(key, box)
        self.boxes[key] = (
            min(old[0], box[0]),
            min(old[1], box[1]),
            max(old[2], box[2]),
            max(old[3], box[3]),
        )

    def place(self, other: "Sketch", right: int, down: int) -> None:
        """Set another sketch into this one; its boxes and lines are left to the caller."""
        corner = (right, down, right + other.width, down + other.height)
        self.rectangle(corner, other.paper)
        self.shapes += [shape.move(right, down) for shape in other.shapes]
        self.texts += [text.move(right, down) for text in other.texts]

    def pixel_boxes(self) -> dict[str, tuple[int, int, int, int]]:
        """Boxes in whole pixels with a margin of two, kept inside the picture."""
        return {key: self._within(box) for key, box in self.boxes.items()}

    def _within(self, box: Box) -> tuple[int, int, int, int]:
        left, top, right, bottom = box
        return (
            max(0, math.floor(left) - 2),
            max(0, math.floor(top) - 2),
            min(self.width, math.ceil(right) + 2),
            min(self.height, math.ceil(bottom) + 2),
        )

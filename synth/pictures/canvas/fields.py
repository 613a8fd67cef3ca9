"""Parts that several kinds of pictures share: headings and keyed lines."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import (
    LEADING,
    balance_heading,
    fitting_size,
    text_width,
    wrap,
)
from memassay.synth.pictures.canvas.sketch import Align, Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme
from memassay.synth.pictures.canvas.totals import sum_in_order

Lines: TypeAlias = tuple[tuple[str, str], ...]
Style: TypeAlias = Literal["columns", "stacked", "centred", "running"]

LEAST: Final = 18
"""Smallest size of text in a figure, in pixels."""


@dataclass(frozen=True)
class Heading:
    """A heading broken into lines.

    Attributes:
        size: Of the font in pixels.
        lines: At most as wide as asked for.
    """

    size: int
    lines: list[str]

    @property
    def height(self) -> int:
        """In pixels, from the top of the first line to the bottom of the last."""
        return round(len(self.lines) * self.size * 1.25)


def heading_of(words: str, width: float, largest: int = 28, least: int = 21) -> Heading:
    """A heading in one line if that is no smaller than `least`, else in more."""
    size, lines = balance_heading(words, width, largest, least, bold=True)
    return Heading(size, lines)


def write_heading(
    sketch: Sketch,
    heading: Heading,
    x: float,
    top: float,
    colour: str,
    align: Align = "left",
    key: str = "title",
) -> None:
    """Write a heading; `x` is its left end, middle or right end, as `align` says."""
    step = heading.size * 1.25
    for at, words in enumerate(heading.lines):
        middle = top + step * (at + 0.5)
        sketch.text(x, middle, words, heading.size, colour, bold=True, align=align, key=key)


@dataclass(frozen=True)
class Fields:
    """Keyed lines, arranged for a width.

    Attributes:
        style: `columns` sets keys beside values, `stacked` and `centred` above them, `running`
            writes both in one paragraph.
        size: Of values in pixels.
        width: In pixels.
        key_width: Width of the column of keys, for `columns`.
        wrapped: Key and lines of its value.
    """

    style: Style
    size: int
    width: float
    key_width: float
    wrapped: list[tuple[str, list[str]]]

    @property
    def key_size(self) -> int:
        """Size of keys in pixels."""
        return max(LEAST - 1, self.size - 4) if self.above else self.size

    @property
    def above(self) -> bool:
        """Whether keys are above their values."""
        return self.style in ("stacked", "centred")

    @property
    def step(self) -> float:
        """Distance of two lines in pixels."""
        return self.size * LEADING

    def heights(self, gap: float) -> list[float]:
        """Height of each field with the gap below it."""
        extra = self.key_size * LEADING if self.above else 0
        return [extra + len(lines) * self.step + gap for _, lines in self.wrapped]


def fields_of(lines: Lines, width: float, style: Style, size: int) -> Fields:
    """Lay keyed lines out at a size."""
    key_width = 0.0
    if style == "columns":
        widest = max((text_width(f"{key}:", size) for key, _ in lines), default=0)
        key_width = min(widest + size * 0.8, width * 0.5)
    wrapped = [(key, _wrap(key, value, width - key_width, style, size)) for key, value in lines]
    return Fields(style, size, width, key_width, wrapped)


def _wrap(key: str, value: str, width: float, style: Style, size: int) -> list[str]:
    if style != "running":
        return wrap(value, width, size, bold=True)
    indent = text_width(f"{key}: ", size, bold=True)
    first, *_ = wrap(value, max(width - indent, width / 3), size)
    rest = value.split()[len(first.split()) :]
    return [first, *(wrap(" ".join(rest), width, size) if rest else [])]


def largest_fields(
    lines: Lines, width: float, height: float, style: Style, gap: float, largest: int = 26
) -> Fields:
    """The fields at the largest size that keeps them within a height, at least `LEAST`."""
    for size in range(largest, LEAST, -1):
        fields = fields_of(lines, width, style, size)
        if sum_in_order(fields.heights(gap)) <= height:
            return fields
    return fields_of(lines, width, style, LEAST)


def write_field(
    sketch: Sketch, fields: Fields, at: int, x: float, top: float, ink: str, quiet: str
) -> None:
    """Write the field number `at` with its top left corner at (x, top)."""
    key, lines = fields.wrapped[at]
    if fields.style == "running":
        _write_running(sketch, fields, at, (x, top + fields.step / 2), ink, quiet)
        return
    size, middle = fields.size, top + fields.step / 2
    align: Align = "middle" if fields.style == "centred" else "left"
    if align == "middle":
        x += fields.width / 2
    if fields.above:
        drop = fields.key_size * LEADING
        sketch.text(x, top + drop / 2, key, fields.key_size, quiet, align=align)
        middle += drop
    else:
        fitting = fitting_size([f"{key}:"], fields.key_width - 6, size, 14)
        sketch.text(x, middle, f"{key}:", fitting, quiet)
    for number, words in enumerate(lines):
        y = middle + number * fields.step
        left = x + fields.key_width
        sketch.text(left, y, words, size, ink, bold=True, align=align, key=key)


def _write_running(
    sketch: Sketch, fields: Fields, at: int, place: Point, ink: str, quiet: str
) -> None:
    (key, lines), (x, middle), size = fields.wrapped[at], place, fields.size
    sketch.text(x, middle, f"{key}:", size, quiet, bold=True)
    indent = text_width(f"{key}: ", size, bold=True)
    for number, words in enumerate(lines):
        left = x if number else x + indent
        sketch.text(left, middle + number * fields.step, words, size, ink, key=key)


def keyed_lines(figure: Figure) -> Lines:
    """All keys of a figure without columns as keyed lines."""
    return (*row_lines(figure), *figure.lines)


def row_lines(figure: Figure) -> Lines:
    """Rows of a figure without columns as keyed lines."""
    return tuple((row, cells[0]) for row, cells in zip(figure.rows, figure.cells, strict=True))


def footnotes(figure: Figure, width: float) -> Fields:
    """The keyed lines below a chart, table, plan or scene."""
    return fields_of(figure.lines, width, "running", LEAST)


def write_footnotes(sketch: Sketch, notes: Fields, x: float, top: float, theme: Theme) -> None:
    """Write keyed lines below one another."""
    for at, height in enumerate(notes.heights(2)):
        write_field(sketch, notes, at, x, top, theme.ink, theme.quiet)
        top += height


def read_lines(lines: Lines) -> list[str]:
    """Keyed lines as they are read."""
    return [f"{key}: {value}" for key, value in lines]

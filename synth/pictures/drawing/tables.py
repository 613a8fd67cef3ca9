"""Tables and timetables: ruled rows, a heading row, as wide as their cells need."""

from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import (
    LEAST,
    footnotes,
    heading_of,
    read_lines,
    write_footnotes,
    write_heading,
)
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import text_width, wrap
from memassay.synth.pictures.canvas.sketch import Align, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order

_MARGIN: Final = 28
_PADDING: Final = 14
_WIDTH: Final = 640
_HEIGHT: Final = 480
_WIDEST_CELL: Final = 240


@dataclass(frozen=True)
class _Grid:
    """A table measured: text size, column widths, row heights and wrapped cells."""

    size: int
    widths: list[float]
    heights: list[float]
    cells: list[list[list[str]]]


def _texts(figure: Figure) -> list[list[str]]:
    """Heading row and rows, the row labels first."""
    columns = figure.columns or (figure.measure or "Value",)
    rows = zip(figure.rows, figure.cells, strict=True)
    return [["", *columns], *([row, *cells] for row, cells in rows)]


def _measure(texts: list[list[str]], room: float, height: float) -> _Grid:
    """The largest size that fits the room, else the least, with long cells wrapped."""
    for size in range(24, LEAST - 1, -1):
        cells = [[wrap(text, _WIDEST_CELL, size, bold=True) for text in row] for row in texts]
        widths = [
            max(text_width(line, size, bold=True) for row in cells for line in row[at])
            + 2 * _PADDING
            for at in range(len(texts[0]))
        ]
        lines = [max(len(cell) for cell in row) for row in cells]
        needed = sum_in_order(line * size * 1.25 + 14 for line in lines)
        if sum_in_order(widths) <= room and needed <= height:
            break
    spare = max(0.0, room - sum_in_order(widths)) / len(widths)
    air = min(34.0, max(0.0, height - needed) / len(lines))
    heights = [line * size * 1.25 + 14 + air for line in lines]
    return _Grid(size, [width + spare for width in widths], heights, cells)


def table(figure: Figure, random: Random) -> Sketch:
    """A ruled table: banded, fully ruled or with rules between rows."""
    theme = pick_theme(random)
    style = random.choice(("banded", "grid", "rules"))
    return _draw_table(figure, theme, random, style, indent=0)


def timetable(figure: Figure, random: Random) -> Sketch:
    """A table whose rows hang on a line of stops."""
    theme = pick_theme(random)
    style = random.choice(("rules", "banded"))
    return _draw_table(figure, theme, random, style, indent=34)


def _draw_table(figure: Figure, theme: Theme, random: Random, style: str, indent: int) -> Sketch:
    texts = _texts(figure)
    heading = heading_of(figure.title, _WIDTH - 2 * _MARGIN)
    top = 26 + heading.height + 16
    grid = _measure(texts, _WIDTH - 2 * _MARGIN - indent, _HEIGHT - top - _MARGIN)
    width = max(_WIDTH, round(sum_in_order(grid.widths) + 2 * _MARGIN + indent))
    notes = footnotes(figure, width - 2 * _MARGIN)
    bottom = top + sum_in_order(grid.heights)
    height = round(bottom + sum_in_order(notes.heights(2)) + (34 if notes.wrapped else 22))
    sketch = Sketch(width, max(height, 320), theme.panel)
    centred = random.random() < 0.3
    if random.random() < 0.5:
        sketch.rectangle((0, 0, 10, sketch.height), theme.accent)
    else:
        sketch.rectangle((0, 0, width, 8), theme.accent)
    x = width / 2 if centred else _MARGIN
    write_heading(sketch, heading, x, 20, theme.ink, "middle" if centred else "left")
    _background(sketch, grid, top, style, indent, theme)
    if indent:
        _stops(sketch, grid, top, theme)
    align: Align = random.choice(("middle", "left"))
    _cells(sketch, figure, grid, top, align, indent, theme)
    write_footnotes(sketch, notes, _MARGIN, bottom + 12, theme)
    sketch.lines += [figure.title, *(" ".join(row).strip() for row in texts)]
    sketch.lines += read_lines(figure.lines)
    return sketch


def _background(
    sketch: Sketch, grid: _Grid, top: float, style: str, indent: int, theme: Theme
) -> None:
    left, right = _MARGIN + indent, _MARGIN + indent + sum_in_order(grid.widths)
    y = top
    for at, height in enumerate(grid.heights):
        if at == 0 or (style == "banded" and at % 2 == 0):
            fill = theme.tint if at == 0 else theme.paper
            sketch.rectangle((left, y, right, y + height), fill)
        if at > 0:
            colour, width = (theme.accent, 2) if at == 1 else (theme.rule, 1)
            sketch.line([(left, y), (right, y)], colour, width)
        y += height
    sketch.line([(left, y), (right, y)], theme.accent, 2)
    if style == "grid":
        for x in accumulate(grid.widths, initial=float(left)):
            sketch.line([(x, top), (x, y)], theme.rule, 1)
        sketch.line([(left, top), (right, top)], theme.accent, 2)


def _stops(sketch: Sketch, grid: _Grid, top: float, theme: Theme) -> None:
    x, y = _MARGIN + 14, top + grid.heights[0]
    middles = []
    for height in grid.heights[1:]:
        middles.append(y + height / 2)
        y += height
    sketch.line([(x, middles[0]), (x, middles[-1])], theme.second, 5)
    for middle in middles:
        sketch.ellipse((x - 9, middle - 9, x + 9, middle + 9), theme.panel, theme.second, 4)


def _cells(
    sketch: Sketch, figure: Figure, grid: _Grid, top: float, align: Align, indent: int, theme: Theme
) -> None:
    y = top
    for at, row in enumerate(grid.cells):
        x: float = _MARGIN + indent
        for column, lines in enumerate(row):
            side: Align = align if column else "left"
            place = x + (grid.widths[column] / 2 if side == "middle" else _PADDING)
            key = _key(figure, at, column)
            for number, words in enumerate(lines):
                shift = (number - (len(lines) - 1) / 2) * grid.size * 1.25
                middle = y + grid.heights[at] / 2 + shift
                bold = at == 0 or column == 0
                colour = theme.ink if at else theme.quiet
                sketch.text(place, middle, words, grid.size, colour, bold=bold, align=side, key=key)
            x += grid.widths[column]
        y += grid.heights[at]


def _key(figure: Figure, at: int, column: int) -> str | None:
    if at == 0 or column == 0:
        return None
    row = figure.rows[at - 1]
    return f"{row}/{figure.columns[column - 1]}" if figure.columns else row

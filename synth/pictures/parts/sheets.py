"""A sheet of paper with a heading above and keyed lines below what a picture shows."""

from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import (
    Lines,
    fields_of,
    heading_of,
    read_lines,
    write_footnotes,
    write_heading,
)
from memassay.synth.pictures.canvas.sketch import Align, Box, Sketch
from memassay.synth.pictures.canvas.themes import Theme
from memassay.synth.pictures.canvas.totals import sum_in_order

MARGIN: Final = 28
WIDTH: Final = 640
HEIGHT: Final = 480
_NOTE: Final = 18
"""Size of the keyed lines in pixels."""


@dataclass(frozen=True)
class Sheet:
    """A sketch with its heading and keyed lines, and the room between them."""

    sketch: Sketch
    room: Box


def sheet(
    title: str,
    lines: Lines,
    theme: Theme,
    random: Random,
    *,
    width: int = WIDTH,
    room: int | None = None,
    paper: str | None = None,
) -> Sheet:
    """A sheet with a heading on the left or in the middle, and a stripe or none.

    Args:
        title: The heading.
        lines: Keyed lines below the room.
        theme: Colours.
        random: Picks the place of the heading.
        width: In pixels.
        room: Least height of the room in pixels; default what a usual picture leaves.
        paper: Its colour; default one of the theme's.
    """
    notes = fields_of(lines, width - 2 * MARGIN, "running", _NOTE)
    below = round(sum_in_order(notes.heights(2))) + (14 if notes.wrapped else 0)
    heading = heading_of(title, width - 2 * MARGIN)
    top = 18 + heading.height + 14
    bottom = max(HEIGHT - MARGIN, top + (room or 0))
    colour = paper or (theme.panel if random.random() < 0.5 else theme.paper)
    sketch = Sketch(width, bottom + MARGIN + below, colour)
    align: Align = "middle" if random.random() < 0.35 else "left"
    if random.random() < 0.5:
        sketch.rectangle((0, 0, width, 8), theme.accent)
    x = width / 2 if align == "middle" else MARGIN
    write_heading(sketch, heading, x, 18, theme.ink, align)
    write_footnotes(sketch, notes, MARGIN, bottom + 16, theme)
    sketch.lines.append(title)
    return Sheet(sketch, (MARGIN, top, width - MARGIN, bottom))


def read_sheet(sketch: Sketch, rows: Lines, lines: Lines) -> None:
    """Write down what can be read: keyed rows, then the keyed lines."""
    sketch.lines += [*read_lines(rows), *read_lines(lines)]

"""Scenes: coloured objects on shelves or a table, placed without overlap, easy to count.

The title is printed; what the objects are and how many is there only to be seen.
"""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import (
    Heading,
    footnotes,
    heading_of,
    read_lines,
    write_footnotes,
    write_heading,
)
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.parts.countables import kind_of, on_shelves, on_table

_WIDTH: Final = 640
_HEIGHT: Final = 480
_MARGIN: Final = 30
_GROUNDS: Final = ("#efe3cd", "#e9e4dc", "#dfe8ea", "#ece7f0", "#e6ebdf")


def scene(figure: Figure, random: Random) -> Sketch:
    """Objects on one shelf for each kind, or mixed on shelves or a table.

    Raises:
        ValueError: A row names no known colour and shape, or its cell is no small count.
    """
    theme = pick_theme(random)
    kinds = [
        kind_of(f"scene {figure.title!r}", row, cells[0])
        for row, cells in zip(figure.rows, figure.cells, strict=True)
    ]
    notes = footnotes(figure, _WIDTH - 2 * _MARGIN)
    heading = heading_of(figure.title, _WIDTH - 2 * _MARGIN)
    sketch = Sketch(
        _WIDTH,
        _HEIGHT + round(sum_in_order(notes.heights(2))) + (12 if notes.wrapped else 0),
        random.choice(_GROUNDS),
    )
    top = _sign(sketch, heading, theme)
    room = (_MARGIN, top, _WIDTH - _MARGIN, _HEIGHT - 20)
    style = random.choice(("sorted", "mixed", "table"))
    if style == "table":
        on_table(sketch, kinds, room, random)
    else:
        on_shelves(sketch, kinds, room, style == "mixed", random)
    if notes.wrapped:
        sketch.rectangle((0, _HEIGHT - 4, _WIDTH, sketch.height), theme.panel)
    write_footnotes(sketch, notes, _MARGIN, _HEIGHT + 4, theme)
    sketch.lines += [figure.title, *(f"{kind.count} {kind.key}" for kind in kinds)]
    sketch.lines += read_lines(figure.lines)
    return sketch


def _sign(sketch: Sketch, heading: Heading, theme: Theme) -> int:
    bottom = 16 + heading.height + 14
    sketch.rectangle((0, 0, _WIDTH, bottom), theme.panel)
    sketch.rectangle((0, bottom, _WIDTH, bottom + 4), theme.accent)
    write_heading(sketch, heading, _WIDTH / 2, 14, theme.ink, "middle")
    return bottom + 16

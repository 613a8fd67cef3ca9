"""Photo pairs: the same things at two times, side by side, to be counted and compared."""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, wrap
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.canvas.themes import pick_theme
from memassay.synth.pictures.parts.countables import kind_of, on_table
from memassay.synth.pictures.parts.sheets import read_sheet, sheet

_WIDTH: Final = 840
_GAP: Final = 44


def photo_pair(figure: Figure, random: Random) -> Sketch:
    """Two surfaces with objects; the columns name the times.

    Raises:
        ValueError: There are not two columns, a row names no object, a cell is no small count.
    """
    theme, place = pick_theme(random), f"photo pair {figure.title!r}"
    if len(figure.columns) != 2:
        raise ValueError(f"{place}: expected two columns, got {len(figure.columns)}")
    made = sheet(figure.title, figure.lines, theme, random, width=_WIDTH, room=430)
    sketch, (left, top, right, bottom) = made.sketch, made.room
    wide = (right - left - _GAP) / 2
    said = []
    for at, column in enumerate(figure.columns):
        x = left + at * (wide + _GAP)
        size = fitting_size([column], wide, 22, 18)
        words = wrap(column, wide, size)[0]
        sketch.text(x + wide / 2, top + 12, words, size, theme.quiet, align="middle")
        kinds = [
            kind_of(place, row, cells[at], f"{row}/{column}")
            for row, cells in zip(figure.rows, figure.cells, strict=True)
        ]
        on_table(sketch, kinds, (x + 16, top + 40, x + wide - 16, bottom - 10), random)
        said += [(kind.key, str(kind.count)) for kind in kinds]
    read_sheet(sketch, tuple(said), figure.lines)
    return sketch

"""Scenes: coloured objects on shelves or a table, placed without overlap, easy to count.

The title is printed; what the objects are and how many is there only to be seen.
"""

from dataclasses import dataclass
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
from memassay.synth.pictures.canvas.sketch import Box, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.drawing.objects import COLOURS, SHAPES

_WIDTH: Final = 640
_HEIGHT: Final = 480
_MARGIN: Final = 30
_GROUNDS: Final = ("#efe3cd", "#e9e4dc", "#dfe8ea", "#ece7f0", "#e6ebdf")
_WOOD: Final = (("#c49a6c", "#8a6238"), ("#a9b2b8", "#6c777e"), ("#d8cbb5", "#97866a"))


@dataclass(frozen=True)
class _Kind:
    """Objects of one row: how they look, and how many there are."""

    row: str
    colour: str
    shape: str
    count: int


def _kinds(figure: Figure) -> list[_Kind]:
    kinds = []
    for row, cells in zip(figure.rows, figure.cells, strict=True):
        colour, _, shape = row.rpartition(" ")
        place = f"scene {figure.title!r}.{row}"
        if colour not in COLOURS or shape not in SHAPES:
            raise ValueError(
                f"{place}: expected a colour of {', '.join(COLOURS)} and a shape of "
                f"{', '.join(SHAPES)}, got {row!r}; write e.g. 'red balls'"
            )
        number = cells[0].split()[0] if cells[0].split() else ""
        if not (number.isdecimal() and 1 <= int(number) <= 12):
            raise ValueError(f"{place}: expected a count of 1 to 12, got {cells[0]!r}")
        kinds.append(_Kind(row, colour, shape, int(number)))
    return kinds


def scene(figure: Figure, random: Random) -> Sketch:
    """Objects on one shelf for each kind, or mixed on shelves or a table.

    Raises:
        ValueError: A row names no known colour and shape, or its cell is no small count.
    """
    theme, kinds = pick_theme(random), _kinds(figure)
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
        _table(sketch, kinds, room, random)
    else:
        _shelves(sketch, kinds, room, style == "mixed", random)
    if notes.wrapped:
        sketch.rectangle((0, _HEIGHT - 4, _WIDTH, sketch.height), theme.panel)
    write_footnotes(sketch, notes, _MARGIN, _HEIGHT + 4, theme)
    sketch.lines += [figure.title, *(f"{kind.count} {kind.row}" for kind in kinds)]
    sketch.lines += read_lines(figure.lines)
    return sketch


def _sign(sketch: Sketch, heading: Heading, theme: Theme) -> int:
    bottom = 16 + heading.height + 14
    sketch.rectangle((0, 0, _WIDTH, bottom), theme.panel)
    sketch.rectangle((0, bottom, _WIDTH, bottom + 4), theme.accent)
    write_heading(sketch, heading, _WIDTH / 2, 14, theme.ink, "middle")
    return bottom + 16


def _object(sketch: Sketch, kind: _Kind, x: float, y: float, radius: float) -> None:
    fill, edge = COLOURS[kind.colour]
    SHAPES[kind.shape](sketch, x, y, radius, fill, edge)
    sketch.note(kind.row, (x - radius, y - radius, x + radius, y + radius))


def _shelves(sketch: Sketch, kinds: list[_Kind], room: Box, mixed: bool, random: Random) -> None:
    """Rows of objects, each on a board."""
    left, top, right, bottom = room
    rows = [[kind] * kind.count for kind in kinds]
    if mixed:
        pool = [kind for row in rows for kind in row]
        random.shuffle(pool)
        count = max(2, min(5, -(-len(pool) // 7)))
        size = -(-len(pool) // count)
        rows = [pool[at : at + size] for at in range(0, len(pool), size)]
    else:
        random.shuffle(rows)
    board, shade = random.choice(_WOOD)
    step = (bottom - top) / len(rows)
    longest = max(len(row) for row in rows)
    radius = min(42.0, step / 2 - 11, (right - left) / longest / 2 - 4)
    for at, row in enumerate(rows):
        floor = top + step * (at + 1) - 10
        sketch.rectangle((left - 14, floor, right + 14, floor + 8), board)
        sketch.rectangle((left - 14, floor + 8, right + 14, floor + 11), shade)
        _on_shelf(sketch, row, (left, right), floor, radius, random)


def _on_shelf(
    sketch: Sketch,
    row: list[_Kind],
    sides: tuple[float, float],
    floor: float,
    radius: float,
    random: Random,
) -> None:
    left, right = sides
    slot = min((right - left) / len(row), radius * 3.2)
    start = left + random.random() * (right - left - slot * len(row))
    for at, kind in enumerate(row):
        spare = max(0.0, slot / 2 - radius - 2)
        x = start + slot * (at + 0.5) + random.uniform(-spare, spare)
        _object(sketch, kind, x, floor - radius, radius)


def _table(sketch: Sketch, kinds: list[_Kind], room: Box, random: Random) -> None:
    """Objects scattered over the cells of a grid, each off its middle by chance."""
    left, top, right, bottom = room
    board, shade = random.choice(_WOOD)
    sketch.rectangle((left - 16, top - 2, right + 16, bottom + 6), shade, radius=14)
    sketch.rectangle((left - 16, top - 2, right + 16, bottom), "#f4efe6", board, 8, 14)
    pool = [kind for kind in kinds for _ in range(kind.count)]
    columns = next(n for n in range(4, 40) if n * max(1, round(n * 0.62)) >= len(pool) * 1.15)
    rows = max(1, round(columns * 0.62))
    width, height = (right - left - 20) / columns, (bottom - top - 20) / rows
    radius = min(38.0, width / 2 - 5, height / 2 - 5)
    places = random.sample(range(columns * rows), len(pool))
    for kind, place in zip(pool, places, strict=True):
        x = left + 10 + width * (place % columns + 0.5)
        y = top + 10 + height * (place // columns + 0.5)
        across, down = width / 2 - radius - 2, height / 2 - radius - 2
        x, y = x + random.uniform(-across, across), y + random.uniform(-down, down)
        _object(sketch, kind, x, y, radius)

"""Countable objects set out on shelves or a table, apart from each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.sketch import Box, Sketch
from memassay.synth.pictures.parts.objects import COLOURS, SHAPES

_WOOD: Final = (("#c49a6c", "#8a6238"), ("#a9b2b8", "#6c777e"), ("#d8cbb5", "#97866a"))


@dataclass(frozen=True)
class Kind:
    """Objects that look alike.

    Attributes:
        key: Where they are noted.
        colour: Key of `COLOURS`.
        shape: Key of `SHAPES`.
        count: How many there are.
    """

    key: str
    colour: str
    shape: str
    count: int


def kind_of(place: str, row: str, cell: str, key: str | None = None) -> Kind:
    """The objects that a row and its count name.

    Args:
        place: Where errors are, `scene 'Shelf'`.
        row: Colour and shape, `red balls`.
        cell: Their count, 1 to 12.
        key: Where they are noted; default `row`.

    Raises:
        ValueError: The row names no known colour and shape, or the cell is no small count.
    """
    colour, _, shape = row.rpartition(" ")
    if colour not in COLOURS or shape not in SHAPES:
        raise ValueError(
            f"{place}.{row}: expected a colour of {', '.join(COLOURS)} and a shape of "
            f"{', '.join(SHAPES)}, got {row!r}; write e.g. 'red balls'"
        )
    number = cell.split()[0] if cell.split() else ""
    if not (number.isdecimal() and 1 <= int(number) <= 12):
        raise ValueError(f"{place}.{row}: expected a count of 1 to 12, got {cell!r}")
    return Kind(key or row, colour, shape, int(number))


def put_object(sketch: Sketch, kind: Kind, x: float, y: float, radius: float) -> None:
    """Draw one object around a middle and note it."""
    fill, edge = COLOURS[kind.colour]
    SHAPES[kind.shape](sketch, x, y, radius, fill, edge)
    sketch.note(kind.key, (x - radius, y - radius, x + radius, y + radius))


def on_shelves(
    sketch: Sketch, kinds: Sequence[Kind], room: Box, mixed: bool, random: Random
) -> None:
    """Rows of objects, each on a board: one for each kind, or mixed."""
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
    row: list[Kind],
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
        put_object(sketch, kind, x, floor - radius, radius)


def table_top(sketch: Sketch, room: Box, random: Random) -> None:
    """A light surface with a wooden or metal edge."""
    left, top, right, bottom = room
    board, shade = random.choice(_WOOD)
    sketch.rectangle((left - 16, top - 2, right + 16, bottom + 6), shade, radius=14)
    sketch.rectangle((left - 16, top - 2, right + 16, bottom), "#f4efe6", board, 8, 14)


def on_table(sketch: Sketch, kinds: Sequence[Kind], room: Box, random: Random) -> None:
    """Objects scattered over the cells of a grid, each off its middle by chance."""
    left, top, right, bottom = room
    table_top(sketch, room, random)
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
        put_object(sketch, kind, x, y, radius)

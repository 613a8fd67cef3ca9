"""Cluttered scenes: some objects are partly behind another, and all can still be recognised."""

from collections.abc import Sequence
from itertools import product
from math import ceil
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.pixels import visible_part
from memassay.synth.pictures.canvas.sketch import Box, Point, Shape, Sketch
from memassay.synth.pictures.canvas.themes import pick_theme
from memassay.synth.pictures.parts.countables import Kind, kind_of, put_object, table_top
from memassay.synth.pictures.parts.sheets import read_sheet, sheet

RECOGNISABLE: Final = 0.5
"""Least share of an object that is seen (our choice)."""
HIDDEN: Final = 0.85
"""Greatest share that is seen of one that counts as partly hidden."""
_ASIDE: Final = (0.9, 1.1, 0.7, 1.3, 0.5, 0.35, 0.2)
"""How far an object is behind another, in the order in which it is tried."""
_WAYS: Final = ((0.62, -0.85), (-0.62, -0.85), (0.1, -1.0), (0.9, -0.3), (-0.9, -0.3))
"""In which directions, in radii."""


_WINDOW: Final = 2.6
"""Half of the window in which both are, in radii."""


def cluttered_scene(figure: Figure, random: Random) -> Sketch:
    """Objects on a table: how many of each row there are, and how many are partly hidden.

    The first column counts all of them, the second those that are partly behind another.

    Raises:
        ValueError: A row names no known object, or too many of them are to be hidden.
    """
    theme, place = pick_theme(random), f"cluttered scene {figure.title!r}"
    made = sheet(figure.title, figure.lines, theme, random, room=400)
    sketch, (left, top, right, bottom) = made.sketch, made.room
    fronts, backs, said = _objects(figure, place)
    random.shuffle(fronts)
    random.shuffle(backs)
    room = (left + 16, top, right - 16, bottom)
    table_top(sketch, room, random)
    spots, radius = _spots(room, len(fronts), random)
    behind = random.sample(range(len(fronts)), len(backs))
    for at, (front, spot) in enumerate(zip(fronts, spots, strict=True)):
        if at in behind:
            back = backs[behind.index(at)]
            _both(sketch, back, front, spot, radius, random)
        else:
            put_object(sketch, front, *spot, radius)
    for row, column, _ in said:
        total = f"{row}/{figure.columns[0]}"
        if f"{row}/{column}" in sketch.boxes:
            sketch.note(total, sketch.boxes[f"{row}/{column}"])
    read_sheet(
        sketch, tuple((f"{row}/{column}", count) for row, column, count in said), figure.lines
    )
    return sketch


def _objects(
    figure: Figure, place: str
) -> tuple[list[Kind], list[Kind], list[tuple[str, str, str]]]:
    """One by one, what is in front and what is behind; and row, column and count of each cell."""
    if len(figure.columns) != 2:
        raise ValueError(f"{place}: expected two columns, got {len(figure.columns)}")
    everything, partly = figure.columns
    fronts: list[Kind] = []
    backs: list[Kind] = []
    said = []
    for row, (count, hidden) in zip(figure.rows, figure.cells, strict=True):
        whole = kind_of(place, row, count, f"{row}/{everything}")
        part = kind_of(place, row, hidden, f"{row}/{partly}")
        if 2 * part.count > whole.count:
            raise ValueError(
                f"{place}.{row}: expected half of {whole.count} to be hidden at most, got "
                f"{part.count}; what hides others is seen whole"
            )
        fronts += [whole] * (whole.count - part.count)
        backs += [part] * part.count
        said += [(row, everything, count), (row, partly, hidden)]
    return fronts, backs, said


def _spots(room: Box, count: int, random: Random) -> tuple[list[Point], float]:
    """Middles of what is in front, each with room for something behind, and the radius."""
    left, top, right, bottom = room
    across = next(n for n in range(3, 40) if n * max(1, round(n * 0.62)) >= count)
    down = -(-count // across)
    wide, high = (right - left - 20) / across, (bottom - top - 20) / down
    radius = min(44.0, (wide - 8) / 3.7, (high - 8) / 3.2)
    places = random.sample(range(across * down), count)
    spots = []
    for place in places:
        aside, below = (wide - 3.6 * radius) / 2, (high - 3.1 * radius) / 2
        x = left + 10 + wide * (place % across + 0.5) + random.uniform(-aside, aside)
        y = top + 10 + high * (place // across + 0.5) + random.uniform(-below, below)
        spots.append((x, y + 0.5 * radius))
    return spots, radius


def _both(
    sketch: Sketch, back: Kind, front: Kind, spot: Point, radius: float, random: Random
) -> None:
    """An object and another behind it, as far aside as lets both be recognised."""
    # Looked for in a window of their own: a mask of the whole picture takes much longer.
    half = ceil(_WINDOW * radius)
    window = Sketch(2 * half, 2 * half, sketch.paper)
    before = _shapes(window, front, (half, half), radius)
    shapes, box = _behind(window, back, before, radius, random)
    x, y = spot[0] - half, spot[1] - half
    sketch.shapes += [shape.move(x, y) for shape in (*shapes, *before)]
    sketch.note(back.key, (box[0] + x, box[1] + y, box[2] + x, box[3] + y))
    left, top = spot[0] - radius, spot[1] - radius
    sketch.note(front.key, (left, top, left + 2 * radius, top + 2 * radius))


def _behind(
    window: Sketch, back: Kind, before: Sequence[Shape], radius: float, random: Random
) -> tuple[Sequence[Shape], Box]:
    """The shapes of an object behind those in the middle, and the box of what is seen of it."""
    ways = random.sample(_WAYS, len(_WAYS))
    for aside, (across, down) in product(_ASIDE, ways):
        x, y = window.width / 2 + across * aside * radius, window.height / 2 + down * aside * radius
        shapes = _shapes(window, back, (x, y), radius)
        box, share = visible_part(window, shapes, before)
        if box is not None and RECOGNISABLE <= share <= HIDDEN:
            return shapes, box
    raise ValueError(
        f"{back.key}: expected a place behind another object where at least {RECOGNISABLE:.0%} of "
        "it is seen, got none; take other objects"
    )


def _shapes(window: Sketch, kind: Kind, spot: Point, radius: float) -> Sequence[Shape]:
    alone = Sketch(window.width, window.height, window.paper)
    put_object(alone, kind, *spot, radius)
    return alone.shapes

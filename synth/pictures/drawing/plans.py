"""Plans: rooms or beds as a packed grid of rectangles, each with its name and area."""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import (
    footnotes,
    heading_of,
    read_lines,
    row_lines,
    write_footnotes,
    write_heading,
)
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, wrap
from memassay.synth.pictures.canvas.sketch import Box, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order

_MARGIN: Final = 28
_WIDTH: Final = 640
_HEIGHT: Final = 480
_WALL: Final = 5
_ROOM_UNITS: Final = ("m2", "m²", "sqm", "sq m")
"""Units of areas that have doors; a terrarium or a wound has none."""


def plan(figure: Figure, random: Random) -> Sketch:
    """Rooms in one to three rows; a larger area gets a wider room."""
    theme = pick_theme(random)
    bands = _bands(len(figure.rows), random)
    notes = footnotes(figure, _WIDTH - 2 * _MARGIN)
    heading = heading_of(figure.title, _WIDTH - 2 * _MARGIN)
    top = 20 + heading.height + 14
    height = max(_HEIGHT, top + 96 * len(bands) + _MARGIN)
    sketch = Sketch(_WIDTH, height + round(sum_in_order(notes.heights(2))), theme.paper)
    write_heading(sketch, heading, _MARGIN, 18, theme.ink)
    outline = (_MARGIN, top, _WIDTH - _MARGIN, height - _MARGIN)
    fills = random.sample((theme.panel, theme.tint, "#fffbe8", "#eef6ee", "#f3eef8"), 3)
    rooms = _rooms(figure, bands, outline)
    for at, room in enumerate(rooms):
        sketch.rectangle(room, fills[at % len(fills)], theme.ink, _WALL / 2)
    sketch.rectangle(outline, None, theme.ink, _WALL)
    for at, room in enumerate(rooms):
        x = _gap(sketch, room, fills[at % len(fills)], random)
        if figure.unit in _ROOM_UNITS:
            sketch.line([(x, room[3]), (x, room[3] - 20)], theme.ink, 2)
    _room_texts(sketch, figure, rooms, theme)
    write_footnotes(sketch, notes, _MARGIN, height - _MARGIN + 12, theme)
    sketch.lines += [figure.title]
    sketch.lines += [f"{row} {cell}" for row, cell in row_lines(figure)]
    sketch.lines += read_lines(figure.lines)
    return sketch


def _bands(count: int, random: Random) -> list[int]:
    """How many rooms each row has: at most three."""
    bands = max(1, -(-count // 3)) if count > 2 or random.random() < 0.5 else count
    if count in (3, 4) and random.random() < 0.7:
        bands = 2
    split = [count // bands + (1 if at < count % bands else 0) for at in range(bands)]
    random.shuffle(split)
    return split


def _weight(cell: str) -> float:
    try:
        return max(1.0, float(cell.split()[0].replace(",", "")))
    except (ValueError, IndexError):
        return 10.0


def _rooms(figure: Figure, bands: list[int], outline: Box) -> list[Box]:
    """A rectangle for each room; areas are shown in proportion within limits."""
    left, top, right, bottom = outline
    weights = [_weight(cells[0]) for cells in figure.cells]
    mean = sum_in_order(weights) / len(weights)
    weights = [min(max(weight, mean * 0.75), mean * 1.6) for weight in weights]
    rooms: list[Box] = []
    y, start = top, 0
    for count in bands:
        band = weights[start : start + count]
        lower = y + (bottom - top) * sum_in_order(band) / sum_in_order(weights)
        x = left
        for weight in band:
            beyond = x + (right - left) * weight / sum_in_order(band)
            rooms.append((x, y, beyond, lower))
            x = beyond
        y, start = lower, start + count
    return rooms


def _gap(sketch: Sketch, room: Box, fill: str, random: Random) -> float:
    """Open the lower wall and say where; a closed frame is taken for a photograph by OCR."""
    left, _, right, bottom = room
    x = left + 14 + random.random() * max(0.0, right - left - 70)
    sketch.rectangle((x, bottom - _WALL, x + 34, bottom + _WALL), fill)
    return x


def _room_texts(sketch: Sketch, figure: Figure, rooms: list[Box], theme: Theme) -> None:
    """Name and area in the middle of each room, in one size for the whole plan."""
    widths = [right - left - 20 for left, _, right, _ in rooms]
    sizes = [
        fitting_size([row], width, 22, 19) for row, width in zip(figure.rows, widths, strict=True)
    ]
    size = min(sizes)
    for (row, area), room, width in zip(row_lines(figure), rooms, widths, strict=True):
        names, areas = wrap(row, width, size), wrap(area, width, size, bold=True)
        left, top, right, bottom = room
        x, step = (left + right) / 2, size * 1.3
        middle = (top + bottom) / 2 - 6 - (len(names) + len(areas) - 1) * step / 2
        for words in names:
            sketch.text(x, middle, words, size, theme.quiet, align="middle")
            middle += step
        for words in areas:
            sketch.text(x, middle, words, size, theme.ink, bold=True, align="middle", key=row)
            middle += step

"""Route maps: stops along a winding way, and what each leg takes beside it."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import row_lines
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import text_width, wrap
from memassay.synth.pictures.canvas.sketch import Box, Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.parts.sheets import WIDTH, read_sheet, sheet

START: Final = "Start"
"""Where the first leg begins."""
_FEW: Final = 4
"""Places up to which a row has two of them, not three."""
_NAME: Final = 19
_LEG: Final = 20
_NAMES: Final = 158
_STEP: Final = 23
_PARK: Final = ("#dcecd2", "#d3e7dc", "#e4ebcb")


def route_map(figure: Figure, random: Random) -> Sketch:
    """Stops from left to right, then back below; the value of a stop is that of its leg."""
    theme, legs = pick_theme(random), row_lines(figure)
    names = [wrap(name, _NAMES, _NAME) for name in (START, *figure.rows)]
    across = 2 if len(names) <= _FEW else 3
    rows = [names[at : at + across] for at in range(0, len(names), across)]
    heights = [98.0 + _STEP * max(len(words) for words in row) for row in rows]
    widest = max(text_width(value, _LEG, bold=True) for _, value in legs)
    width = max(WIDTH, round(3 * max(_NAMES, widest + 40) + 150))
    made = sheet(
        figure.title, figure.lines, theme, random, width=width, room=round(sum_in_order(heights))
    )
    sketch, room = made.sketch, made.room
    spare = (room[3] - room[1] - sum_in_order(heights)) / len(heights)
    stops = _stops(room, [height + spare for height in heights], len(names), across, random)
    _land(sketch, room, random)
    way = _way(stops, room, across)
    for colour, thick in (("#ffffff", 13), (theme.accent, 8)):
        sketch.line(way, colour, thick)
    for at, ((x, y), words) in enumerate(zip(stops, names, strict=True)):
        _stop(sketch, (x, y), theme.ink if at else theme.second, last=at == len(stops) - 1)
        for number, each in enumerate(words):
            middle = y + 27 + number * _STEP
            half = text_width(each, _NAME) / 2 + 3
            sketch.rectangle((x - half, middle - 11, x + half, middle + 12), "#ffffff", radius=4)
            sketch.text(x, middle, each, _NAME, theme.ink, align="middle")
    for at, (row, value) in enumerate(legs):
        _leg(sketch, stops[at], stops[at + 1], row, value, room, theme)
    _north(sketch, room, theme)
    read_sheet(sketch, legs, figure.lines)
    return sketch


def _stops(
    room: Box, heights: Sequence[float], count: int, across: int, random: Random
) -> list[Point]:
    """The middle of each stop: from left to right, in the next row back."""
    left, top, right, _ = room
    slot = (right - left - 92) / across
    stops: list[Point] = []
    y = top
    for row, height in enumerate(heights):
        for at in range(min(across, count - row * across)):
            column = at if row % 2 == 0 else across - 1 - at
            x = left + 46 + slot * (column + 0.5)
            stops.append((x, y + height / 2 - 8 + random.uniform(-7, 7)))
        y += height
    return stops


def _way(stops: Sequence[Point], room: Box, across: int) -> list[Point]:
    """The line through all stops; from row to row it swings out to the edge."""
    way = [stops[0]]
    for at, ((x, y), (beyond, under)) in enumerate(pairwise(stops)):
        if (at + 1) % across:
            bend = 9 if at % 2 else -9
            turns = [(x + (beyond - x) * t, y + (under - y) * t) for t in (0.3, 0.7)]
            way += [(turns[0][0], turns[0][1] + bend), (turns[1][0], turns[1][1] - bend)]
        else:
            edge = _edge(x, room)
            way += [(edge, y + (under - y) * 0.15), (edge, y + (under - y) * 0.85)]
        way.append((beyond, under))
    return way


def _edge(x: float, room: Box) -> float:
    """Where the way turns back, on the side of a stop."""
    return room[2] - 50 if x > (room[0] + room[2]) / 2 else room[0] + 50


def _leg(
    sketch: Sketch, one: Point, other: Point, row: str, value: str, room: Box, theme: Theme
) -> None:
    """What a leg takes, on a patch at its middle, above it if it runs across."""
    half = text_width(value, _LEG, bold=True) / 2 + 8
    turns = one[0] == other[0]
    y = (one[1] + other[1]) / 2 - (0 if turns else 27)
    x = (one[0] + other[0]) / 2
    if turns:
        edge = _edge(x, room)
        x = min(edge, room[2] - half) if edge > x else max(edge, room[0] + half)
        y = (one[1] + other[1]) / 2 + 18
    sketch.rectangle((x - half, y - 15, x + half, y + 15), "#ffffff")
    sketch.text(x, y, value, _LEG, theme.ink, bold=True, align="middle", key=row)


def _stop(sketch: Sketch, middle: Point, colour: str, *, last: bool) -> None:
    x, y = middle
    if last:
        sketch.line([(x, y), (x, y - 34)], colour, 4)
        sketch.polygon([(x, y - 36), (x + 22, y - 28), (x, y - 20)], colour)
    sketch.ellipse((x - 11, y - 11, x + 11, y + 11), "#ffffff", colour, 5)


def _land(sketch: Sketch, room: Box, random: Random) -> None:
    """Parks, a river: they say nothing."""
    left, top, right, bottom = room
    sketch.rectangle(room, "#f3f1ea", "#c9c4b4", 1.5, 10)
    for _ in range(4):
        x, y = random.uniform(left, right - 150), random.uniform(top, bottom - 100)
        size = (random.uniform(90, 150), random.uniform(60, 100))
        sketch.rectangle((x, y, x + size[0], y + size[1]), random.choice(_PARK), radius=26)
    x = random.uniform(left + 60, right - 160)
    bends = [
        (x + 60 * at / 6 + random.uniform(-26, 26), top + (bottom - top) * at / 6)
        for at in range(7)
    ]
    sketch.line(bends, "#bcd9ec", 16)


def _north(sketch: Sketch, room: Box, theme: Theme) -> None:
    x, y = room[2] - 22, room[1] + 14
    sketch.polygon([(x, y), (x + 8, y + 22), (x, y + 16), (x - 8, y + 22)], theme.quiet)

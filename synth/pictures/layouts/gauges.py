"""Gauges: dials whose hands point at a mark of the scale; no number is printed for them."""

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import row_lines
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, text_width, wrap
from memassay.synth.pictures.canvas.sketch import Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.parts.sheets import MARGIN, WIDTH, read_sheet, sheet

_RADIUS: Final = 122
_SLOT: Final = 2 * _RADIUS + 92
_START: Final = math.radians(140)
_SWEEP: Final = math.radians(260)
_WIDEST: Final = 56
"""Width of numbers in pixels up to which the unit has its place between them."""
_MARKS: Final = (50, 40)
"""Small marks of a scale; every tenth has its number."""


@dataclass(frozen=True)
class _Dial:
    """A scale and what its hand points at, all in small marks."""

    row: str
    unit: str
    low: int
    at: int
    count: int
    mark: Decimal


def gauge(figure: Figure, random: Random) -> Sketch:
    """One or two dials beside each other, more below them.

    Raises:
        ValueError: A cell is no number.
    """
    theme = pick_theme(random)
    dials = [_dial(figure, row, cell, random) for row, cell in row_lines(figure)]
    across = min(2, len(dials))
    down = -(-len(dials) // 2)
    width = max(WIDTH, 2 * MARGIN + across * (2 * _RADIUS + 40))
    made = sheet(figure.title, figure.lines, theme, random, width=width, room=down * _SLOT)
    sketch, (left, top, right, bottom) = made.sketch, made.room
    dark = random.random() < 0.35
    step = (bottom - top) / down
    for at, dial in enumerate(dials):
        row = at // 2
        beside = min(2, len(dials) - 2 * row)
        x = left + (right - left) * (at % 2 + 0.5) / beside
        _draw(sketch, dial, (x, top + step * row + _RADIUS + 18), dark, theme)
    read_sheet(sketch, row_lines(figure), figure.lines)
    return sketch


def _dial(figure: Figure, row: str, cell: str, random: Random) -> _Dial:
    number, _, unit = cell.partition(" ")
    try:
        value = Decimal(number.rstrip("%").replace(",", ""))
    except InvalidOperation:
        raise ValueError(
            f"gauge {figure.title!r}.{row}: expected a number, got {cell!r}; give it one"
        ) from None
    unit = unit or ("%" if number.endswith("%") else "")
    finest = Decimal(1).scaleb(min(0, int(value.as_tuple().exponent)))
    steps = int(value / finest)
    coarse = next(each for each in (5, 2, 1) if steps % each == 0)
    count, at = random.choice(_MARKS), steps // coarse
    low = 0
    if not 0 <= at <= count * 0.92:
        low = math.floor((at - random.uniform(0.25, 0.75) * count) / 10) * 10
    return _Dial(row, unit, low, at, count, finest * coarse)


def _draw(sketch: Sketch, dial: _Dial, middle: Point, dark: bool, theme: Theme) -> None:
    x, y = middle
    face, ink = ("#20262b", "#f4f4f0") if dark else ("#ffffff", theme.ink)
    hand = "#ffb03a" if dark else theme.second
    rim = (x - _RADIUS - 8, y - _RADIUS - 8, x + _RADIUS + 8, y + _RADIUS + 8)
    sketch.ellipse(rim, face, theme.quiet, 8)
    widest = 0.0
    for mark in range(dial.count + 1):
        length, width = (20, 3.0) if mark % 10 == 0 else (14, 2.0) if mark % 5 == 0 else (9, 1.5)
        angle = _angle(dial, mark + dial.low)
        ends = [_on(middle, angle, _RADIUS - 6), _on(middle, angle, _RADIUS - 6 - length)]
        sketch.line(ends, ink, width)
        if mark % 10 == 0:
            label = f"{(mark + dial.low) * dial.mark:f}"
            widest = max(widest, text_width(label, 18))
            aside = text_width(label, 18) / 2 * abs(math.cos(angle))
            place = _on(middle, angle, _RADIUS - 40 - aside)
            sketch.text(*place, label, 18, ink, align="middle")
    name = dial.row
    if dial.unit and widest > _WIDEST:
        name = f"{dial.row} ({dial.unit})"
    elif dial.unit:
        sketch.text(x, y + 46, dial.unit, 19, ink, align="middle")
    angle = _angle(dial, dial.at)
    tip, side = _on(middle, angle, _RADIUS - 12), angle + math.pi / 2
    back = _on(middle, angle + math.pi, 24)
    base = [_on(back, side, 5), _on(back, side + math.pi, 5)]
    sketch.polygon([tip, *base], hand)
    sketch.ellipse((x - 10, y - 10, x + 10, y + 10), hand)
    size = fitting_size([name], 2 * _RADIUS + 24, 21, 18)
    for at, words in enumerate(wrap(name, 2 * _RADIUS + 24, size)):
        sketch.text(x, y + _RADIUS + 28 + at * 25, words, size, theme.ink, align="middle")
    sketch.note(dial.row, rim)


def _angle(dial: _Dial, mark: int) -> float:
    return _START + _SWEEP * (mark - dial.low) / dial.count


def _on(middle: Point, angle: float, distance: float) -> Point:
    return middle[0] + distance * math.cos(angle), middle[1] + distance * math.sin(angle)

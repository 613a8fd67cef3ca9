"""Annotated plans: places on an outline, each with a leader line to its name and value."""

import math
from collections.abc import Sequence
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import row_lines
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import text_width, wrap
from memassay.synth.pictures.canvas.sketch import Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.parts.sheets import read_sheet, sheet

_WIDTH: Final = 780
_SIDE: Final = 182
"""Width of the texts on each side of the outline."""
_SIZE: Final = 19
_STEP: Final = 24


def annotated_plan(figure: Figure, random: Random) -> Sketch:
    """An outline without walls: of a wound, a roof, a field, the back of an instrument."""
    theme = pick_theme(random)
    texts = [
        (row, wrap(row, _SIDE, _SIZE), wrap(value, _SIDE, _SIZE, bold=True))
        for row, value in row_lines(figure)
    ]
    half = -(-len(texts) // 2)
    sides = (texts[:half], texts[half:])
    heights = [[(len(n) + len(v)) * _STEP + 26.0 for _, n, v in side] for side in sides]
    needed = max(sum_in_order(side) for side in heights)
    made = sheet(figure.title, figure.lines, theme, random, width=_WIDTH, room=round(needed))
    sketch, (left, top, right, bottom) = made.sketch, made.room
    middle = ((left + right) / 2, (top + bottom) / 2)
    across = (right - left) / 2 - _SIDE - 34
    down = (bottom - top) / 2 - 10
    _outline(sketch, middle, across, down, theme, random)
    for right_hand, side in enumerate(sides):
        y = top + (bottom - top - sum_in_order(heights[right_hand])) / 2
        for at, (row, name, value) in enumerate(side):
            height = heights[right_hand][at]
            x = right - _SIDE if right_hand else left
            share = (at + 0.5) / len(side) - 0.5
            reach = across * math.sqrt(1 - share**2) * random.uniform(0.3, 0.62)
            place = (
                middle[0] + (reach if right_hand else -reach),
                middle[1] + share * 1.45 * down + random.uniform(-6, 6),
            )
            _callout(sketch, (x, y), place, name, value, row, theme)
            y += height
    read_sheet(sketch, row_lines(figure), figure.lines)
    return sketch


def _callout(
    sketch: Sketch,
    corner: Point,
    place: Point,
    name: Sequence[str],
    value: Sequence[str],
    key: str,
    theme: Theme,
) -> None:
    """A name, its value below, and a line from there to a dot on the outline."""
    x, y = corner
    level = y + 13
    beside = x - 8 if place[0] < x else x + max(text_width(each, _SIZE) for each in name[:1]) + 8
    sketch.line([(beside, level), place], theme.quiet, 1.5)
    dot = (place[0] - 7, place[1] - 7, place[0] + 7, place[1] + 7)
    sketch.ellipse(dot, theme.second, "#ffffff", 2)
    for each in name:
        sketch.text(x, level, each, _SIZE, theme.quiet)
        level += _STEP
    for each in value:
        sketch.text(x, level, each, _SIZE, theme.ink, bold=True, key=key)
        level += _STEP


def _outline(
    sketch: Sketch, middle: Point, across: float, down: float, theme: Theme, random: Random
) -> None:
    """A closed, uneven line around a middle, with fainter ones within it."""
    waves = [(count, random.uniform(0.02, 0.07), random.uniform(0, 6.28)) for count in (2, 3, 5)]
    fills = (theme.tint, theme.panel, theme.tint)
    for share, fill, width in zip((1.0, 0.66, 0.34), fills, (3.0, 1.0, 1.0), strict=True):
        points = []
        for nth in range(72):
            angle = 2 * math.pi * nth / 72
            uneven = 1 + sum_in_order(
                part * math.sin(count * angle + shift) for count, part, shift in waves
            )
            reach = share * uneven / 1.14
            points.append(
                (
                    middle[0] + across * reach * math.cos(angle),
                    middle[1] + down * reach * math.sin(angle),
                )
            )
        sketch.polygon(points, fill)
        colour = theme.accent if share == 1.0 else theme.rule
        sketch.line([*points, points[0], points[1]], colour, width)

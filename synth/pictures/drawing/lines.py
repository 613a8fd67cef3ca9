"""Line charts: marked points, and each number where it covers neither line nor other number."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import LEAST
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import text_width
from memassay.synth.pictures.canvas.sketch import Box, Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.parts.axes import (
    MARGIN,
    WIDTH,
    frame_figure,
    left_of_plot,
    upright_axis,
    write_number,
)
from memassay.synth.pictures.parts.scales import numbers_of, printed_numbers, scale_of

_SLOT: Final = 84
"""Least distance of two points in pixels."""
_SIZE: Final = 20
_OFFSETS: Final = ((0, -1), (0, 1), (1, -0.6), (-1, -0.6), (1, 0.6), (-1, 0.6), (1, 0), (-1, 0))
"""Where a number may be around its point, in the order of preference."""


def line_chart(figure: Figure, random: Random) -> Sketch:
    """A line through marked points; wider than usual if there are many."""
    theme = pick_theme(random)
    numbers, printed = numbers_of(figure), printed_numbers(figure)
    width = _width(figure, printed)
    sketch, top, bottom = frame_figure(figure, theme, random, width)
    scale = scale_of(numbers, from_zero=False)
    tiers = 1 if _widest(figure.rows) <= (width - 120) / len(numbers) - 8 else 2
    plot = (left_of_plot(scale), top + 24, width - MARGIN, bottom - 18 - (tiers - 1) * 22)
    upright_axis(sketch, plot, scale, theme)
    slot = (plot[2] - plot[0]) / len(numbers)
    points = [
        (plot[0] + slot * (at + 0.5), plot[3] - scale.share(number) * (plot[3] - plot[1]))
        for at, number in enumerate(numbers)
    ]
    for at, middle in enumerate(_places(points, printed, plot)):
        write_number(sketch, *middle, printed[at], _SIZE, theme, figure.rows[at])
    if random.random() < 0.4:
        sketch.polygon([(points[0][0], plot[3]), *points, (points[-1][0], plot[3])], theme.tint)
    sketch.line([(plot[0], plot[3]), (plot[2], plot[3])], theme.quiet, 2)
    sketch.line(points, theme.accent, random.choice((3, 4)))
    marker = random.choice(("disc", "ring", "square", "diamond"))
    for at, row in enumerate(figure.rows):
        _marker(sketch, marker, *points[at], theme)
        y = plot[3] + 20 + (at % tiers) * 22
        sketch.text(points[at][0], y, row, LEAST, theme.ink, align="middle")
    return sketch


def _width(figure: Figure, printed: list[str]) -> int:
    """Width of the picture that leaves every number and, in two tiers, every label its room."""
    numbers = max(text_width(text, _SIZE, bold=True) for text in printed)
    labels = _widest(figure.rows)
    # In two tiers a label may be twice as wide as its slot, but the outer ones end at the edge.
    slot = max(_SLOT, numbers + 8, labels / 2 + 8, labels - 2 * MARGIN + 8)
    return max(WIDTH, round(120 + len(printed) * slot))


def _widest(labels: Sequence[str]) -> float:
    return max(text_width(label, LEAST) for label in labels)


def _places(points: list[Point], printed: list[str], plot: Box) -> list[Point]:
    """The middle of each number: around its point, where it covers the least."""
    line = _along(points)
    taken: list[Box] = [(x - 7, y - 7, x + 7, y + 7) for x, y in points]
    middles = []
    for (x, y), text in zip(points, printed, strict=True):
        half = text_width(text, _SIZE, bold=True) / 2
        ranked = []
        for rank, (right, down) in enumerate(_OFFSETS):
            middle = (x + right * (half + 11), y + down * 23)
            box = (middle[0] - half - 3, middle[1] - 10, middle[0] + half + 3, middle[1] + 10)
            ranked.append((_cover(box, line, taken, plot), rank, middle, box))
        _, _, middle, box = min(ranked)
        taken.append(box)
        middles.append(middle)
    return middles


def _along(points: list[Point]) -> list[Point]:
    """Points every few pixels along the line."""
    return [
        (x + (beyond - x) * step / 30, y + (under - y) * step / 30)
        for (x, y), (beyond, under) in pairwise(points)
        for step in range(31)
    ]


def _cover(box: Box, line: list[Point], taken: list[Box], plot: Box) -> int:
    """How bad a place is: parts of the line, marks and numbers covered, plot left."""
    left, top, right, bottom = box
    outside = left < plot[0] + 2 or right > plot[2] + 20 or bottom > plot[3] - 2
    others = sum_in_order(
        left < beyond and right > x and top < under and bottom > y for x, y, beyond, under in taken
    )
    crossed = sum_in_order(left < x < right and top < y < bottom for x, y in line)
    return crossed + 40 * others + (200 if outside else 0)


def _marker(sketch: Sketch, marker: str, x: float, y: float, theme: Theme) -> None:
    around = (x - 7, y - 7, x + 7, y + 7)
    if marker == "disc":
        sketch.ellipse(around, theme.accent)
    elif marker == "ring":
        sketch.ellipse(around, sketch.paper, theme.accent, 3)
    elif marker == "square":
        sketch.rectangle((x - 6, y - 6, x + 6, y + 6), theme.accent)
    else:
        sketch.polygon([(x, y - 9), (x + 9, y), (x, y + 9), (x - 9, y)], theme.accent)

"""Marks on things: what tells two of a family apart beside their shape."""

import math
from collections.abc import Callable
from typing import Final

from memassay.synth.pictures.canvas.sketch import Box, Point
from memassay.synth.pictures.classes.pen import Pen, oval


def _plain(_pen: Pen, _panel: Box) -> None:
    """Nothing."""


def _spots(pen: Pen, panel: Box) -> None:
    left, top, right, bottom = panel
    r = min(right - left, bottom - top) * 0.13
    for x, y in ((0.2, 0.25), (0.75, 0.2), (0.48, 0.55), (0.15, 0.8), (0.82, 0.78)):
        pen.dot(left + x * (right - left), top + y * (bottom - top), r)


def _stripes(pen: Pen, panel: Box) -> None:
    left, top, right, bottom = panel
    step = (right - left) / 7
    for at in (1, 3, 5):
        near, far = left + at * step, left + (at + 1) * step
        pen.patch([(near, top), (far, top), (far, bottom), (near, bottom)])


def _bands(pen: Pen, panel: Box) -> None:
    left, top, right, bottom = panel
    step = (bottom - top) / 5
    for at in (1, 3):
        near, far = top + at * step, top + (at + 1) * step
        pen.patch([(left, near), (right, near), (right, far), (left, far)])


def _star(pen: Pen, panel: Box) -> None:
    x, y, r = _middle(panel)
    points: list[Point] = []
    for nth in range(10):
        size = r if nth % 2 == 0 else r * 0.42
        angle = math.pi * (nth / 5 - 0.5)
        points.append((x + size * math.cos(angle), y + size * math.sin(angle)))
    pen.patch(points)


def _heart(pen: Pen, panel: Box) -> None:
    x, y, r = _middle(panel)
    points = []
    for nth in range(36):
        angle = 2 * math.pi * nth / 36
        across = 16 * math.sin(angle) ** 3
        down = -(
            13 * math.cos(angle)
            - 5 * math.cos(2 * angle)
            - 2 * math.cos(3 * angle)
            - math.cos(4 * angle)
        )
        points.append((x + across * r / 17, y + down * r / 17))
    pen.patch(points)


def _ring(pen: Pen, panel: Box) -> None:
    x, y, r = _middle(panel)
    pen.patch(oval(x, y, r, r))
    pen.patch(oval(x, y, r * 0.55, r * 0.55), pen.colours.body)


def _check(pen: Pen, panel: Box) -> None:
    left, top, right, bottom = panel
    across, down = (right - left) / 4, (bottom - top) / 4
    for row in range(4):
        for column in range(row % 2, 4, 2):
            x, y = left + column * across, top + row * down
            pen.patch([(x, y), (x + across, y), (x + across, y + down), (x, y + down)])


def _middle(panel: Box) -> tuple[float, float, float]:
    left, top, right, bottom = panel
    return (left + right) / 2, (top + bottom) / 2, min(right - left, bottom - top) / 2


MARKS: Final[dict[str, Callable[[Pen, Box], None]]] = {
    "plain": _plain,
    "spots": _spots,
    "stripes": _stripes,
    "bands": _bands,
    "star": _star,
    "heart": _heart,
    "ring": _ring,
    "check": _check,
}
"""Draws a mark into a panel, a box in the coordinates of the thing, by the mark's name."""

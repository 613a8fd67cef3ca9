"""Countable objects of scenes: ten shapes in seven colours."""

import math
from collections.abc import Callable
from typing import Final

from memassay.synth.pictures.canvas.sketch import Point, Sketch

COLOURS: Final = {
    "red": ("#cf2e2e", "#8f1a1a"),
    "green": ("#3c9a3f", "#22612a"),
    "blue": ("#2f6fd0", "#1b4488"),
    "yellow": ("#f5d130", "#a98a08"),
    "orange": ("#f28a1c", "#a8570a"),
    "purple": ("#8a44b8", "#572678"),
    "brown": ("#855231", "#523019"),
}
"""Fill and edge by colour word."""


def _ball(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    sketch.ellipse((x - r, y - r, x + r, y + r), fill, edge, 2)
    sketch.ellipse((x - r * 0.55, y - r * 0.6, x - r * 0.15, y - r * 0.2), "#ffffff")


def _box(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    top, depth = y - r * 0.55, r * 0.4
    lid = [(x - r, top), (x - r + depth, y - r), (x + r, y - r), (x + r - depth, top)]
    side = [(x + r - depth, top), (x + r, y - r), (x + r, y + r - depth), (x + r - depth, y + r)]
    sketch.rectangle((x - r, top, x + r - depth, y + r), fill, edge, 2)
    sketch.polygon(lid, fill)
    sketch.line([*lid, lid[0]], edge, 2)
    sketch.polygon(side, edge)


def _cup(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    sketch.ellipse((x + r * 0.2, y - r * 0.5, x + r, y + r * 0.5), None, edge, max(3, r * 0.16))
    rim, foot = y - r * 0.8, y + r
    body = [(x - r, rim), (x + r * 0.6, rim), (x + r * 0.4, foot), (x - r * 0.8, foot)]
    sketch.polygon(body, fill)
    sketch.line([*body, body[0]], edge, 2)
    sketch.ellipse((x - r, y - r, x + r * 0.6, y - r * 0.6), edge)


def _bowl(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    rim = y - r * 0.2
    arc = [(x + r * math.cos(a), rim + r * 0.9 * math.sin(a)) for a in _angles(0, math.pi)]
    sketch.polygon(arc, fill)
    sketch.line([*arc, arc[0]], edge, 2)
    sketch.ellipse((x - r, rim - r * 0.25, x + r, rim + r * 0.25), edge)
    sketch.rectangle((x - r * 0.4, y + r * 0.65, x + r * 0.4, y + r * 0.85), edge)


def _leaf(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    upper = [(x - r + 2 * r * t, y - 0.62 * r * math.sin(math.pi * t)) for t in _shares()]
    lower = [(px, 2 * y - py) for px, py in reversed(upper)]
    sketch.polygon([*upper, *lower], fill)
    sketch.line([*upper, *lower], edge, 2)
    sketch.line([(x - r * 1.0, y), (x + r * 0.8, y)], edge, 2)
    for at in (-0.3, 0.15):
        for side in (-1, 1):
            sketch.line([(x + at * r, y), (x + (at + 0.3) * r, y + side * r * 0.38)], edge, 1.5)


def _fish(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    tail = [(x + r * 0.4, y), (x + r, y - r * 0.55), (x + r, y + r * 0.55)]
    sketch.polygon(tail, edge)
    sketch.ellipse((x - r, y - r * 0.55, x + r * 0.6, y + r * 0.55), fill, edge, 2)
    eye = (x - r * 0.72, y - r * 0.25, x - r * 0.48, y - r * 0.01)
    sketch.ellipse(eye, "#ffffff", "#222222", 1.5)


def _bottle(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    body: list[Point] = [
        (x - r * 0.16, y - r * 0.8),
        (x + r * 0.16, y - r * 0.8),
        (x + r * 0.16, y - r * 0.4),
        (x + r * 0.42, y - r * 0.1),
        (x + r * 0.42, y + r),
        (x - r * 0.42, y + r),
        (x - r * 0.42, y - r * 0.1),
        (x - r * 0.16, y - r * 0.4),
    ]
    sketch.polygon(body, fill)
    sketch.line([*body, body[0]], edge, 2)
    sketch.rectangle((x - r * 0.2, y - r, x + r * 0.2, y - r * 0.78), edge)
    sketch.rectangle((x - r * 0.42, y + r * 0.15, x + r * 0.42, y + r * 0.6), "#ffffff", edge, 1.5)


def _book(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    left, right = x - r * 0.72, x + r * 0.72
    sketch.rectangle((left, y - r, right, y + r), "#f7f3e6", edge, 2)
    sketch.rectangle((left, y - r, right - r * 0.14, y + r * 0.82), fill, edge, 2)
    sketch.rectangle((left, y - r, left + r * 0.24, y + r * 0.82), edge)
    sketch.rectangle((x - r * 0.3, y - r * 0.6, x + r * 0.4, y - r * 0.3), "#f7f3e6")


def _plate(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    sketch.ellipse((x - r, y - r, x + r, y + r), fill, edge, 2)
    inner = r * 0.62
    sketch.ellipse((x - inner, y - inner, x + inner, y + inner), None, "#ffffff", max(3, r * 0.12))


def _star(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
    points = [
        (x + far * math.sin(math.pi * at / 5), y + r * 0.05 - far * math.cos(math.pi * at / 5))
        for at in range(10)
        for far in [r * (1.0 if at % 2 == 0 else 0.45)]
    ]
    sketch.polygon(points, fill)
    sketch.line([*points, points[0]], edge, 2)


def _angles(start: float, end: float) -> list[float]:
    return [start + (end - start) * share for share in _shares()]


def _shares() -> list[float]:
    return [at / 16 for at in range(17)]


SHAPES: Final[dict[str, Callable[[Sketch, float, float, float, str, str], None]]] = {
    "balls": _ball,
    "boxes": _box,
    "cups": _cup,
    "bowls": _bowl,
    "leaves": _leaf,
    "fish": _fish,
    "bottles": _bottle,
    "books": _book,
    "plates": _plate,
    "stars": _star,
}
"""Draws one object around a middle within a radius, by its word."""

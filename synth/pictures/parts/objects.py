"""Countable objects of scenes, in seven colours: ten that are drawn by code, more by recipes."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter

from memassay.schemas.yaml_text import decode_yaml
from memassay.synth.pictures.canvas.sketch import Point, Sketch

_FILE: Final = Path(__file__).parent / "objects.yaml"
_Tone: TypeAlias = Literal["body", "edge", "light", "dark", "none"]

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


class _Part(BaseModel):
    """A part of an object: its form, its fill and edge, and its points."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    form: tuple[Literal["box", "oval", "area", "line"], _Tone, _Tone]
    at: list[Point]


def _by_recipe(parts: list[_Part]) -> Callable[[Sketch, float, float, float, str, str], None]:
    """What draws an object of parts."""

    def draw(sketch: Sketch, x: float, y: float, r: float, fill: str, edge: str) -> None:
        tones = {"body": fill, "edge": edge, "light": "#fbf8ee", "dark": "#3a3a38", "none": None}
        for part in parts:
            points = [(x + r * across, y + r * down) for across, down in part.at]
            form, inner, outer = part.form[0], tones[part.form[1]], tones[part.form[2]]
            if form == "area":
                sketch.polygon(points, inner or fill)
            if form == "box":
                sketch.rectangle((*points[0], *points[1]), inner, outer, 2)
            elif form == "oval":
                sketch.ellipse((*points[0], *points[1]), inner, outer, 2)
            elif outer is not None:
                ends = [*points, points[0]] if form == "area" else points
                sketch.line(ends, outer, 2 if form == "area" else max(2.0, r * 0.1))

    return draw


def _recipes() -> dict[str, list[_Part]]:
    adapter = TypeAdapter(dict[str, list[_Part]])
    return adapter.validate_python(decode_yaml(_FILE, _FILE.read_text(encoding="utf-8")))


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
    **{word: _by_recipe(parts) for word, parts in _recipes().items()},
}
"""Draws one object around a middle within a radius, by its word."""

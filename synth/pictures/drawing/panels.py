"""Panels of keyed lines: labels, tickets, certificates, whiteboards and notices."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import (
    Fields,
    Heading,
    Style,
    fields_of,
    heading_of,
    keyed_lines,
    largest_fields,
    read_lines,
    write_field,
    write_heading,
)
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import text_width
from memassay.synth.pictures.canvas.sketch import Align, Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order

_WIDTH: Final = 640
_HEIGHT: Final = 480
_LEAST_HEIGHT: Final = 380
_READABLE: Final = 21  # below this size, keys go beside values instead of above them
_MARKERS: Final = ("#1f4e9c", "#1c1c1c", "#a32222", "#1d6b3a")


@dataclass(frozen=True)
class _Plan:
    """The places of a panel's parts: heading, fields and the height they need."""

    heading: Heading
    fields: Fields
    height: int
    gap: float


def _plan(
    figure: Figure, width: float, style: Style, above: float, below: float, largest: int = 26
) -> _Plan:
    """Lay heading and fields out in a column; the picture grows if they need more."""
    heading = heading_of(figure.title, width, 30)
    lines = keyed_lines(figure)
    room = _HEIGHT - above - heading.height - below
    fields = largest_fields(lines, width, room, style, 10, largest)
    if fields.above and fields.size < _READABLE:
        fields = largest_fields(lines, width, room, "columns", 10, largest)
    needed = sum_in_order(fields.heights(10))
    gap = 10 + max(0.0, min(26.0, (room - needed) / max(1, len(lines))))
    height = above + heading.height + sum_in_order(fields.heights(gap)) - (gap - 10) + below
    return _Plan(heading, fields, max(_LEAST_HEIGHT, round(height)), gap)


def _write(
    sketch: Sketch, plan: _Plan, x: float, top: float, theme: Theme, rule: str | None = None
) -> None:
    """Write the fields below one another, with rules between them if a colour is given."""
    for at, height in enumerate(plan.fields.heights(plan.gap)):
        if rule and at:
            y = top - plan.gap / 2
            sketch.line([(x, y), (x + plan.fields.width, y)], rule, 1)
        write_field(sketch, plan.fields, at, x, top, theme.ink, theme.quiet)
        top += height


def _read_off(sketch: Sketch, figure: Figure) -> None:
    sketch.lines += [figure.title, *read_lines(keyed_lines(figure))]


def label(figure: Figure, random: Random) -> Sketch:
    """A label with a thick border: pinned by a hole, or with a stripe of bars."""
    theme = pick_theme(random)
    style: Style = random.choice(("columns", "columns", "stacked"))
    barred = random.random() < 0.5
    plan = _plan(figure, _WIDTH - 128, style, 62, 108 if barred else 54)
    sketch = Sketch(_WIDTH, plan.height, theme.tint)
    bottom = sketch.height - 24
    sketch.rectangle((28, 24, _WIDTH - 28, bottom), theme.panel, theme.accent, 5, 22)
    write_heading(sketch, plan.heading, 64, 44, theme.accent)
    under = 44 + plan.heading.height + 8
    sketch.line([(64, under), (_WIDTH - 64, under)], theme.accent, 3)
    _write(sketch, plan, 64, under + 14, theme, theme.rule if random.random() < 0.6 else None)
    if barred:
        _bars(sketch, 64, bottom - 62, random, theme)
    _read_off(sketch, figure)
    return sketch


def _bars(sketch: Sketch, x: float, top: float, random: Random, theme: Theme) -> None:
    """Stripes like those of a bar code; they say nothing."""
    end = x + random.choice((180, 240, 300))
    while x < end:
        width = random.choice((2, 2, 3, 5))
        sketch.rectangle((x, top, x + width, top + 40), theme.ink)
        x += width + random.choice((2, 3, 4))


def ticket(figure: Figure, random: Random) -> Sketch:
    """A ticket with notches; short fields are in pairs, long ones take the whole width."""
    theme = pick_theme(random)
    lines = keyed_lines(figure)
    width, half = _WIDTH - 128, (_WIDTH - 144) / 2
    heading = heading_of(figure.title, width, 30)
    size = 25 if len(lines) < 5 else 22
    fields = fields_of(lines, width, "stacked", size)
    cut = 54 + heading.height + 18
    y, heights, paired = cut + 22.0, fields.heights(14), False
    places: list[Point] = []
    for at, (_, value) in enumerate(lines):
        short = text_width(value, size, bold=True) <= half
        if paired and short:
            places.append((64 + half + 16, places[-1][1]))
            paired = False
        else:
            places.append((64, y))
            y += heights[at]
            paired = short
    sketch = Sketch(_WIDTH, max(300, round(y + 46)), theme.tint)
    _ticket_paper(sketch, cut, theme, random)
    write_heading(sketch, heading, 64, 52, theme.accent)
    for at, (x, top) in enumerate(places):
        write_field(sketch, fields, at, x, top, theme.ink, theme.quiet)
    _read_off(sketch, figure)
    return sketch


def _ticket_paper(sketch: Sketch, cut: float, theme: Theme, random: Random) -> None:
    """Paper with a coloured edge, a dashed line to tear along, and a notch at each end of it."""
    left, right, bottom = 30, _WIDTH - 30, sketch.height - 30
    sketch.rectangle((left, 30, right, bottom), theme.panel, radius=14)
    sketch.rectangle((left + 14, 30, right - 14, 38), theme.accent)
    if random.random() < 0.5:
        sketch.rectangle((left + 14, bottom - 8, right - 14, bottom), theme.accent)
    x = left + 24
    while x < right - 24:
        sketch.line([(x, cut), (x + 8, cut)], theme.quiet, 2)
        x += 16
    for middle in (left, right):
        sketch.ellipse((middle - 13, cut - 13, middle + 13, cut + 13), sketch.paper)


def certificate(figure: Figure, random: Random) -> Sketch:
    """A framed sheet with a centred heading and a seal."""
    theme = pick_theme(random)
    style: Style = random.choice(("columns", "centred", "centred"))
    plan = _plan(figure, _WIDTH - 168, style, 92, 62)
    sketch = Sketch(_WIDTH, plan.height, theme.panel)
    right, bottom = _WIDTH - 16, sketch.height - 16
    sketch.rectangle((16, 16, right, bottom), None, theme.accent, 6)
    sketch.rectangle((28, 28, right - 12, bottom - 12), None, theme.second, 1.5)
    if random.random() < 0.6:
        for x in (28, right - 12):
            for y in (28, bottom - 12):
                sketch.polygon([(x, y - 11), (x + 11, y), (x, y + 11), (x - 11, y)], theme.accent)
    write_heading(sketch, plan.heading, _WIDTH / 2, 54, theme.accent, "middle")
    under = 54 + plan.heading.height + 12
    sketch.line([(_WIDTH / 2 - 90, under), (_WIDTH / 2 + 90, under)], theme.second, 3)
    _write(sketch, plan, 84, under + 24, theme)
    _seal(sketch, _WIDTH - 84, bottom - 58, theme)
    _read_off(sketch, figure)
    return sketch


def _seal(sketch: Sketch, x: float, y: float, theme: Theme) -> None:
    for side in (-1, 1):
        ribbon = [(x, y), (x + side * 20, y + 40), (x + side * 9, y + 36), (x + side * 3, y + 42)]
        sketch.polygon(ribbon, theme.second)
    sketch.ellipse((x - 24, y - 24, x + 24, y + 24), theme.accent)
    sketch.ellipse((x - 17, y - 17, x + 17, y + 17), theme.accent, theme.panel, 2)


def whiteboard(figure: Figure, random: Random) -> Sketch:
    """A board written on by hand: markers of several colours, unsteady lines."""
    style: Style = random.choice(("running", "columns"))
    plan = _plan(figure, _WIDTH - 132, style, 66, 74)
    sketch = Sketch(_WIDTH, plan.height, "#d9dcdd")
    bottom = sketch.height - 40
    sketch.rectangle((16, 14, _WIDTH - 16, bottom), "#fdfdfb", "#9aa3a8", 7, 8)
    _tray(sketch, bottom, random)
    title_colour = random.choice(_MARKERS)
    write_heading(sketch, plan.heading, 46 + random.randint(0, 10), 34, title_colour)
    under = 34 + plan.heading.height + 6
    _by_hand(sketch, (46, under), (46 + random.randint(260, 420), under), title_colour, random)
    top, pens = under + 16.0, random.sample(_MARKERS, 2)
    for at, height in enumerate(plan.fields.heights(plan.gap)):
        x, colour = 78 + random.randint(-4, 4), pens[at % 2]
        middle = top + plan.fields.step / 2
        _by_hand(sketch, (x - 26, middle), (x - 12, middle + random.randint(-2, 2)), colour, random)
        write_field(sketch, plan.fields, at, x, top + random.randint(-2, 2), colour, colour)
        top += height
    _read_off(sketch, figure)
    return sketch


def _by_hand(sketch: Sketch, start: Point, end: Point, colour: str, random: Random) -> None:
    """An unsteady stroke."""
    steps = max(2, round(abs(end[0] - start[0]) / 24))
    points = [
        (
            start[0] + (end[0] - start[0]) * at / steps,
            start[1] + (end[1] - start[1]) * at / steps + random.uniform(-1.6, 1.6),
        )
        for at in range(steps + 1)
    ]
    sketch.line(points, colour, 4)


def _tray(sketch: Sketch, top: float, random: Random) -> None:
    sketch.rectangle((90, top + 8, _WIDTH - 90, top + 22), "#9aa3a8", radius=4)
    x = random.randint(130, 260)
    for colour in random.sample(_MARKERS, 3):
        sketch.rectangle((x, top + 2, x + 56, top + 11), colour, radius=3)
        sketch.rectangle((x + 56, top + 4, x + 64, top + 9), "#e8e8e8")
        x += random.randint(80, 110)


def notice(figure: Figure, random: Random) -> Sketch:
    """A sheet pinned to a board of cork, wood or felt."""
    theme = pick_theme(random)
    style: Style = random.choice(("running", "stacked", "columns"))
    plan = _plan(figure, _WIDTH - 160, style, 88, 62)
    board = random.choice(("#d8b98c", "#c9a878", "#b9c4b2", "#c3ccd6"))
    sketch = Sketch(_WIDTH, plan.height, board)
    for _ in range(70):
        x, y = random.uniform(0, _WIDTH), random.uniform(0, sketch.height)
        sketch.ellipse((x, y, x + 4, y + 3), "#a08a68")
    sheet = (44, 26, _WIDTH - 44, sketch.height - 26)
    sketch.rectangle((50, 33, _WIDTH - 38, sketch.height - 19), "#7d6c53")
    sketch.rectangle(sheet, theme.panel)
    align: Align = random.choice(("left", "middle"))
    x = 80 if align == "left" else _WIDTH / 2
    write_heading(sketch, plan.heading, x, 58, theme.accent, align)
    under = 58 + plan.heading.height + 8
    sketch.line([(80, under), (_WIDTH - 80, under)], theme.accent, 3)
    _write(sketch, plan, 80, under + 16, theme)
    for place in ((_WIDTH / 2,), (64, _WIDTH - 64))[random.randrange(2)]:
        _pin(sketch, place, 42, theme.second)
    _read_off(sketch, figure)
    return sketch


def _pin(sketch: Sketch, x: float, y: float, colour: str) -> None:
    sketch.ellipse((x - 7, y - 6, x + 13, y + 14), "#d6d2ca")
    sketch.ellipse((x - 10, y - 10, x + 10, y + 10), colour)
    sketch.ellipse((x - 6, y - 7, x, y - 1), "#ffffff")


PANELS: Final[dict[str, Callable[[Figure, Random], Sketch]]] = {
    "label": label,
    "ticket": ticket,
    "certificate": certificate,
    "whiteboard": whiteboard,
    "notice": notice,
}

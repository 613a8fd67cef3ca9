"""Notes: a sticky note on a door, or a page torn out of a notebook."""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import (
    Fields,
    Heading,
    heading_of,
    largest_fields,
    read_lines,
    write_field,
    write_heading,
)
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.canvas.totals import sum_in_order

_WIDTH: Final = 560
_HEIGHT: Final = 440
_INKS: Final = ("#1f3f86", "#1c1c1c", "#6b1f4a", "#1d5a3a")
_STICKY: Final = ("#fff2a8", "#ffe0cc", "#dff2c4", "#d7ecf7")
_BACKS: Final = ("#b9c4c9", "#c9b79b", "#aebfae", "#c6b8c4")
_GAP: Final = 12


def note(figure: Figure, random: Random) -> Sketch:
    """Keyed lines written one below another, in one colour of ink."""
    torn = random.random() < 0.5
    side = 108 if torn else 62
    width = _WIDTH - side - 54
    heading = heading_of(figure.title, width, 28)
    top = 66 if torn else 78
    room = _HEIGHT - top - heading.height - 80
    fields = largest_fields(figure.lines, width, room, "running", _GAP, 26)
    needed = sum_in_order(fields.heights(_GAP))
    sketch = Sketch(
        _WIDTH, max(_HEIGHT, round(top + heading.height + needed + 90)), random.choice(_BACKS)
    )
    ink = random.choice(_INKS)
    if torn:
        _notebook(sketch)
    else:
        _sticky(sketch, random)
    _write(sketch, heading, fields, (side, top), ink, ruled=torn)
    sketch.lines += [figure.title, *read_lines(figure.lines)]
    return sketch


def _write(
    sketch: Sketch,
    heading: Heading,
    fields: Fields,
    place: tuple[int, int],
    ink: str,
    *,
    ruled: bool,
) -> None:
    x, top = place
    write_heading(sketch, heading, x, top, ink)
    y = top + heading.height + 24.0
    for at, height in enumerate(fields.heights(_GAP)):
        if ruled:
            for number in range(len(fields.wrapped[at][1])):
                under = y + (number + 1) * fields.step - 3
                sketch.line([(94, under), (_WIDTH - 34, under)], "#b9cfe2", 1.5)
        write_field(sketch, fields, at, x, y, ink, ink)
        y += height


def _notebook(sketch: Sketch) -> None:
    """White paper with holes and a margin line."""
    bottom = sketch.height - 26
    sketch.rectangle((38, 32, _WIDTH - 26, bottom + 6), "#8d8d85")
    sketch.rectangle((34, 26, _WIDTH - 32, bottom), "#fdfdf8")
    sketch.line([(94, 26), (94, bottom)], "#e39a9a", 2)
    for y in range(56, bottom - 20, 46):
        sketch.ellipse((50, y, 68, y + 18), sketch.paper)


def _sticky(sketch: Sketch, random: Random) -> None:
    """A coloured square with a turned-up corner and a strip of tape."""
    colour, bottom = random.choice(_STICKY), sketch.height - 30
    right = _WIDTH - 34
    sketch.rectangle((42, 46, right + 6, bottom + 6), "#8d8d85")
    cut = 44
    sketch.polygon(
        [(34, 38), (right, 38), (right, bottom - cut), (right - cut, bottom), (34, bottom)], colour
    )
    fold = [(right, bottom - cut), (right - cut, bottom - cut + 6), (right - cut, bottom)]
    sketch.polygon(fold, "#c9b458" if colour == _STICKY[0] else "#b9b9ad")
    middle = _WIDTH / 2 + random.randint(-60, 60)
    sketch.rectangle((middle - 56, 26, middle + 56, 54), "#e9e6da", "#d3cfc0", 1)

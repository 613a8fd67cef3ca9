"""What bar and line charts share: heading, axis label, upright axis, printed numbers."""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import (
    LEAST,
    footnotes,
    heading_of,
    read_lines,
    row_lines,
    write_footnotes,
    write_heading,
)
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, text_width, wrap
from memassay.synth.pictures.canvas.sketch import Align, Box, Sketch
from memassay.synth.pictures.canvas.themes import Theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.parts.scales import Scale

MARGIN: Final = 28
WIDTH: Final = 640
HEIGHT: Final = 480


def frame_figure(
    figure: Figure, theme: Theme, random: Random, width: int
) -> tuple[Sketch, int, int]:
    """A sketch with heading, axis label and footnotes, and top and bottom of what is left."""
    notes = footnotes(figure, width - 2 * MARGIN)
    below = round(sum_in_order(notes.heights(2))) + (10 if notes.wrapped else 0)
    sketch = Sketch(width, HEIGHT + below, theme.panel if random.random() < 0.5 else theme.paper)
    heading = heading_of(figure.title, width - 2 * MARGIN)
    centred = random.random() < 0.35
    x = width / 2 if centred else MARGIN
    align: Align = "middle" if centred else "left"
    stripe = random.random() < 0.5
    if stripe:
        sketch.rectangle((0, 0, width, 8), theme.accent)
    write_heading(sketch, heading, x, 18, theme.ink, align)
    middle = 18 + heading.height + 14
    unit = f" ({figure.unit})" if figure.unit else ""
    measure = figure.measure or ""
    first = measure[:1]
    label = f"{first.upper() if first.isascii() else first}{measure[1:]}{unit}".strip()
    if label:
        size = fitting_size([label], width - 2 * MARGIN, 20, LEAST)
        for words in wrap(label, width - 2 * MARGIN, size):
            sketch.text(x, middle, words, size, theme.quiet, align=align)
            middle += 24
    write_footnotes(sketch, notes, MARGIN, HEIGHT - 10, theme)
    sketch.lines += [figure.title, *([label] if label else [])]
    sketch.lines += [f"{row} {cell}" for row, cell in row_lines(figure)]
    sketch.lines += read_lines(figure.lines)
    return sketch, middle + 10, HEIGHT - MARGIN


def upright_axis(sketch: Sketch, plot: Box, scale: Scale, theme: Theme) -> None:
    """Ticks with their numbers on the left, light lines across, and a strong one at zero."""
    left, top, right, bottom = plot
    for number, label in scale.ticks():
        y = bottom - scale.share(number) * (bottom - top)
        sketch.line([(left, y), (right, y)], theme.rule, 1)
        sketch.text(left - 8, y, label, LEAST, theme.quiet, align="right")
    zero = bottom - max(0.0, scale.share(0.0)) * (bottom - top)
    sketch.line([(left, zero), (right, zero)], theme.quiet, 2)


def left_of_plot(scale: Scale) -> float:
    """Where the plot starts, right of the numbers at the ticks."""
    return MARGIN + max(text_width(label, LEAST) for _, label in scale.ticks()) + 10


def write_number(
    sketch: Sketch, middle: float, y: float, printed: str, size: int, theme: Theme, key: str
) -> None:
    """A number on a patch of paper, so that no grid line runs through it."""
    half = text_width(printed, size, bold=True) / 2 + 3
    sketch.rectangle((middle - half, y - size * 0.5, middle + half, y + size * 0.5), sketch.paper)
    sketch.text(middle, y, printed, size, theme.ink, bold=True, align="middle", key=key)

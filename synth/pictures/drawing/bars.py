"""Bar charts, upright and lying; every number is at the end of its bar."""

import math
from random import Random

from memassay.synth.pictures.canvas.fields import LEAST
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, text_width, wrap
from memassay.synth.pictures.canvas.sketch import Box, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.parts.axes import (
    MARGIN,
    WIDTH,
    frame_figure,
    left_of_plot,
    upright_axis,
    write_number,
)
from memassay.synth.pictures.parts.scales import Scale, numbers_of, printed_numbers, scale_of


def bar_chart(figure: Figure, random: Random) -> Sketch:
    """Upright bars, or lying ones where labels are long or chance says so."""
    theme, lying = pick_theme(random), random.random() < 0.4
    slot = (WIDTH - 110) / len(figure.rows)
    long = any(text_width(row, LEAST) > slot - 6 for row in figure.rows)
    wide = any(text_width(cell, LEAST, True) > slot - 4 for cell in printed_numbers(figure))
    if lying or long or wide:
        return _lying_bars(figure, theme, random)
    return _upright_bars(figure, theme, random)


def _upright_bars(figure: Figure, theme: Theme, random: Random) -> Sketch:
    sketch, top, bottom = frame_figure(figure, theme, random, WIDTH)
    numbers, printed = numbers_of(figure), printed_numbers(figure)
    scale = scale_of(numbers, from_zero=True)
    plot = (left_of_plot(scale), top + 22, WIDTH - MARGIN, bottom - 18)
    upright_axis(sketch, plot, scale, theme)
    slot = (plot[2] - plot[0]) / len(numbers)
    half = slot * random.choice((0.28, 0.33, 0.38))
    radius = random.choice((0, 0, 5))
    # One colour a chart: two would seem to mean something.
    colour = random.choice((theme.accent, theme.second))
    size = fitting_size(printed, slot - 4, 22, LEAST, bold=True)

    def height_of(number: float) -> float:
        return plot[3] - scale.share(number) * (plot[3] - plot[1])

    for at, (row, number) in enumerate(zip(figure.rows, numbers, strict=True)):
        middle = plot[0] + slot * (at + 0.5)
        zero, end = height_of(0), height_of(number)
        bar = (middle - half, min(zero, end), middle + half, max(zero, end))
        sketch.rectangle(bar, colour, radius=min(radius, (bar[3] - bar[1]) / 2))
        beyond = end - size * 0.7 if number >= 0 else end + size * 0.7
        write_number(sketch, middle, beyond, printed[at], size, theme, row)
        sketch.text(middle, bottom + 2, row, LEAST, theme.ink, align="middle")
    return sketch


def _lying_bars(figure: Figure, theme: Theme, random: Random) -> Sketch:
    sketch, top, bottom = frame_figure(figure, theme, random, WIDTH)
    numbers, printed = numbers_of(figure), printed_numbers(figure)
    scale = scale_of(numbers, from_zero=True)
    size = fitting_size(list(figure.rows), 210, 20, LEAST)
    labels = [wrap(row, 210, size) for row in figure.rows]
    widest = max(text_width(line, size) for lines in labels for line in lines)
    number_width = max(text_width(text, 20, bold=True) for text in printed) + 14
    plot = (MARGIN + widest + 12, top + 2, WIDTH - MARGIN - number_width, bottom - 16)
    _lying_axis(sketch, plot, scale, theme)
    slot = (plot[3] - plot[1]) / len(numbers)
    half = min(slot * random.choice((0.28, 0.34)), 26)
    # One colour a chart: two would seem to mean something.
    colour = random.choice((theme.accent, theme.second))
    for at, (row, number) in enumerate(zip(figure.rows, numbers, strict=True)):
        middle = plot[1] + slot * (at + 0.5)
        zero, end = (plot[0] + scale.share(x) * (plot[2] - plot[0]) for x in (0, number))
        bar = (min(zero, end), middle - half, max(zero, end), middle + half)
        sketch.rectangle(bar, colour)
        x = max(zero, end) + 8 + text_width(printed[at], 20, bold=True) / 2
        write_number(sketch, x, middle, printed[at], 20, theme, row)
        for line, words in enumerate(labels[at]):
            y = middle + (line - (len(labels[at]) - 1) / 2) * size * 1.15
            sketch.text(plot[0] - 12, y, words, size, theme.ink, align="right")
    return sketch


def _lying_axis(sketch: Sketch, plot: Box, scale: Scale, theme: Theme) -> None:
    left, top, right, bottom = plot
    ticks = scale.ticks()
    room = (right - left) / max(1, len(ticks) - 1)
    every = math.ceil((max(text_width(label, LEAST) for _, label in ticks) + 12) / room)
    for at, (number, label) in enumerate(ticks):
        x = left + scale.share(number) * (right - left)
        sketch.line([(x, top), (x, bottom)], theme.rule, 1)
        if at % every == 0:
            sketch.text(x, bottom + 16, label, LEAST, theme.quiet, align="middle")
    zero = left + scale.share(0.0) * (right - left)
    sketch.line([(zero, top), (zero, bottom)], theme.quiet, 2)

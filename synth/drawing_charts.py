"""Bar charts, upright and lying, and line charts; every number stands beside its mark."""

from random import Random
from typing import Final

from memassay.synth.drawing_fields import (
    LEAST,
    footnotes,
    heading_of,
    read_lines,
    row_lines,
    write_footnotes,
    write_heading,
)
from memassay.synth.drawing_fonts import fitting_size, text_width, wrap
from memassay.synth.drawing_scales import Scale, numbers_of, printed_numbers, scale_of
from memassay.synth.drawing_sketch import Align, Box, Sketch
from memassay.synth.drawing_themes import Theme, pick_theme
from memassay.synth.figures import Figure

_MARGIN: Final = 28
_WIDTH: Final = 640
_HEIGHT: Final = 480
_SLOT: Final = 84  # least width of one column in pixels


def bar_chart(figure: Figure, random: Random) -> Sketch:
    """Upright bars, or lying ones where labels are long or chance says so."""
    theme, lying = pick_theme(random), random.random() < 0.4
    slot = (_WIDTH - 110) / len(figure.rows)
    long = any(text_width(row, LEAST) > slot - 6 for row in figure.rows)
    wide = any(text_width(cell, LEAST, True) > slot - 4 for cell in printed_numbers(figure))
    if lying or long or wide:
        return _lying_bars(figure, theme, random)
    return _upright_bars(figure, theme, random)


def _frame(figure: Figure, theme: Theme, random: Random, width: int) -> tuple[Sketch, int, int]:
    """A sketch with heading, axis label and footnotes, and top and bottom of what is left."""
    notes = footnotes(figure, width - 2 * _MARGIN)
    below = round(sum(notes.heights(2)))
    sketch = Sketch(width, _HEIGHT + below, theme.panel if random.random() < 0.5 else theme.paper)
    heading = heading_of(figure.title, width - 2 * _MARGIN)
    centred = random.random() < 0.35
    x = width / 2 if centred else _MARGIN
    align: Align = "middle" if centred else "left"
    stripe = random.random() < 0.5
    if stripe:
        sketch.rectangle((0, 0, width, 8), theme.accent)
    write_heading(sketch, heading, x, 18, theme.ink, align)
    middle = 18 + heading.height + 14
    unit = f" ({figure.unit})" if figure.unit else ""
    label = f"{(figure.measure or '')[:1].upper()}{(figure.measure or '')[1:]}{unit}".strip()
    if label:
        size = fitting_size([label], width - 2 * _MARGIN, 20, LEAST)
        for words in wrap(label, width - 2 * _MARGIN, size):
            sketch.text(x, middle, words, size, theme.quiet, align=align)
            middle += 24
    write_footnotes(sketch, notes, _MARGIN, _HEIGHT - 10, theme)
    sketch.lines += [figure.title, *([label] if label else [])]
    sketch.lines += [f"{row} {cell}" for row, cell in row_lines(figure)]
    sketch.lines += read_lines(figure.lines)
    return sketch, middle + 10, _HEIGHT - _MARGIN


def _upright_axis(sketch: Sketch, plot: Box, scale: Scale, theme: Theme) -> None:
    left, top, right, bottom = plot
    for number, label in scale.ticks():
        y = bottom - scale.share(number) * (bottom - top)
        sketch.line([(left, y), (right, y)], theme.rule, 1)
        sketch.text(left - 8, y, label, LEAST, theme.quiet, align="right")
    zero = bottom - max(0.0, scale.share(0.0)) * (bottom - top)
    sketch.line([(left, zero), (right, zero)], theme.quiet, 2)


def _left_of_plot(scale: Scale) -> float:
    return _MARGIN + max(text_width(label, LEAST) for _, label in scale.ticks()) + 10


def _upright_bars(figure: Figure, theme: Theme, random: Random) -> Sketch:
    sketch, top, bottom = _frame(figure, theme, random, _WIDTH)
    numbers, printed = numbers_of(figure), printed_numbers(figure)
    scale = scale_of(numbers, from_zero=True)
    plot = (_left_of_plot(scale), top + 22, _WIDTH - _MARGIN, bottom - 18)
    _upright_axis(sketch, plot, scale, theme)
    slot = (plot[2] - plot[0]) / len(numbers)
    half = slot * random.choice((0.28, 0.33, 0.38))
    radius = random.choice((0, 0, 5))
    colours = _bar_colours(numbers, theme, random)
    size = fitting_size(printed, slot - 4, 22, LEAST, bold=True)

    def height_of(number: float) -> float:
        return plot[3] - scale.share(number) * (plot[3] - plot[1])

    for at, (row, number) in enumerate(zip(figure.rows, numbers, strict=True)):
        middle = plot[0] + slot * (at + 0.5)
        zero, end = height_of(0), height_of(number)
        bar = (middle - half, min(zero, end), middle + half, max(zero, end))
        sketch.rectangle(bar, colours[at], radius=min(radius, (bar[3] - bar[1]) / 2))
        beyond = end - size * 0.7 if number >= 0 else end + size * 0.7
        _number(sketch, middle, beyond, printed[at], size, theme, row)
        sketch.text(middle, bottom + 2, row, LEAST, theme.ink, align="middle")
    return sketch


def _number(
    sketch: Sketch, middle: float, y: float, printed: str, size: int, theme: Theme, key: str
) -> None:
    """A number on a patch of paper, so that no grid line runs through it."""
    half = text_width(printed, size, bold=True) / 2 + 3
    sketch.rectangle((middle - half, y - size * 0.5, middle + half, y + size * 0.5), sketch.paper)
    sketch.text(middle, y, printed, size, theme.ink, bold=True, align="middle", key=key)


def _bar_colours(numbers: list[float], theme: Theme, random: Random) -> list[str]:
    style = random.randrange(3)
    if style == 0:
        return [theme.accent] * len(numbers)
    if style == 1:
        return [(theme.accent, theme.second)[at % 2] for at in range(len(numbers))]
    marked = random.randrange(len(numbers))
    return [theme.second if at == marked else theme.accent for at in range(len(numbers))]


def _lying_bars(figure: Figure, theme: Theme, random: Random) -> Sketch:
    sketch, top, bottom = _frame(figure, theme, random, _WIDTH)
    numbers, printed = numbers_of(figure), printed_numbers(figure)
    scale = scale_of(numbers, from_zero=True)
    size = fitting_size(list(figure.rows), 210, 20, LEAST)
    labels = [wrap(row, 210, size) for row in figure.rows]
    widest = max(text_width(line, size) for lines in labels for line in lines)
    number_width = max(text_width(text, 20, bold=True) for text in printed) + 14
    plot = (_MARGIN + widest + 12, top + 2, _WIDTH - _MARGIN - number_width, bottom - 16)
    _lying_axis(sketch, plot, scale, theme)
    slot = (plot[3] - plot[1]) / len(numbers)
    half = min(slot * random.choice((0.28, 0.34)), 26)
    colours = _bar_colours(numbers, theme, random)
    for at, (row, number) in enumerate(zip(figure.rows, numbers, strict=True)):
        middle = plot[1] + slot * (at + 0.5)
        zero, end = (plot[0] + scale.share(x) * (plot[2] - plot[0]) for x in (0, number))
        bar = (min(zero, end), middle - half, max(zero, end), middle + half)
        sketch.rectangle(bar, colours[at])
        x = max(zero, end) + 8 + text_width(printed[at], 20, bold=True) / 2
        _number(sketch, x, middle, printed[at], 20, theme, row)
        for line, words in enumerate(labels[at]):
            y = middle + (line - (len(labels[at]) - 1) / 2) * size * 1.15
            sketch.text(plot[0] - 12, y, words, size, theme.ink, align="right")
    return sketch


def _lying_axis(sketch: Sketch, plot: Box, scale: Scale, theme: Theme) -> None:
    left, top, right, bottom = plot
    ticks = scale.ticks()
    room = (right - left) / max(1, len(ticks) - 1)
    crowded = max(text_width(label, LEAST) for _, label in ticks) > room - 8
    for at, (number, label) in enumerate(ticks):
        x = left + scale.share(number) * (right - left)
        sketch.line([(x, top), (x, bottom)], theme.rule, 1)
        if not crowded or at % 2 == 0:
            sketch.text(x, bottom + 16, label, LEAST, theme.quiet, align="middle")
    zero = left + scale.share(0.0) * (right - left)
    sketch.line([(zero, top), (zero, bottom)], theme.quiet, 2)


def line_chart(figure: Figure, random: Random) -> Sketch:
    """A line through marked points; wider than usual if there are many."""
    theme = pick_theme(random)
    numbers, printed = numbers_of(figure), printed_numbers(figure)
    widest = max(text_width(text, LEAST, bold=True) for text in printed)
    width = max(_WIDTH, round(120 + len(numbers) * max(_SLOT, widest + 8)))
    sketch, top, bottom = _frame(figure, theme, random, width)
    scale = scale_of(numbers, from_zero=False)
    slot_guess = (width - 120) / len(numbers)
    tiers = 1 if max(text_width(row, LEAST) for row in figure.rows) <= slot_guess - 8 else 2
    plot = (_left_of_plot(scale), top + 24, width - _MARGIN, bottom - 18 - (tiers - 1) * 22)
    _upright_axis(sketch, plot, scale, theme)
    slot = (plot[2] - plot[0]) / len(numbers)
    points = [
        (plot[0] + slot * (at + 0.5), plot[3] - scale.share(number) * (plot[3] - plot[1]))
        for at, number in enumerate(numbers)
    ]
    if random.random() < 0.4:
        sketch.polygon([(points[0][0], plot[3]), *points, (points[-1][0], plot[3])], theme.tint)
    sketch.line(points, theme.accent, random.choice((3, 4)))
    _points(sketch, figure, points, printed, plot[3], theme, random)
    for at, row in enumerate(figure.rows):
        y = plot[3] + 20 + (at % tiers) * 22
        sketch.text(points[at][0], y, row, LEAST, theme.ink, align="middle")
    return sketch


def _points(
    sketch: Sketch,
    figure: Figure,
    points: list[tuple[float, float]],
    printed: list[str],
    floor: float,
    theme: Theme,
    random: Random,
) -> None:
    marker, size = random.choice(("disc", "ring", "square", "diamond")), 20
    for at, (x, y) in enumerate(points):
        beside = [points[near][1] for near in (at - 1, at + 1) if 0 <= near < len(points)]
        under = bool(beside) and y > sum(beside) / len(beside) and y + 34 < floor
        _number(sketch, x, y + (22 if under else -22), printed[at], size, theme, figure.rows[at])
    for x, y in points:
        _marker(sketch, marker, x, y, theme)


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

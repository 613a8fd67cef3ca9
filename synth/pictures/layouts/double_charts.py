"""Double charts: two lines over gridlines, told apart by a legend; no number is at any point.

What lies between gridlines is not to be read exactly: such charts are compared and counted in.
"""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import LEAST, read_lines
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, text_width, wrap
from memassay.synth.pictures.canvas.sketch import Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.parts.axes import left_of_plot, upright_axis
from memassay.synth.pictures.parts.scales import Scale, scale_of
from memassay.synth.pictures.parts.sheets import WIDTH, sheet

_SLOT: Final = 84


def double_chart(figure: Figure, random: Random) -> Sketch:
    """Two lines with marks of their own shapes.

    Raises:
        ValueError: There are not two columns, or a cell is no number.
    """
    theme = pick_theme(random)
    series, unit = _series(figure)
    width = max(WIDTH, round(120 + len(figure.rows) * max(_SLOT, _widest(figure.rows) + 10)))
    made = sheet(figure.title, figure.lines, theme, random, width=width, room=400)
    sketch, (left, top, right, bottom) = made.sketch, made.room
    label = _label(figure, unit)
    size = fitting_size([label], right - left, 20, LEAST)
    y = top + 8.0
    for words in wrap(label, right - left, size):
        sketch.text(left, y, words, size, theme.quiet)
        y += 24
    colours = (theme.accent, theme.second)
    y = _legend(sketch, figure.columns, (left, y + 4), right, colours, theme)
    scale = scale_of([number for numbers in series for number in numbers], from_zero=False)
    plot = (left_of_plot(scale), y + 14, right, bottom - 24)
    upright_axis(sketch, plot, scale, theme)
    slot = (plot[2] - plot[0]) / len(figure.rows)
    for at, row in enumerate(figure.rows):
        sketch.text(
            plot[0] + slot * (at + 0.5), plot[3] + 18, row, LEAST, theme.ink, align="middle"
        )
    for at, numbers in enumerate(series):
        points = [
            (plot[0] + slot * (nth + 0.5), plot[3] - scale.share(number) * (plot[3] - plot[1]))
            for nth, number in enumerate(numbers)
        ]
        sketch.line(points, colours[at], 4)
        for row, point in zip(figure.rows, points, strict=True):
            _mark(sketch, at, point, colours[at])
            x, middle = point
            sketch.note(f"{row}/{figure.columns[at]}", (x - 10, middle - 10, x + 10, middle + 10))
    sketch.lines += [label, *figure.columns]
    sketch.lines += [f"{row} {' '.join(cells)}" for row, cells in _cells(figure)]
    sketch.lines += read_lines(figure.lines)
    return sketch


def clear_ticks(numbers: Sequence[float], scale: Scale) -> list[str]:
    """Numbers at gridlines that no point of a line is near to, with points above and below."""
    apart = scale.step / 4
    return [
        label
        for tick, label in scale.ticks()
        if all(abs(number - tick) > apart for number in numbers)
        and min(numbers) < tick < max(numbers)
    ]


def _cells(figure: Figure) -> Sequence[tuple[str, tuple[str, ...]]]:
    return list(zip(figure.rows, figure.cells, strict=True))


def _series(figure: Figure) -> tuple[list[list[float]], str]:
    """The numbers of each line, and their unit."""
    if len(figure.columns) != 2:
        raise ValueError(
            f"double chart {figure.title!r}: expected two columns, got {len(figure.columns)}"
        )
    series: list[list[float]] = [[], []]
    unit = ""
    for row, cells in _cells(figure):
        for at, cell in enumerate(cells):
            number, _, rest = cell.partition(" ")
            percent = number.endswith("%")
            try:
                value = Decimal(number.rstrip("%").replace(",", ""))
            except InvalidOperation:
                raise ValueError(
                    f"double chart {figure.title!r}.{row}: expected a number, got {cell!r}; "
                    "give it one"
                ) from None
            series[at].append(float(value))
            unit = rest or ("%" if percent else unit)
    return series, unit


def _label(figure: Figure, unit: str) -> str:
    measure = figure.measure or ""
    first = measure[:1]
    return f"{first.upper() if first.isascii() else first}{measure[1:]}{f' ({unit})' * bool(unit)}"


def _legend(
    sketch: Sketch,
    names: Sequence[str],
    corner: Point,
    right: float,
    colours: Sequence[str],
    theme: Theme,
) -> float:
    """Both names with their mark, beside each other or, if too long, below; where they end."""
    x, y = corner
    y += 10
    for at, name in enumerate(names):
        wide = 40 + text_width(name, LEAST)
        if at and x + wide > right:
            x, y = corner[0], y + 26
        sketch.line([(x, y), (x + 30, y)], colours[at], 4)
        _mark(sketch, at, (x + 15, y), colours[at])
        for words in wrap(name, right - x - 40, LEAST)[:1]:
            sketch.text(x + 38, y, words, LEAST, theme.ink)
        x += wide + 28
    return y + 12


def _mark(sketch: Sketch, at: int, point: Point, colour: str) -> None:
    x, y = point
    if at == 0:
        sketch.ellipse((x - 7, y - 7, x + 7, y + 7), colour)
    else:
        sketch.polygon([(x, y - 10), (x + 9, y + 7), (x - 9, y + 7)], colour)


def _widest(labels: Sequence[str]) -> float:
    return max(text_width(label, LEAST) for label in labels)

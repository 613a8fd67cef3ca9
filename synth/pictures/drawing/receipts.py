"""Receipts: a narrow slip with items on the left, prices on the right and a total."""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import LEAST, heading_of, row_lines, write_heading
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import fitting_size, text_width, wrap
from memassay.synth.pictures.canvas.sketch import Point, Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order

_WIDTH: Final = 480
_SLIP: Final = (40, 440)
_PADDING: Final = 26
_LEAST_STEP: Final = 30
_USUAL_HEIGHT: Final = 480


def receipt(figure: Figure, random: Random) -> Sketch:
    """A slip of paper with a torn lower edge."""
    theme = pick_theme(random)
    left, right = _SLIP[0] + _PADDING, _SLIP[1] - _PADDING
    items = row_lines(figure)
    heading = heading_of(figure.title, right - left, 26)
    entries = [*items, *figure.lines]
    widest = [f"{key}   {value}" for key, value in entries]
    size = fitting_size(widest, right - left, 21, LEAST, bold=True)
    top = 24
    rows = sum_in_order(_rows(key, value, right - left, size) for key, value in entries)
    around = top + 18 + heading.height + 14 + 24 + 20 + 60
    step = max(_LEAST_STEP, min(38, (_USUAL_HEIGHT - around) // max(1, rows)))
    sketch = Sketch(_WIDTH, around + rows * step, theme.tint)
    _slip(sketch, top, sketch.height - 26, theme)
    write_heading(sketch, heading, _WIDTH / 2, top + 18, theme.ink, "middle")
    y = top + 18 + heading.height + 14.0
    style = random.choice(("dashes", "line", "double"))
    _divide(sketch, left, right, y, style, theme)
    y += 24
    for key, value in items:
        y = _entry(sketch, key, value, (left, right), y, step, size, theme.ink, bold=False)
    _divide(sketch, left, right, y - 4, style, theme)
    y += 20
    for key, value in figure.lines:
        y = _entry(sketch, key, value, (left, right), y, step, size, theme.ink, bold=key == "Total")
    sketch.lines += [figure.title, *(f"{key} {value}" for key, value in entries)]
    return sketch


def _rows(key: str, value: str, width: float, size: int) -> int:
    """How many lines an entry takes: one, or more if key and value are not side by side."""
    if text_width(key, size, True) + text_width(value, size, True) + 16 <= width:
        return 1
    return len(wrap(key, width, size, True)) + len(wrap(value, width, size, True))


def _entry(
    sketch: Sketch,
    key: str,
    value: str,
    sides: tuple[float, float],
    y: float,
    step: int,
    size: int,
    ink: str,
    bold: bool,
) -> float:
    left, right = sides
    if _rows(key, value, right - left, size) == 1:
        sketch.text(left, y, key, size, ink, bold=bold)
        sketch.text(right, y, value, size, ink, bold=bold, align="right", key=key)
        return y + step
    for words in wrap(key, right - left, size, True):
        sketch.text(left, y, words, size, ink, bold=bold)
        y += step
    for words in wrap(value, right - left, size, True):
        sketch.text(right, y, words, size, ink, bold=bold, align="right", key=key)
        y += step
    return y


def _slip(sketch: Sketch, top: float, bottom: float, theme: Theme) -> None:
    left, right = _SLIP
    teeth: list[Point] = []
    for at in range(21):
        x = right - at * (right - left) / 20
        teeth.append((x, bottom - (0 if at % 2 else 8)))
    shadow = [(x + 4, y + 4) for x, y in [(left, top), (right, top), *teeth]]
    sketch.polygon(shadow, theme.rule)
    sketch.polygon([(left, top), (right, top), *teeth], "#ffffff")


def _divide(sketch: Sketch, left: float, right: float, y: float, style: str, theme: Theme) -> None:
    if style == "dashes":
        x = left
        while x < right:
            sketch.line([(x, y), (min(x + 9, right), y)], theme.quiet, 2)
            x += 15
        return
    sketch.line([(left, y), (right, y)], theme.quiet, 1.5)
    if style == "double":
        sketch.line([(left, y + 4), (right, y + 4)], theme.quiet, 1.5)

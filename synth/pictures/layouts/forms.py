"""Forms: a row of boxes for each question, one of them ticked."""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import row_lines
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import text_width, wrap
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order
from memassay.synth.pictures.parts.sheets import MARGIN, WIDTH, read_sheet, sheet

CHOICES: Final = " / "
"""Between the choices of a form, which its measure holds."""
_SIZE: Final = 20
_LABEL: Final = 230
_BOX: Final = 13
_INKS: Final = ("#1f4e9c", "#1c1c1c", "#a32222")


def form(figure: Figure, random: Random) -> Sketch:
    """Questions on the left, choices above their boxes.

    Raises:
        ValueError: A row's cell is none of the choices.
    """
    theme, choices = pick_theme(random), _choices(figure)
    slots = [max(76.0, text_width(choice, _SIZE) + 22) for choice in choices]
    labels = [wrap(row, _LABEL, _SIZE) for row in figure.rows]
    heights = [max(50.0, 26.0 * len(words) + 18) for words in labels]
    width = max(WIDTH, round(2 * MARGIN + _LABEL + 16 + sum_in_order(slots)))
    made = sheet(
        figure.title,
        figure.lines,
        theme,
        random,
        width=width,
        room=round(50 + sum_in_order(heights)),
    )
    sketch, (left, top, right, bottom) = made.sketch, made.room
    air = max(0.0, min(22.0, (bottom - top - 50 - sum_in_order(heights)) / len(heights)))
    spare = (right - left - _LABEL - 16 - sum_in_order(slots)) / len(slots)
    slots = [slot + spare for slot in slots]
    middles = [
        left + _LABEL + 16 + sum_in_order(slots[:at]) + slot / 2 for at, slot in enumerate(slots)
    ]
    for middle, choice in zip(middles, choices, strict=True):
        sketch.text(middle, top + 22, choice, _SIZE, theme.quiet, align="middle")
    y = top + 46.0
    round_boxes, pen = random.random() < 0.4, random.choice(_INKS)
    mark = random.choice((_tick, _cross))
    for (row, chosen), words, height in zip(row_lines(figure), labels, heights, strict=True):
        height += air
        sketch.line([(left, y), (right, y)], theme.rule, 1.5)
        for at, each in enumerate(words):
            shift = (at - (len(words) - 1) / 2) * 26
            sketch.text(left, y + height / 2 + shift, each, _SIZE, theme.ink)
        for middle, choice in zip(middles, choices, strict=True):
            _empty(sketch, middle, y + height / 2, round_boxes, theme)
            if choice == chosen:
                mark(sketch, middle, y + height / 2, pen)
                box = (middle - 18, y + height / 2 - 19, middle + 18, y + height / 2 + 18)
                sketch.note(row, box)
        y += height
    sketch.line([(left, y), (right, y)], theme.rule, 1.5)
    read_sheet(sketch, row_lines(figure), figure.lines)
    return sketch


def _choices(figure: Figure) -> list[str]:
    choices = (figure.measure or "").split(CHOICES)
    for row, chosen in row_lines(figure):
        if chosen not in choices:
            raise ValueError(
                f"form {figure.title!r}.{row}: expected one of {', '.join(choices)}, "
                f"got {chosen!r}; name all choices in `measure`, with {CHOICES!r} between"
            )
    return choices


def _empty(sketch: Sketch, x: float, y: float, round_boxes: bool, theme: Theme) -> None:
    box = (x - _BOX, y - _BOX, x + _BOX, y + _BOX)
    if round_boxes:
        sketch.ellipse(box, "#ffffff", theme.ink, 2)
    else:
        sketch.rectangle(box, "#ffffff", theme.ink, 2, 3)


def _tick(sketch: Sketch, x: float, y: float, colour: str) -> None:
    sketch.line([(x - 9, y - 1), (x - 2, y + 8), (x + 14, y - 15)], colour, 4.5)


def _cross(sketch: Sketch, x: float, y: float, colour: str) -> None:
    sketch.line([(x - 10, y - 10), (x + 11, y + 11)], colour, 4.5)
    sketch.line([(x - 11, y + 11), (x + 10, y - 11)], colour, 4.5)

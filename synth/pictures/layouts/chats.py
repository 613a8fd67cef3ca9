"""Chat screens: a message a line, the sender and time above it, one's own on the right."""

from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import heading_of, read_lines, write_heading
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.canvas.fonts import text_width, wrap
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.canvas.themes import pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order

OWN: Final = ("Me", "I", "You")
"""What begins the key of a message of one's own."""
_WIDTH: Final = 560
_HEIGHT: Final = 480
_MARGIN: Final = 24
_WIDEST: Final = 330
_TEXT: Final = 22
_SENDER: Final = 18
_STEP: Final = 29


def chat(figure: Figure, random: Random) -> Sketch:
    """Bubbles below one another; what somebody writes in turn has one side."""
    theme = pick_theme(random)
    heading = heading_of(figure.title, _WIDTH - 150, 25)
    messages = [(key, wrap(text, _WIDEST, _TEXT)) for key, text in figure.lines]
    heights = [42 + _STEP * len(words) for _, words in messages]
    top = 24 + heading.height + 20
    gap = 14
    bottom = max(_HEIGHT, top + sum_in_order(heights) + gap * (len(heights) + 1) + 66)
    sketch = Sketch(_WIDTH, bottom, theme.tint)
    sketch.rectangle((0, 0, _WIDTH, top - 4), theme.accent)
    sketch.ellipse((22, top / 2 - 24, 66, top / 2 + 20), theme.panel)
    sketch.ellipse((36, top / 2 - 16, 52, top / 2), theme.accent)
    sketch.rectangle((30, top / 2 + 2, 58, top / 2 + 14), theme.accent, radius=6)
    write_heading(sketch, heading, 84, 18, "#ffffff")
    radius = random.choice((8, 14, 18))
    y = float(top + gap)
    for (key, words), height in zip(messages, heights, strict=True):
        own = key.split()[0] in OWN
        lines = [text_width(key, _SENDER), *(text_width(each, _TEXT) for each in words)]
        wide = max(lines) + 36
        left = _WIDTH - _MARGIN - wide if own else _MARGIN
        bubble = (left, y, left + wide, y + height)
        sketch.rectangle(bubble, theme.paper if own else theme.panel, theme.rule, 1.5, radius)
        sketch.text(left + 18, y + 19, key, _SENDER, theme.quiet)
        for at, each in enumerate(words):
            sketch.text(left + 18, y + 46 + at * _STEP, each, _TEXT, theme.ink, key=key)
        y += height + gap
    field = (_MARGIN, bottom - 56, _WIDTH - _MARGIN, bottom - 14)
    sketch.rectangle(field, theme.panel, theme.rule, 1.5, 20)
    end = (field[2] - 34, field[1] + 9)
    arrow = [end, (end[0] + 22, end[1] + 12), (end[0], end[1] + 24), (end[0] + 6, end[1] + 12)]
    sketch.polygon(arrow, theme.accent)
    sketch.lines += [figure.title, *read_lines(figure.lines)]
    return sketch

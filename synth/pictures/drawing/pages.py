"""Pages of a document: heading, paragraphs and at most one figure, on one layout for all pages."""

from collections.abc import Callable
from random import Random
from typing import Final

from memassay.synth.pictures.canvas.fields import LEAST, heading_of, write_heading
from memassay.synth.pictures.canvas.figures import Document, Figure, Page
from memassay.synth.pictures.canvas.fonts import fitting_size, wrap
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.canvas.themes import Theme, pick_theme
from memassay.synth.pictures.canvas.totals import sum_in_order

WIDTH: Final = 850
HEIGHT: Final = 1100
_MARGIN: Final = 76
_FOOT: Final = 64
_LEADING: Final = 1.45

Draw = Callable[[Figure, Random], Sketch]


def pages_of(document: Document, random: Random, draw: Draw) -> list[Sketch]:
    """Every page as a sketch; a page that needs more room than usual is longer.

    Args:
        document: What the pages say.
        random: Picks the theme of the document and how each figure looks.
        draw: Makes the sketch of a figure.
    """
    theme = pick_theme(random)
    banner = random.random() < 0.5
    total = len(document.pages)
    return [
        _page(document.title, page, f"Page {number} of {total}", theme, banner, random, draw)
        for number, page in enumerate(document.pages, start=1)
    ]


def _page(
    title: str, page: Page, number: str, theme: Theme, banner: bool, random: Random, draw: Draw
) -> Sketch:
    width = WIDTH - 2 * _MARGIN
    figure = draw(page.figure, random) if page.figure else None
    heading = heading_of(page.heading, width, 34, 29)
    above = 110 + heading.height + 22
    figure_height = figure.height + 30 if figure else 0
    size, paragraphs = _typeset(page, width, HEIGHT - above - figure_height - _FOOT)
    step, gap = size * _LEADING, size * 0.8
    text_height = sum_in_order(len(lines) * step + gap for lines in paragraphs)
    needed = above + text_height + figure_height + _FOOT
    sketch = Sketch(WIDTH, max(HEIGHT, round(needed)), "#ffffff")
    _running_head(sketch, title, theme, banner)
    write_heading(sketch, heading, _MARGIN, 110, theme.accent)
    y = _paragraphs(sketch, paragraphs, above, size, step, gap, theme)
    sketch.lines += [title, page.heading, *page.paragraphs]
    if figure:
        _set_in(sketch, figure, round(y + 10), theme)
    foot = sketch.height - 42
    sketch.text(WIDTH - _MARGIN, foot, number, LEAST, theme.quiet, align="right")
    sketch.lines.append(number)
    return sketch


def _typeset(page: Page, width: float, room: float) -> tuple[int, list[list[str]]]:
    """Paragraphs wrapped at the largest size that fits the room, at least `LEAST`."""
    for size in (22, 21, 20, 19):
        paragraphs = [wrap(text, width, size) for text in page.paragraphs]
        if sum_in_order(len(lines) * size * _LEADING + size * 0.8 for lines in paragraphs) <= room:
            return size, paragraphs
    return LEAST, [wrap(text, width, LEAST) for text in page.paragraphs]


def _running_head(sketch: Sketch, title: str, theme: Theme, banner: bool) -> None:
    if banner:
        sketch.rectangle((0, 0, WIDTH, 76), theme.tint)
        sketch.rectangle((0, 76, WIDTH, 80), theme.accent)
    else:
        sketch.line([(_MARGIN, 74), (WIDTH - _MARGIN, 74)], theme.rule, 2)
        sketch.rectangle((_MARGIN, 71, _MARGIN + 90, 76), theme.accent)
    size = fitting_size([title], WIDTH - 2 * _MARGIN, 20, 14)
    sketch.text(_MARGIN, 44, title, size, theme.quiet)


def _paragraphs(
    sketch: Sketch,
    paragraphs: list[list[str]],
    top: float,
    size: int,
    step: float,
    gap: float,
    theme: Theme,
) -> float:
    for number, lines in enumerate(paragraphs, start=1):
        for words in lines:
            key = f"paragraph {number}"
            sketch.text(_MARGIN, top + step / 2, words, size, theme.ink, key=key)
            top += step
        top += gap
    return top


def _set_in(sketch: Sketch, figure: Sketch, top: int, theme: Theme) -> None:
    """Set a figure in, framed, with its boxes; its title is that of the figure, not the page."""
    left = (WIDTH - figure.width) // 2
    sketch.place(figure, left, top)
    frame = (left - 1, top - 1, left + figure.width + 1, top + figure.height + 1)
    sketch.rectangle(frame, None, theme.rule, 1.5)
    for key, (x, y, right, bottom) in figure.boxes.items():
        name = "figure title" if key == "title" else key
        sketch.note(name, (left + x, top + y, left + right, top + bottom))
    sketch.lines += figure.lines

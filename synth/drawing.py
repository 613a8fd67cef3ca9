"""Draws figures and documents: the same figure and random state give the same bytes."""

from collections.abc import Callable
from random import Random
from typing import Final

from memassay.synth.drawing_bars import bar_chart
from memassay.synth.drawing_lines import line_chart
from memassay.synth.drawing_pages import pages_of
from memassay.synth.drawing_panels import PANELS
from memassay.synth.drawing_pdf import pdf_of
from memassay.synth.drawing_pixels import painted
from memassay.synth.drawing_plans import plan
from memassay.synth.drawing_receipts import receipt
from memassay.synth.drawing_scenes import scene
from memassay.synth.drawing_sketch import Sketch
from memassay.synth.drawing_tables import table, timetable
from memassay.synth.figures import Document, Drawing, DrawnDocument, Figure

RENDERERS: Final[dict[str, Callable[[Figure, Random], Sketch]]] = {
    "bar_chart": bar_chart,
    "line_chart": line_chart,
    "table": table,
    "timetable": timetable,
    "receipt": receipt,
    "plan": plan,
    "scene": scene,
    **PANELS,
}
"""What draws a figure, by its kind."""


def draw(figure: Figure, random: Random) -> Drawing:
    """Draw a figure as a palette PNG near 640 x 480 pixels; long contents make it larger.

    Args:
        figure: What it shows.
        random: Picks colours and layout.

    Raises:
        ValueError: The figure cannot be drawn: an unknown kind, a chart's cell without a number,
            a scene's unknown object, a letter that the font lacks.
    """
    return painted(_sketch(figure, random))


def draw_document(document: Document, random: Random) -> DrawnDocument:
    """Draw the pages of a document, 850 x 1100 pixels each, and the PDF that holds them.

    Args:
        document: What it says.
        random: Picks colours and layout.

    Raises:
        ValueError: As for `draw`.
    """
    pages = pages_of(document, random, _sketch)
    return DrawnDocument(
        pdf=pdf_of(document.title, pages), pages=tuple(painted(page) for page in pages)
    )


def _sketch(figure: Figure, random: Random) -> Sketch:
    if figure.kind not in RENDERERS:
        raise ValueError(
            f"figure {figure.title!r}.kind: expected one of {', '.join(RENDERERS)}, "
            f"got {figure.kind!r}"
        )
    return RENDERERS[figure.kind](figure, random)

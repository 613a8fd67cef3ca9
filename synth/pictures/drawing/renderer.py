"""Draws figures and documents: the same figure and random state give the same bytes."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from memassay.schemas.contracts.blobs import BlobStore, NoBytes
from memassay.schemas.records.asset import Availability, stored_fields
from memassay.schemas.values.pixels import take_in
from memassay.synth.pictures.canvas.figures import Document, Drawing, DrawnDocument, Figure
from memassay.synth.pictures.canvas.pdf import pdf_of
from memassay.synth.pictures.canvas.pixels import paint
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.classes.families import EXEMPLAR, RECOLOURED, exemplar
from memassay.synth.pictures.drawing.bars import bar_chart
from memassay.synth.pictures.drawing.lines import line_chart
from memassay.synth.pictures.drawing.pages import pages_of
from memassay.synth.pictures.drawing.panels import PANELS
from memassay.synth.pictures.drawing.plans import plan
from memassay.synth.pictures.drawing.receipts import receipt
from memassay.synth.pictures.drawing.scenes import scene
from memassay.synth.pictures.drawing.tables import table, timetable
from memassay.synth.pictures.layouts.kinds import LAYOUTS

RENDERERS: Final[dict[str, Callable[[Figure, Random], Sketch]]] = {
    "bar_chart": bar_chart,
    "line_chart": line_chart,
    "table": table,
    "timetable": timetable,
    "receipt": receipt,
    "plan": plan,
    "scene": scene,
    **PANELS,
    **LAYOUTS,
}
"""What draws a figure of printed facts, by its kind."""
_EVERY: Final = {**RENDERERS, EXEMPLAR: exemplar, RECOLOURED: exemplar}


def draw(figure: Figure, random: Random) -> Drawing:
    """Draw a figure as a palette PNG near 640 x 480 pixels; long contents make it larger.

    Args:
        figure: What it shows.
        random: Picks colours and layout.

    Raises:
        ValueError: The figure cannot be drawn: an unknown kind, a chart's cell without a number,
            a scene's unknown object, a letter that the font lacks.
    """
    return paint(sketch_of(figure, random))


def draw_document(document: Document, random: Random) -> DrawnDocument:
    """Draw the pages of a document, 850 x 1100 pixels each, and the PDF that holds them.

    Args:
        document: What it says.
        random: Picks colours and layout.

    Raises:
        ValueError: As for `draw`.
    """
    pages = pages_of(document, random, sketch_of)
    return DrawnDocument(
        write=lambda: pdf_of(document.title, pages),
        pages=tuple(paint(page) for page in pages),
    )


def sketch_of(figure: Figure, random: Random) -> Sketch:
    """A figure as shapes and texts.

    Raises:
        ValueError: As for `draw`.
    """
    if figure.kind not in _EVERY:
        raise ValueError(
            f"figure {figure.title!r}.kind: expected one of {', '.join(_EVERY)}, "
            f"got {figure.kind!r}"
        )
    return _EVERY[figure.kind](figure, random)


def painted_into(blobs: BlobStore, drawing: Drawing) -> dict[str, Any]:
    """The fields of an asset that a picture gives, its bytes in the store.

    For a store that keeps none nothing is painted, and they are left open.
    """
    if isinstance(blobs, NoBytes):
        return {"availability": Availability.PRESENT}
    picture = take_in(drawing.png)
    return stored_fields(picture, blobs.put(picture.data))


def written_into(blobs: BlobStore, document: DrawnDocument) -> dict[str, Any]:
    """The same of a document."""
    if isinstance(blobs, NoBytes):
        return {"availability": Availability.PRESENT}
    return {
        "availability": Availability.PRESENT,
        "blob_sha256": blobs.put(document.pdf),
        "media_type": "application/pdf",
    }

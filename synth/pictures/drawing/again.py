"""Draws images again from what their assets say they were drawn from."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from memassay.schemas.contracts.drawings import Redrawn, RedrawnDocument
from memassay.schemas.hashing import sha256
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.drawn import Drawn, DrawnFigure, DrawnPage
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.synth.pictures.canvas.figures import Document, Figure, Page
from memassay.synth.pictures.canvas.fonts import FILES
from memassay.synth.pictures.canvas.pdf import pdf_of
from memassay.synth.pictures.canvas.pixels import image_of
from memassay.synth.pictures.canvas.sketch import Sketch
from memassay.synth.pictures.drawing.pages import pages_of
from memassay.synth.pictures.drawing.renderer import sketch_of

VERSION: Final = "1"
"""Of the renderers: raised when the same figure and seed path give other pixels."""

_RENDERERS: Final = "renderers"
_LARGEST: Final = 8_000_000
"""Pixels of an image that nobody draws: pages of the longest documents have a fifth of them."""
_REFUSED: Final = (ValueError, ArithmeticError, LookupError, TypeError)
"""What renderers run into with figures that none of our paths made."""


@cache
def document_libraries() -> dict[str, str]:
    """What the file of a document depends on."""
    from reportlab import __version__

    return {**libraries(), "reportlab": __version__}


@cache
def libraries() -> dict[str, str]:
    """What pixels depend on beside figure and seed path."""
    from PIL import __version__

    fonts = sha256(b"".join(FILES[bold].read_bytes() for bold in sorted(FILES)))
    return {_RENDERERS: VERSION, "pillow": __version__, "fonts": fonts[:16]}


def drawn_figure(figure: Figure) -> DrawnFigure:
    """A figure as a record says it."""
    return DrawnFigure(
        kind=figure.kind,
        title=figure.title,
        measure=figure.measure,
        unit=figure.unit,
        rows=list(figure.rows),
        columns=list(figure.columns),
        cells=[list(row) for row in figure.cells],
        lines=[list(line) for line in figure.lines],
    )


def redraw(bundle: Bundle) -> dict[str, Redrawn | RedrawnDocument | str]:
    """By asset, images and documents of a conversation made again, or why one cannot be."""
    found: dict[str, Redrawn | RedrawnDocument | str] = {}
    for asset in bundle.assets:
        if asset.drawn is None:
            continue
        shown = [each for each in bundle.assets if each.parent == asset.id and each.page]
        wanted = {each.page or 1: each.id for each in shown}
        if asset.drawn.figure is not None:
            wanted = {1: asset.id}
        try:
            found |= _again(asset.id, asset.drawn, wanted)
        except _REFUSED as error:
            reason = str(error) or type(error).__name__
            found |= dict.fromkeys([asset.id, *wanted.values()], reason)
    return found


def _again(
    name: str, drawn: Drawn, wanted: Mapping[int, str]
) -> Iterator[tuple[str, Redrawn | RedrawnDocument]]:
    """The wanted images of an asset by their ids, and the file of a document by its own.

    Raises:
        ValueError: They cannot be drawn, or only by other renderers.
    """
    renderers = drawn.libraries.get(_RENDERERS)
    if renderers != VERSION:
        raise ValueError(f"its renderers are of version {renderers}, those here of {VERSION}")
    random = KeyedRandom(tuple(drawn.seed_path))
    if drawn.figure is not None:
        sketches = [sketch_of(_figure(drawn.figure), random)]
    else:
        pages = tuple(map(_page, drawn.pages))
        sketches = pages_of(Document(drawn.title or "", pages), random, sketch_of)
        if drawn.libraries == document_libraries():
            yield name, RedrawnDocument(sha256(pdf_of(drawn.title or "", sketches)))
    alike = libraries().items() <= drawn.libraries.items()
    for number, sketch in enumerate(sketches, start=1):
        if number in wanted:
            yield wanted[number], _redrawn(sketch, alike)


def _redrawn(sketch: Sketch, alike: bool) -> Redrawn:
    if sketch.width * sketch.height > _LARGEST:
        raise ValueError(f"it would have {sketch.width} x {sketch.height} pixels")
    return Redrawn(
        image=image_of(sketch),
        boxes=sketch.pixel_boxes(),
        transcription="\n".join(sketch.lines),
        alike=alike,
    )


def _page(said: DrawnPage) -> Page:
    figure = _figure(said.figure) if said.figure else None
    return Page(said.heading, tuple(said.paragraphs), figure)


def _figure(said: DrawnFigure) -> Figure:
    return Figure(
        kind=said.kind,
        title=said.title,
        measure=said.measure,
        unit=said.unit,
        rows=tuple(said.rows),
        columns=tuple(said.columns),
        cells=tuple(map(tuple, said.cells)),
        lines=tuple((key, text) for key, text in said.lines),
    )

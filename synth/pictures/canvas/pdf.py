"""From the sketches of pages to one PDF with real text; no date, no random identifier.

reportlab (BSD licence) writes the same shapes and texts as the page images, with the same font,
so that both show the same and the text can be searched and copied.
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memassay.synth.pictures.canvas.fonts import FILES
from memassay.synth.pictures.canvas.sketch import Shape, Sketch, Text

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_POINTS: Final = 0.72
"""Points for each pixel: 850 x 1100 pixels are a page of 8.5 x 11 inches."""
_NAMES: Final = {False: "OpenSans", True: "OpenSans-Bold"}


def pdf_of(title: str, pages: Sequence[Sketch]) -> bytes:
    """A PDF with one page for each sketch, byte for byte the same for the same sketches."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    for bold, name in _NAMES.items():
        registerFont(TTFont(name, str(FILES[bold])))
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    for page in pages:
        canvas.setPageSize((page.width * _POINTS, page.height * _POINTS))
        # From here on in pixels from the top left, as in the sketch.
        canvas.translate(0, page.height * _POINTS)
        canvas.scale(_POINTS, _POINTS)
        canvas.setFillColor(page.paper)
        canvas.rect(0, -page.height, page.width, page.height, stroke=0, fill=1)
        for shape in page.shapes:
            _draw(canvas, shape)
        for text in page.texts:
            _write(canvas, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _write(canvas: "Canvas", text: Text) -> None:
    canvas.setFillColor(text.colour)
    canvas.setFont(_NAMES[text.bold], text.size)
    canvas.drawString(text.x, -text.y, text.words)


def _draw(canvas: "Canvas", shape: Shape) -> None:
    points = [(x, -y) for x, y in shape.points]
    if shape.fill:
        canvas.setFillColor(shape.fill)
    if shape.edge:
        canvas.setStrokeColor(shape.edge)
        canvas.setLineWidth(shape.width)
    painted = {"stroke": int(bool(shape.edge)), "fill": int(bool(shape.fill))}
    if shape.form in ("line", "polygon"):
        path = canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        canvas.drawPath(path, **painted)
        return
    # Pillow draws an outline within the corners, PDF draws half of it outside.
    inset = shape.width / 2 if shape.edge else 0
    (left, top), (right, bottom) = points
    left, top, right, bottom = left + inset, top - inset, right - inset, bottom + inset
    if shape.form == "ellipse":
        canvas.ellipse(left, bottom, right, top, **painted)
    else:
        radius = max(0, shape.radius - inset)
        canvas.roundRect(left, bottom, right - left, top - bottom, radius, **painted)

"""From a sketch to a palette PNG.

Shapes are drawn at twice the size and halved, which smooths edges; text is drawn at its final
size, which keeps it crisp. The palette holds the most frequent colours exactly.
"""

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memassay.synth.pictures.canvas.figures import Drawing
from memassay.synth.pictures.canvas.fonts import font
from memassay.synth.pictures.canvas.sketch import Box, Shape, Sketch

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_SCALE: Final = 2
_COLOURS: Final = 128


def paint(sketch: Sketch) -> Drawing:
    """The sketch as a picture with boxes and transcription."""
    return Drawing(
        paint=lambda: _encode(sketch),
        width=sketch.width,
        height=sketch.height,
        boxes=sketch.pixel_boxes(),
        transcription="\n".join(sketch.lines),
    )


def _encode(sketch: Sketch) -> bytes:
    buffer = io.BytesIO()
    image_of(sketch).save(buffer, "PNG")
    return buffer.getvalue()


def image_of(sketch: Sketch) -> "Image":
    """The pixels of a sketch, with a palette."""
    return _with_palette(_pixels(sketch))


def _pixels(sketch: Sketch) -> "Image":
    from PIL import Image, ImageDraw

    large = Image.new("RGB", (sketch.width * _SCALE, sketch.height * _SCALE), sketch.paper)
    pen = ImageDraw.Draw(large)
    for shape in sketch.shapes:
        _draw(pen, shape)
    image = large.reduce(_SCALE)
    pen = ImageDraw.Draw(image)
    for text in sketch.texts:
        face = font(text.size, text.bold)
        pen.text((text.x, text.y), text.words, font=face, fill=text.colour, anchor="ls")
    return image


def _draw(pen: "ImageDraw", shape: Shape) -> None:
    points = [(x * _SCALE, y * _SCALE) for x, y in shape.points]
    width = max(1, round(shape.width * _SCALE))
    if shape.form == "line":
        pen.line(points, fill=shape.edge, width=width, joint="curve")
    elif shape.form == "polygon":
        pen.polygon(points, fill=shape.fill)
    else:
        (left, top), (right, bottom) = points
        # Pillow counts the last pixel in.
        box = (left, top, max(left, right - 1), max(top, bottom - 1))
        if shape.form == "ellipse":
            pen.ellipse(box, fill=shape.fill, outline=shape.edge, width=width)
        elif shape.radius:
            radius = shape.radius * _SCALE
            pen.rounded_rectangle(box, radius, fill=shape.fill, outline=shape.edge, width=width)
        else:
            pen.rectangle(box, fill=shape.fill, outline=shape.edge, width=width)


def visible_part(
    sketch: Sketch, shapes: Sequence[Shape], before: Sequence[Shape]
) -> tuple[Box | None, float]:
    """Where shapes can be seen behind others, and which share of them can.

    Args:
        sketch: The picture whose size they fit.
        shapes: The shapes.
        before: What is in front of them.
    """
    from PIL import Image, ImageDraw

    mask = Image.new("1", (sketch.width * _SCALE, sketch.height * _SCALE))
    pen = ImageDraw.Draw(mask)
    for shape in shapes:
        _draw(pen, _plain(shape, 1))
    whole = mask.histogram()[255]
    for shape in before:
        _draw(pen, _plain(shape, 0))
    box = mask.getbbox()
    if box is None:
        return None, 0.0
    left, top, right, bottom = (edge / _SCALE for edge in box)
    return (left, top, right, bottom), mask.histogram()[255] / whole


def _plain(shape: Shape, colour: int) -> Shape:
    """A shape in black (0) or white (1)."""
    ink = "#ffffff" if colour else "#000000"
    return replace(shape, fill=ink if shape.fill else None, edge=ink if shape.edge else None)


def _with_palette(image: "Image") -> "Image":
    from PIL import Image

    counted = image.getcolors(image.width * image.height) or []
    common = sorted(((-count, colour) for count, colour in counted))[:_COLOURS]
    palette = Image.new("P", (1, 1))
    channels = [channel for _, colour in common for channel in _rgb(colour)]
    # Pillow fills a short palette with black, which would attract dark pixels: repeat instead.
    palette.putpalette(channels + list(_rgb(common[0][1])) * (256 - len(common)))
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def _rgb(colour: float | tuple[int, ...]) -> tuple[int, ...]:
    assert isinstance(colour, tuple)
    return colour

"""A drawn image that is not what its facts would draw, or is not said to be, is found."""

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageOps
from support.drawn_cases import FIGURE, KEY, changed, receipt, shown
from support.fixtures import Scene

from memassay.schemas.hashing import sha256
from memassay.schemas.values.keyed_random import keyed_random
from memassay.schemas.values.pixels import take_in
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.drawing.again import drawn_figure, libraries
from memassay.synth.pictures.drawing.renderer import draw
from memassay.validators.check import RULES, check

DRAWN = [rule for rule in RULES if rule.id.startswith("drawn.")]
OTHER = {**libraries(), "pillow": "9.0.0"}


def _found(of: Scene) -> set[str]:
    return {each.rule for each in check(of.bundles, of.context, DRAWN)}


def _with_pixels(data: bytes, **more: Any) -> Scene:
    """The receipt with other bytes, every measure of them brought into step."""
    seen = take_in(data)
    names = ("pixel_sha256", "perceptual_hash", "width", "height")
    measures = {name: getattr(seen, name) for name in names}
    return shown(data=data, blob_sha256=sha256(data), **measures, **more)


def _png(change: Callable[[Image.Image], Image.Image]) -> bytes:
    image = Image.open(io.BytesIO(receipt()[3])).convert("RGB")
    buffer = io.BytesIO()
    change(image).save(buffer, "PNG")
    return buffer.getvalue()


def _painted_over(image: Image.Image) -> Image.Image:
    """One digit of a price is another one, in the paper's colour and the same size."""
    left, top, right, bottom = receipt()[2][1].box or []
    pen = ImageDraw.Draw(image)
    pen.rectangle((left, top, right, bottom), fill=image.getpixel((left, top)))
    pen.text((left, top), "39.50 EUR", fill="black")
    return image


def _cut(image: Image.Image) -> Image.Image:
    """The last row is covered by paper."""
    box = receipt()[2][-1].box or []
    image.paste(image.getpixel((box[0], box[1])), (0, box[1], image.width, box[3]))
    return image


@pytest.mark.parametrize(
    "change",
    [
        ImageOps.mirror,
        ImageOps.flip,
        _painted_over,
        _cut,
        lambda image: image.filter(ImageFilter.GaussianBlur(6)),
        lambda image: image.resize((48, 36)),
        lambda image: Image.new("RGB", image.size, "white"),
        lambda image: image.crop((0, 0, image.width, image.height // 2)),
    ],
    ids=["mirrored", "flipped", "painted", "row", "blurred", "small", "blank", "cropped"],
)
@pytest.mark.parametrize("drawn_with", [libraries(), OTHER], ids=["same", "other"])
def test_changed_pixels_are_found(
    change: Callable[[Image.Image], Image.Image], drawn_with: dict[str, str]
) -> None:
    """Whichever libraries drew it: what a reader would see differently is found."""
    of = _with_pixels(_png(change), noted={"libraries": drawn_with})
    assert _found(of) == {"drawn.pixels"}


def test_other_libraries_may_smooth_an_edge_differently() -> None:
    """What nobody sees is an error only where the very same pixels should come out."""
    soft = _png(lambda image: image.filter(ImageFilter.GaussianBlur(0.4)))
    assert _found(_with_pixels(soft, noted={"libraries": OTHER})) == set()
    assert _found(_with_pixels(soft)) == {"drawn.pixels"}


def _forged(figure: Figure, **noted: Any) -> Scene:
    """Pixels, transcription and figure changed together; the ledger is left alone."""
    drawing = draw(figure, keyed_random(*KEY))
    return _with_pixels(
        drawing.png,
        transcription=drawing.transcription,
        noted={"figure": drawn_figure(figure), **noted},
    )


@pytest.mark.parametrize(
    "figure",
    [
        replace(FIGURE, cells=(("35.10 EUR",), ("8.20 EUR",))),
        replace(FIGURE, cells=(("31.50 USD",), ("8.20 EUR",))),
        replace(FIGURE, cells=(("8.20 EUR",), ("31.50 EUR",))),
        replace(FIGURE, rows=("Wax", "Frames")),
        replace(FIGURE, rows=("Frames",), cells=(("31.50 EUR",),)),
        replace(FIGURE, title="Bee Suppliers Ltd"[:-4]),
        replace(FIGURE, lines=(("Total", "40.70 EUR"),)),
    ],
    ids=["number", "unit", "exchanged", "labels", "row-left-out", "title", "total"],
)
def test_a_figure_that_is_not_the_ledgers_is_found(figure: Figure) -> None:
    """Also where image, transcription and what it was drawn from agree with each other."""
    assert "drawn.facts" in _found(_forged(figure))


def test_numbers_of_a_chart_are_in_its_unit() -> None:
    """A unit in the heading of an axis that is not that of the facts is found."""
    assert "drawn.facts" in _found(_forged(replace(FIGURE, unit="USD")))


def test_a_mention_of_what_is_not_shown_is_found() -> None:
    """Its fact is printed nowhere at its box."""
    _, facts, mentions, _ = receipt()
    stray = facts[0].model_copy(update={"id": "talk/F9", "subject": "Ann"})
    fact = stray.model_copy(
        update={"value": stray.value.model_copy(update={"text": "a swarm of wasps"})}
    )
    mention = mentions[1].model_copy(update={"id": "talk/M9", "fact": "talk/F9"})
    assert _found(changed(facts=[*facts, fact], mentions=[*mentions, mention])) == {"drawn.boxes"}


def test_a_person_may_note_what_else_is_shown() -> None:
    """A mention of another fact is right where its value is printed."""
    _, facts, mentions, _ = receipt()
    fact = facts[1].model_copy(update={"id": "talk/F9", "subject": "Ann", "attribute": "paid"})
    mention = mentions[1].model_copy(update={"id": "talk/M9", "fact": "talk/F9"})
    assert _found(changed(facts=[*facts, fact], mentions=[*mentions, mention])) == set()


def test_an_image_that_cannot_be_drawn_is_named_and_stops_nothing() -> None:
    """Rows without cells, letters that no font has, a kind that is none."""
    for figure in (
        replace(FIGURE, kind="hologram"),
        replace(FIGURE, title="蜂"),
        replace(FIGURE, kind="bar_chart", rows=(), cells=()),
    ):
        assert "drawn.again" in _found(shown(noted={"figure": drawn_figure(figure)}))


def test_one_image_without_its_figure_beside_others_is_found() -> None:
    """To strike what it was drawn from is no way round."""
    of = shown()
    (bundle,) = of.bundles
    bare = bundle.assets[0].model_copy(update={"id": "talk/A2", "drawn": None})
    both = bundle.model_copy(update={"assets": [*bundle.assets, bare]})
    assert "drawn.recorded" in _found(replace(of, bundles=[both]))


def test_each_image_is_drawn_once() -> None:
    """However many rules and questions look at it."""
    of, asked = shown(), []
    redraw = of.context.redraw
    assert redraw is not None
    context = replace(of.context, redraw=lambda bundle: asked.append(bundle) or redraw(bundle))
    check(of.bundles, context, DRAWN)
    assert len(asked) == 1

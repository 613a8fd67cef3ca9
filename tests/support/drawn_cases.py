"""A good and a bad fixture for each rule on images that were drawn from facts."""

from dataclasses import replace
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.hashing import sha256
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.drawn import Drawn, DrawnPage
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.pictures.canvas.figures import Document, Figure, Page
from memassay.synth.pictures.drawing.again import (
    document_libraries,
    drawn_figure,
    libraries,
    redraw,
)
from memassay.synth.pictures.drawing.renderer import draw, draw_document
from support.fixtures import TALK, Blobs, Case, Scene, asset, fact, mention, pictured, scene

CAPTION: Final = "Receipt: what the hives cost"
SUBJECT: Final = "image:hives.bill"
KEY: Final = ("7", "dialogue", TALK, "picture", "hives", "bill")
PRICES: Final = {"Frames": "31.50", "Wax": "8.20"}
FIGURE: Final = Figure(
    kind="receipt",
    title="Bee Supplies",
    rows=tuple(PRICES),
    cells=tuple((f"{price} EUR",) for price in PRICES.values()),
    lines=(("Total", "39.70 EUR"),),
)


def _facts() -> list[Fact]:
    title = fact("F1", "Bee Supplies", subject=SUBJECT, attribute="depicts")
    prices = {**PRICES, "Total": "39.70"}
    return [
        title,
        *(
            fact(f"F{at}", subject=SUBJECT, attribute=key).model_copy(
                update={"value": FactValue(type=ValueType.NUMBER, text=price, unit="EUR")}
            )
            for at, (key, price) in enumerate(prices.items(), start=2)
        ),
    ]


def receipt(**changes: Any) -> tuple[Asset, list[Fact], list[Mention], bytes]:
    """A receipt drawn from four facts; with changes to what is noted of it."""
    drawing = draw(FIGURE, keyed_random(*KEY))
    facts = _facts()
    keys = {each.id: "title" if at == 0 else each.attribute for at, each in enumerate(facts)}
    noted: dict[str, Any] = {
        "seed_path": list(KEY),
        "libraries": libraries(),
        "about": CAPTION,
        "figure": drawn_figure(FIGURE),
        "facts": {key: [name] for name, key in keys.items()},
    }
    image = asset(
        data=drawing.png,
        origin="rendered:receipt",
        transcription=drawing.transcription,
        drawn=Drawn(**{**noted, **changes}),
    )
    mentions = [
        mention(
            f"M{at}",
            f"F{at}",
            attachment="D1:IMG_001",
            asset=image.id,
            box=list(drawing.boxes[keys[each.id]]),
            modality=Modality.IMAGE,
        )
        for at, each in enumerate(facts, start=1)
    ]
    return image, facts, mentions, drawing.png


def shown(caption: str = CAPTION, data: bytes | None = None, **more: Any) -> Scene:
    """The receipt in a history; with changes to its asset, its bytes or what it was drawn from."""
    image, facts, mentions, png = receipt(**more.pop("noted", {}))
    image = image.model_copy(update=more)
    records = [image, *facts, *mentions]
    of = scene(*records, sessions=pictured(caption=caption), blobs=Blobs(png, data or b""))
    return replace(of, context=replace(of.context, redraw=redraw))


def paper(**more: Any) -> Scene:
    """A document of one page, of which the file is there."""
    page = Page("Hives", ("There are seven.",))
    written = draw_document(Document("On bees", (page,)), keyed_random(*KEY))
    blobs = Blobs(written.pdf, b"%PDF-1.7 of another")
    drawn = Drawn(
        seed_path=list(KEY),
        libraries=document_libraries(),
        title="On bees",
        pages=[DrawnPage(heading=page.heading, paragraphs=list(page.paragraphs))],
    )
    fields: dict[str, Any] = {
        "availability": Availability.PRESENT,
        "blob_sha256": sha256(written.pdf),
        "media_type": "application/pdf",
        "origin": "rendered:document",
        "drawn": drawn,
    }
    of = scene(asset(**{**fields, **more}), blobs=blobs)
    return replace(of, context=replace(of.context, redraw=redraw))


def changed(**lists: Any) -> Scene:
    """The receipt in a history of which some lists of records are replaced."""
    of = shown()
    bundles: list[Bundle] = [each.model_copy(update=lists) for each in of.bundles]
    return replace(of, bundles=bundles)


def _swapped() -> list[Mention]:
    first, second, *rest = receipt()[2]
    return [
        first.model_copy(update={"box": second.box}),
        second.model_copy(update={"box": first.box}),
        *rest,
    ]


CASES: Final = {
    "drawn.unrecorded": Case(bad=lambda: shown(drawn=None), good=shown),
    "drawn.recorded": Case(bad=lambda: shown(origin="rendered:plan"), good=shown),
    "drawn.again": Case(
        bad=lambda: shown(noted={"libraries": {**libraries(), "renderers": "0"}}), good=shown
    ),
    "drawn.pixels": Case(bad=lambda: shown(pixel_sha256="0" * 64), good=shown),
    "drawn.document": Case(
        bad=lambda: paper(blob_sha256=sha256(b"%PDF-1.7 of another")), good=paper
    ),
    "drawn.transcription": Case(bad=lambda: shown(transcription="Frames 315 EUR"), good=shown),
    "drawn.boxes": Case(bad=lambda: changed(mentions=_swapped()), good=shown),
    "drawn.facts": Case(bad=lambda: changed(facts=_facts()[:-1]), good=shown),
    "drawn.mentions": Case(bad=lambda: changed(mentions=receipt()[2][:-1]), good=shown),
    "drawn.about": Case(bad=lambda: shown("Receipt: wood for a shed"), good=shown),
}

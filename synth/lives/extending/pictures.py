"""Pictures of extension sessions, drawn from their facts."""

from collections.abc import Mapping

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.synth.lives.extending.arcs import ArcImage
from memassay.synth.pictures.canvas.figures import Drawing, Figure
from memassay.synth.pictures.drawing.rendered import rendered_asset
from memassay.synth.pictures.drawing.renderer import draw


def picture(
    name: str, image: ArcImage, facts: Mapping[str, Fact], blobs: BlobStore, random: KeyedRandom
) -> tuple[Asset, Drawing]:
    """The asset of an image, whose bytes go into the store, and where everything is in it.

    Args:
        name: Id of the asset.
        image: What it shows.
        facts: Facts by slot.
        blobs: Where its bytes go.
        random: Picks its looks.
    """
    said = {key: spoken_value(facts[slot].value) for key, slot in image.lines.items()}
    in_rows = image.kind == "receipt"
    figure = Figure(
        kind=image.kind,
        title=image.title,
        rows=tuple(said) if in_rows else (),
        cells=tuple((text,) for text in said.values()) if in_rows else (),
        lines=() if in_rows else tuple(said.items()),
    )
    drawing = draw(figure, random)
    read = {key: facts[slot].id for key, slot in image.lines.items()}
    return rendered_asset(name, figure, drawing, random, caption_of(image), read, blobs), drawing


def caption_of(image: ArcImage) -> str:
    """What the picture is, never what can be read in it."""
    return f"{image.kind.capitalize()}: {image.about}"

"""Pictures of what people talk about, as assets: what each shows is in the ledger."""

from collections.abc import Sequence
from typing import Final

from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.drawings import Box
from memassay.schemas.records.asset import Asset, stored_fields
from memassay.schemas.values.pixels import take_in
from memassay.synth.concepts.library import ConceptImage

FAMILY: Final = "family"
"""Attribute of what a subject is, which its pictures alone show."""
LOOK: Final = "look"
"""Attribute of what tells a subject's pictures from those of others."""


def taken_in(
    image: ConceptImage, name: str, licence: str, blobs: BlobStore, facts: Sequence[str]
) -> tuple[Asset, Box]:
    """The asset of a picture, whose bytes go into the store, and where in it the thing is.

    Args:
        image: The picture.
        name: Id of the asset.
        licence: SPDX identifier.
        blobs: Where the bytes go.
        facts: Ids of the facts that it shows.

    Raises:
        PixelError: Its bytes are no whole image.
    """
    picture = take_in(image.read())
    asset = Asset(
        id=name,
        **stored_fields(picture, blobs.put(picture.data)),
        uri=image.name,
        licence=licence,
        origin="import",
    )
    if image.looks is None:
        return asset, (0, 0, picture.width, picture.height)
    drawn, box = image.looks()
    figure = drawn.figure
    read = {row: list(facts) for row in figure.rows} if figure is not None else {}
    noted = {
        "origin": f"rendered:{figure.kind if figure is not None else ''}",
        # Nothing is printed in it.
        "transcription": "",
        "drawn": drawn.model_copy(update={"facts": read}),
    }
    return asset.model_copy(update=noted), box

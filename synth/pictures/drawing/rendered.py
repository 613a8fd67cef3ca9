"""The record of a figure that was drawn: its pixels in the store, and how to draw it again."""

from collections.abc import Mapping
from typing import Final

from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.drawn import Drawn
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.synth.pictures.canvas.figures import Drawing, Figure
from memassay.synth.pictures.drawing.again import drawn_figure, libraries
from memassay.synth.pictures.drawing.renderer import painted_into

LICENCE: Final = "CC0-1.0"
"""Of every picture that we draw."""


def rendered_asset(
    name: str,
    figure: Figure,
    drawing: Drawing,
    random: KeyedRandom,
    about: str,
    facts: Mapping[str, str],
    blobs: BlobStore,
) -> Asset:
    """The asset of a drawn figure.

    Args:
        name: Id of the asset.
        figure: What was drawn.
        drawing: The picture.
        random: What picked its looks.
        about: What it is, never what can be read in it.
        facts: Id of the fact by key of the figure.
        blobs: Where its bytes go.
    """
    return Asset(
        id=name,
        **painted_into(blobs, drawing),
        transcription=drawing.transcription,
        licence=LICENCE,
        origin=f"rendered:{figure.kind}",
        drawn=Drawn(
            seed_path=list(random.key),
            libraries=libraries(),
            about=about,
            figure=drawn_figure(figure),
            facts={key: [fact] for key, fact in facts.items()},
        ),
    )

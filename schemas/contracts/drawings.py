"""Drawing an image again: what rules may ask for, and what they are given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from memassay.schemas.records.bundle import Bundle

if TYPE_CHECKING:
    from PIL.Image import Image

Box: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True)
class Redrawn:
    """An image drawn again from what its asset says it was drawn from.

    Attributes:
        image: Its pixels.
        boxes: Left, top, right, bottom in pixels by key.
        transcription: Everything that can be read in it, line by line.
        alike: Whether the libraries are those it was drawn with, so that every pixel is the same.
    """

    image: "Image"
    boxes: Mapping[str, Box]
    transcription: str
    alike: bool


@dataclass(frozen=True)
class RedrawnDocument:
    """The file of a document written again, by the libraries that wrote it."""

    sha256: str


Redraw = Callable[[Bundle], Mapping[str, Redrawn | RedrawnDocument | str]]
"""By asset, images and documents of a conversation made again, or why one cannot be. Left out are
those of which nobody noted what they were drawn from, and documents that other libraries wrote."""

"""What a model's guest sessions are held against, and what is wrong with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from memassay.schemas.values.text import is_blank

_SHOWN: Final = 60
"""Characters of a text that a message quotes."""


@dataclass(frozen=True)
class Brief:
    """What a model was asked for.

    Attributes:
        concepts: Ids of the images of each concept, by its name.
        speakers: Names of the two who talk.
        dates: `When` of each session.
        wanted: Questions of each category.
    """

    concepts: Mapping[str, Sequence[str]]
    speakers: tuple[str, str]
    dates: Sequence[str]
    wanted: Mapping[str, int]

    @property
    def shows(self) -> dict[str, str]:
        """Name of the concept of each image, by the image's id."""
        return {image: name for name, images in self.concepts.items() for image in images}


class Problem(NamedTuple):
    """Something that is not as it was asked for.

    Attributes:
        part: Number of the session or question, from 1.
        said: What is wrong, for the model that mends it and for people.
        is_lost: Whether no record can be made of it.
    """

    part: int
    said: str
    is_lost: bool = False


def quote_start(text: str) -> str:
    """The beginning of a text, as messages quote it."""
    plain = text if is_blank(text) else " ".join(text.split())
    return repr(plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…")


def without(part: object, known: str) -> str:
    """Names of what a part of a reply has and should not; empty if there is nothing."""
    extra = getattr(part, "model_extra", None) or {}
    names = ", ".join(repr(name) for name in extra)
    return f"expected {known} alone, got also {names}" if extra else ""

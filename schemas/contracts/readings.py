"""What a model that reads an item replies, and what rules get to know of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, Field


class ReaderVerdict(StrEnum):
    """What a reader thinks of an item."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSURE = "unsure"


class DefectKind(StrEnum):
    """What a reader finds wrong with an item."""

    CONTRADICTED = "gold contradicted"
    NOT_SAID = "gold not said"
    OTHER_PERSON = "gold of another person"
    OTHER_TIME = "gold of another time or occasion"
    INCOMPLETE = "gold incomplete"
    TOO_MUCH = "gold has too much"
    TOO_BROAD = "gold too broad"
    FORM = "wrong form"
    ASKS_ELSE = "question asks something else"
    PRESUPPOSES = "question presupposes what did not happen"
    SEVERAL = "several answers fit"
    UNSUPPORTED = "evidence does not hold it"
    SAID_OTHERWISE = "said otherwise elsewhere"
    TAKEN_BACK = "taken back later"
    ANSWERED = "answered though refused"
    CAPTION = "caption says otherwise"
    OTHER = "other"


class ReadDefect(BaseModel):
    """One thing that is wrong with an item."""

    kind: DefectKind
    place: str = Field(description="Place of the round or image that shows it; empty if none does.")
    quote: str = Field(description="Words of that place, copied; empty if none show it.")
    why: str = Field(description="In one or two sentences.")


class ReaderReply(BaseModel):
    """What a reader says of one item."""

    steps: str = Field(description="Your own answer and how it follows, in a few sentences.")
    defects: list[ReadDefect] = Field(description="What is wrong; empty if nothing is.")
    better: str = Field(description="The answer that the rounds give; empty if they give none.")
    verdict: ReaderVerdict


@dataclass(frozen=True)
class ItemReading:
    """How the reading of an item ended.

    Attributes:
        reader: Name of the model.
        reply: What it says; None where no reply could be used.
        shown: The text that it was shown, by the place of a round or an image.
        seen: Places of the images that it was shown as images.
        problem: Why there is no reply.
    """

    reader: str
    reply: ReaderReply | None = None
    shown: Mapping[str, str] = field(default_factory=dict)
    seen: frozenset[str] = frozenset()
    problem: str = ""

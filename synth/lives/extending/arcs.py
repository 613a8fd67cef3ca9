"""Arcs of extension sessions, as data: small stories of two sessions each."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memassay.synth.questions.knowledge.planted import PlantKind


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exchange(_Part):
    """A turn of the user and the answer to it.

    Attributes:
        u: What the user says.
        r: What the other one answers.
        shows: Name of the image that the user's turn shows.
    """

    u: str
    r: str
    shows: str = ""


class ArcFact(_Part):
    """A fact of an arc.

    Attributes:
        attribute: Its property.
        one_of: Texts to draw from.
        number: Least, greatest, step.
        unit: Of the number.
        person: Whether its value is somebody's name.
        plant: What the later session does with it; none for what a picture alone shows. Which
            slots contradict and which agree is drawn among those that have one of the two.
        joins: Slot before it whose fact goes into the later one too; of a merge.
        becomes: Property of the later fact; of a merge.
        ask: Question for what holds at the end.
        claim: What it says, as a sentence with `{value}`.
    """

    attribute: str
    one_of: list[str] = []
    number: tuple[int, int, int] | None = None
    unit: str | None = None
    person: bool = False
    plant: PlantKind | Literal["none"]
    joins: str = ""
    becomes: str = ""
    ask: str = ""
    claim: str = ""


class ArcImage(_Part):
    """An image of an arc.

    Attributes:
        kind: Renderer.
        title: Printed at the top.
        about: Its caption: what it is, never what can be read in it.
        lines: Slot of the fact that is printed, by the key before it.
    """

    kind: str
    title: str
    about: str
    lines: Annotated[dict[str, str], Field(min_length=1)]


class Arc(_Part):
    """A small story that begins in one session and is continued in a later one.

    Attributes:
        topic: How it is named when it is continued.
        subject: Subject of its facts.
        avoid: Words that a life which gets it must not have.
        facts: By slot.
        images: By name; at least two are shown in each session.
        first: What is said in the first session.
        later: What is said in the later one.
    """

    topic: str
    subject: str
    avoid: list[str]
    facts: dict[str, ArcFact]
    images: dict[str, ArcImage]
    first: list[Exchange]
    later: list[Exchange]


class Arcs(_Part):
    """A file of arcs.

    Attributes:
        openings: How a session begins that continues nothing.
        again: How an arc is continued.
        closings: How sessions end.
        people: Names of people who are mentioned.
        arcs: By name.
    """

    openings: list[Exchange]
    again: list[Exchange]
    closings: list[Exchange]
    people: list[str]
    arcs: dict[str, Arc]

    def without_mention(self, said: str) -> Mapping[str, Arc]:
        """The arcs that have no word in a text."""
        return {
            name: arc
            for name, arc in self.arcs.items()
            if not _has(said, [arc.subject, *arc.avoid])
        }

    def strangers(self, said: str) -> list[str]:
        """The names that a text does not have."""
        return [name for name in self.people if not _has(said, [name])]


def _has(said: str, words: Sequence[str]) -> bool:
    """Whether one of the words begins a word of a text."""
    beginnings = "|".join(map(re.escape, words))
    return re.search(rf"\b(?:{beginnings})", said, re.IGNORECASE) is not None


@cache
def arcs() -> Arcs:
    """The arcs that ship."""
    text = Path(__file__).with_name("arcs.yaml").read_text(encoding="utf-8")
    return Arcs.model_validate(yaml.safe_load(text))

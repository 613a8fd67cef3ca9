"""Arcs of extension sessions, as data: small stories of two sessions each."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memassay.synth.lives.extending.matters import Matter
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
        days: Least and most days before its session, as far as its matter was spoken of by then;
            where there are no dates, `one_of`.
        unit: Of the number.
        person: Whether its value is somebody's name.
        plant: What the later session does with it; none for what it leaves alone. Which slots
            contradict and which agree is drawn among those that have one of the two.
        shared: Whether things of other arcs could have it as well.
        joins: Slot before it whose fact goes into the later one too; of a merge.
        becomes: Property of the later fact; of a merge.
        ask: Question for it; of what changes, for what holds at the end.
        claim: What it says, as a sentence with `{value}`.
    """

    attribute: str
    one_of: list[str] = []
    number: tuple[int, int, int] | None = None
    days: tuple[int, int] | None = None
    unit: str | None = None
    person: bool = False
    plant: PlantKind | Literal["none"]
    shared: bool = False
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

    def around(self, matter: Matter) -> "Arc":
        """The same around something that a life speaks of."""
        return Arc.model_validate(_fill(self.model_dump(), matter.fill))


def _fill(part: Any, fill: Callable[[str], str]) -> Any:
    """A document with every text filled."""
    if isinstance(part, str):
        return fill(part)
    if isinstance(part, dict):
        return {key: _fill(one, fill) for key, one in part.items()}
    return [_fill(one, fill) for one in part] if isinstance(part, list) else part


class Arcs(_Part):
    """A file of arcs.

    Attributes:
        memories: How what the user once said of a matter is quoted.
        blanks: What takes their place where nothing can be quoted.
        openings: How an arc is begun.
        again: How an arc is continued.
        closings: How sessions end.
        people: Names of people who are mentioned.
        arcs: By name.
    """

    memories: list[str]
    blanks: list[str]
    openings: list[Exchange]
    again: list[Exchange]
    closings: list[Exchange]
    people: list[str]
    arcs: dict[str, Arc]

    def without_mention(self, said: str) -> Mapping[str, Arc]:
        """The arcs that have no word in a text."""
        return {name: arc for name, arc in self.arcs.items() if not _has(said, arc.avoid)}

    def opening(self, matter: Matter, turn: int) -> Exchange:
        """How an arc around a matter is begun; wordings take turns."""
        known = self.memories if matter.quote else self.blanks
        memory = known[turn % len(known)]
        one = self.openings[turn % len(self.openings)]
        return Exchange(u=matter.fill(one.u), r=matter.fill(one.r.replace("{memory}", memory)))

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

"""What people tell each other, as data: beats of a few turns, with facts in their slots.

A turn of a beat is `o`, the one whom it is about or who owns it, or `f`, the friend. Slots are
{c}, the subject; {owner} and {friend}; {when}, the day of the beat; and its facts.
"""

from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memassay.schemas.errors import RecordError

Turn = dict[Literal["o", "f"], str]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Known(_Part):
    """What everybody knows about a value: the country of a city, and the question for it."""

    attribute: str
    ask: str
    of: dict[str, str]


class ToldFact(_Part):
    """A fact about a subject, and how to ask for it.

    Attributes:
        attribute: Its property; that of the fact it revises, if it revises one.
        revises: Slot of the fact that it replaces.
        one_of: Texts to draw from.
        number: Least, greatest, step.
        unit: Of the number.
        person: Whether its value is somebody's name.
        ask: Question for it; for a fact that is revised, for what was told first.
        ask_now: Question for what holds at the end.
        that: A phrase that names the subject by it: `the one that {value} mended`.
        more: Question of who has more of it, the owner or the friend: both told it.
        added: A noun phrase for what is added up: `{owner}'s bike`.
        known: What everybody knows about its value.
    """

    attribute: str = ""
    revises: str = ""
    one_of: list[str] = []
    number: tuple[int, int, int] | None = None
    unit: str | None = None
    person: bool = False
    ask: str = ""
    ask_now: str = ""
    that: str = ""
    more: str = ""
    added: str = ""
    known: Known | None = None


class ToldDate(_Part):
    """The day of a beat: its attribute, the question for it, and a phrase that names the day."""

    attribute: str
    ask: str
    noun: str


class Beat(_Part):
    """One thing that is told about a subject.

    Attributes:
        after: Beat that must be told before it.
        facts: By slot.
        dated: What its `{when}` is the day of.
        turns: What is said, turn by turn.
    """

    after: str = ""
    facts: dict[str, ToldFact] = {}
    dated: ToldDate | None = None
    turns: Annotated[list[Turn], Field(min_length=1)]

    @property
    def revises(self) -> bool:
        """Whether it changes what was told before."""
        return any(spec.revises for spec in self.facts.values())


class Thread(_Part):
    """All that can be told about subjects of a kind; the first beat comes first.

    Attributes:
        families: Families of concepts that are of this kind.
        said: How the owner names the subject: `my sister`.
        picture: Family of things that its pictures show, if it has any.
        beats: By name.
    """

    families: list[str] = []
    said: str = ""
    picture: str = ""
    beats: dict[str, Beat]


class Pictures(_Part):
    """How a picture is shown the first time and again, and what the friend says to it."""

    o: str
    again: str
    f: str


class Talks(_Part):
    """A file of talks.

    Attributes:
        openings: How sessions begin.
        closings: How they end.
        asides: Small talk between beats.
        introduction: How all subjects are named in the first turn; `{names}` lists them.
        pictures: How pictures are shown.
        people: Names of people who are spoken of.
        kinds: Threads by kind of subject.
        knowledge: By family and property, what everybody knows, and the question for it.
    """

    openings: list[list[Turn]]
    closings: list[list[Turn]]
    introduction: list[Turn] = []
    asides: list[list[Turn]] = []
    pictures: Pictures
    people: list[str]
    kinds: dict[str, Thread]
    knowledge: dict[str, dict[str, tuple[str, str]]] = {}

    def thread_of(self, family: str) -> Thread:
        """What can be told about a family; of an unknown one, what the last kind tells."""
        for thread in self.kinds.values():
            if family in thread.families:
                return thread
        return list(self.kinds.values())[-1]


def read_talks(path: Path) -> Talks:
    """Read a file of talks.

    Raises:
        RecordError: It is none.
    """
    try:
        return Talks.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise RecordError(f"{path}: expected talks, got: {error}") from error

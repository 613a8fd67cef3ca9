"""What people tell each other about their concepts, as data: `threads.yaml`."""

from functools import cache
from pathlib import Path
from typing import Annotated, Final

import yaml
from pydantic import BaseModel, ConfigDict, Field

_FILE: Final = Path(__file__).with_name("threads.yaml")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exchange(_Part):
    """Turns of both speakers: `o` is the owner's, `f` the friend's; told in this order."""

    f: str = ""
    o: str = ""


class ToldFact(_Part):
    """A fact about a concept, and how to ask for it.

    Attributes:
        attribute: Its property; that of the fact it revises, if it revises one.
        revises: Slot of the fact that it replaces.
        one_of: Texts to draw from.
        number: Least, greatest, step.
        unit: Of the number.
        person: Whether its value is somebody's name.
        ask: Question for it; for a fact that is revised, for what was told first.
        ask_now: Question for what holds at the end.
        that: A phrase that names the concept by it: `the one that {value} mended`.
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


class ToldDate(_Part):
    """The day of a beat: its attribute, the question for it, and a phrase that names the day."""

    attribute: str
    ask: str
    noun: str


class Beat(_Part):
    """One thing that is told about a concept, in a few turns."""

    after: str = ""
    facts: dict[str, ToldFact] = {}
    dated: ToldDate | None = None
    turns: Annotated[list[dict[str, str]], Field(min_length=1)]


class Thread(_Part):
    """All that can be told about the concepts of some families; the first beat comes first."""

    families: list[str]
    beats: dict[str, Beat]


class Pictures(_Part):
    """How a picture is shown the first time and again, and what the friend says to it."""

    o: str
    again: str
    f: str


class Threads(_Part):
    """The whole file."""

    openings: list[Exchange]
    closings: list[Exchange]
    introduction: Exchange
    pictures: Pictures
    people: list[str]
    kinds: dict[str, Thread]
    knowledge: dict[str, dict[str, tuple[str, str]]]

    def thread_of(self, family: str) -> Thread:
        """What can be told about a family; of an unknown one, what can be told about things."""
        for thread in self.kinds.values():
            if family in thread.families:
                return thread
        return self.kinds["thing"]


@cache
def threads() -> Threads:
    """The threads that ship."""
    return Threads.model_validate(yaml.safe_load(_FILE.read_text(encoding="utf-8")))

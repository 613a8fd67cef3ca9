"""The words of lessons: patterns by slot, each said as seldom as can be."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import yaml
from pydantic import BaseModel, ConfigDict, Field

_AT_LEAST: Final = 8
Patterns = Annotated[list[str], Field(min_length=_AT_LEAST)]
Exchanges = Annotated[list[tuple[str, str]], Field(min_length=_AT_LEAST)]
"""What the user says, and what the assistant replies."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Family(_Part):
    """What can be taught.

    Attributes:
        noun: What one is called: `dog`.
        plural: What several are called.
        kind: What its classes are: `breed`.
        where: Where marks are: `on its side`.
        shapes: Of drawn ones, what can be seen of each of the four shapes.
        coloured: What one of a colour is called.
    """

    noun: str
    plural: str
    kind: str
    where: str = ""
    shapes: tuple[str, ...] = ()
    coloured: str = "{colour} {noun}"

    @property
    def attribute(self) -> str:
        """Property of a picture: which of the classes it shows."""
        return f"{self.kind} of {self.noun}"


class LessonWords(_Part):
    """A file of words; `{a}` is the article of `{name}`.

    Patterns of a picture may speak of what is seen, of `{hint}` or of `{coloured}`, and of the
    `{nth}` of its class; each list has enough that speak of neither.

    Attributes:
        families: Of drawn classes, by key.
        marks: What a mark is called, by its key.
        begins: Of made-up names.
        ends: The same.
        heads: By noun, what follows a made-up name.
        drawn: How a lesson on drawn pictures begins.
        photos: The same of pictures of others.
        welcome: What the assistant says to that.
        again: How a lesson goes on in a later session.
        before: What is said first where a lesson comes at the end of a session.
        begin: The first picture of a session.
        next: The first picture of another class.
        more: Another picture of a class.
        tail: What else is said of a picture.
        take: The assistant hears a name first.
        keep: It hears it again.
        remark: What it adds.
        show: It asks for more.
        quiz: The user lets it name a picture.
        right: The user agrees.
        chat: Exchanges without a picture.
        closing: How a session of a lesson ends.
        ask: Questions, alike within a list.
        beside: Questions that set what they show beside all other classes.
        alike: Questions for all pictures of the same class.
        number: Questions for how many there are.
        first: Questions for the day on which one was shown first.
        claim: Questions whether it conflicts that a picture is of a class.
        every: Questions that show nothing and ask for all names.
    """

    families: dict[str, Family]
    marks: dict[str, str]
    begins: list[str]
    ends: list[str]
    heads: dict[str, list[str]]
    drawn: Patterns
    photos: Patterns
    welcome: Patterns
    again: Exchanges
    before: Patterns
    begin: Patterns
    next: Patterns
    more: Patterns
    tail: Patterns
    take: Patterns
    keep: Patterns
    remark: Patterns
    show: Patterns
    quiz: Exchanges
    right: Patterns
    chat: Exchanges
    closing: Exchanges
    ask: dict[str, list[str]]
    beside: Patterns
    alike: Patterns
    number: Patterns
    first: Patterns
    claim: Patterns
    every: Patterns


@cache
def lesson_words() -> LessonWords:
    """The words that ship."""
    files = ("words.yaml", "replies.yaml", "families.yaml", "names.yaml", "questions.yaml")
    parts: dict[str, Any] = {}
    for name in files:
        text = Path(__file__).with_name(name).read_text(encoding="utf-8")
        parts |= yaml.safe_load(text)
    return LessonWords.model_validate(parts)

"""The words of lessons: patterns by slot, each said as seldom as can be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memassay.synth.world.grammar import Expansion, expand

_TRIES: Final = 12
"""How often other words are tried for what was said before."""
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
    """

    noun: str
    plural: str
    kind: str
    where: str = ""
    shapes: tuple[str, ...] = ()

    @property
    def attribute(self) -> str:
        """Property of a picture: which of the classes it shows."""
        return f"{self.kind} of {self.noun}"


class LessonWords(_Part):
    """A file of words; `{a}` is the article of `{name}`.

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
        hint: What can be seen.
        tail: What else is said of a picture.
        tail_drawn: The same of what is drawn in other colours each time.
        take: The assistant hears a name first.
        keep: It hears it again.
        remark: What it adds.
        glad: What it adds where something was pointed out.
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
    hint: Patterns
    tail: Patterns
    tail_drawn: Patterns
    take: Patterns
    keep: Patterns
    remark: Patterns
    glad: Patterns
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


@cache
def lesson_words() -> LessonWords:
    """The words that ship."""
    files = ("words.yaml", "replies.yaml", "families.yaml", "names.yaml", "questions.yaml")
    parts: dict[str, Any] = {}
    for name in files:
        text = Path(__file__).with_name(name).read_text(encoding="utf-8")
        parts |= yaml.safe_load(text)
    return LessonWords.model_validate(parts)


class Phrasebook:
    """Chooses words for one conversation: what came least often, and nothing twice if it can be."""

    def __init__(self, random: Random) -> None:
        """Take what chooses."""
        self.random = random
        self.times: Counter[str] = Counter()
        self.said: set[str] = set()

    def say(self, patterns: Sequence[str], values: Mapping[str, str]) -> Expansion:
        """One of some patterns with its slots filled."""
        return self._fresh(self._seldom(patterns), values)

    def exchange(
        self, pairs: Sequence[tuple[str, str]], values: Mapping[str, str]
    ) -> tuple[Expansion, Expansion]:
        """What the user says and what the assistant replies, of one pair."""
        users = self._seldom([user for user, _ in pairs])
        reply = next(one for user, one in pairs if user == users)
        return self._fresh(users, values), self._fresh(reply, values)

    def ask(self, patterns: Sequence[str], values: Mapping[str, str]) -> str:
        """A question; alike ones may be asked of several pictures."""
        return expand(self._seldom(patterns), self.random, values).text

    def _seldom(self, patterns: Sequence[str]) -> str:
        least = min(self.times[one] for one in patterns)
        chosen = self.random.choice([one for one in patterns if self.times[one] == least])
        self.times[chosen] += 1
        return chosen

    def _fresh(self, pattern: str, values: Mapping[str, str]) -> Expansion:
        made = expand(pattern, self.random, values)
        for _ in range(_TRIES):
            if made.text not in self.said:
                break
            made = expand(pattern, self.random, values)
        self.said.add(made.text)
        return made

"""Parts of a vertical: attributes with their forms, kinds, sources, rules, events, scenes.

Forms are texts of the grammar: `[one|other]` is a choice; `{e}` is the thing, `{f}` the second one
of a merge, `{v}` the value, `{user}` the user's name.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.records.taught_rule import TaughtRule
from memassay.schemas.values.civil_time import WEEKDAYS

Texts = Annotated[list[str], Field(min_length=1, max_length=30)]
Arc = Literal["setup", "main", "side"]


class Part(BaseModel):
    """Base of the parts: closed, immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Ending(Part):
    """How it is said, noted and asked that an attribute holds no longer.

    Attributes:
        told: Clauses of the user.
        statement: Sentences in the third person.
        ask: Whether it still holds; without its value.
    """

    told: Texts
    statement: Texts
    ask: Texts


class Merging(Part):
    """How it is said, noted and asked that the numbers of two things became one sum.

    Attributes:
        told: Clauses of the user, with `{e}`, `{f}` and `{v}`.
        statement: Sentences in the third person.
        ask: Questions for the sum.
    """

    told: Texts
    statement: Texts
    ask: Texts


class Known(Part):
    """What everybody knows about a value.

    Attributes:
        attribute: What is known: `country`.
        ask: The question for it.
        of: By value.
    """

    attribute: str
    ask: Texts
    of: dict[str, str]


class Attribute(Part):
    """A property of the things of a kind, with all its forms.

    Attributes:
        say: What it is called; it is in each question for it.
        type: Memory type of its points.
        number: Least, greatest, step.
        unit: Of the number.
        date: Fewest and most days from the session that tells it.
        person: Whether its value is one of the people.
        weekday: Whether its value is a day of the week.
        one_of: Texts that it can be.
        told: Clauses in which the user says it.
        clause: It in the third person, for frames.
        statement: Sentences in the third person, in other words.
        ask: Questions for it.
        back: How the assistant asks for it: `who owns it`.
        reply: What the assistant can say to it.
        label: What it is called in pictures; empty if none shows it.
        words: Words by which it can be recognised.
        disputed: Whether sources disagree about it.
        ended: How it can end; None if it cannot.
        merged: How it can be merged; None if it cannot.
        known: What everybody knows about its values.
    """

    say: str
    type: str
    number: tuple[int, int, int] | None = None
    unit: str | None = None
    date: tuple[int, int] | None = None
    person: bool = False
    weekday: bool = False
    one_of: Annotated[list[str], Field(max_length=30)] = []
    told: Texts
    clause: str
    statement: Texts
    ask: Texts
    back: str
    reply: Texts
    label: str = ""
    words: Texts
    disputed: bool = False
    ended: Ending | None = None
    merged: Merging | None = None
    known: Known | None = None

    @model_validator(mode="after")
    def _has_one_range(self) -> "Attribute":
        ranges = (self.number, self.date, self.person, self.weekday, self.one_of)
        if sum(map(bool, ranges)) != 1:
            raise PydanticCustomError(
                "range", "expected exactly one of number, date, person, weekday, one_of"
            )
        return self

    @property
    def pool(self) -> list[str]:
        """Texts that it can be, people apart."""
        return list(WEEKDAYS) if self.weekday else self.one_of


class Name(Part):
    """A thing: how statements and questions call it, and how the user does.

    In a file, a thing whose user calls it so too is a text.
    """

    name: str
    said: str = ""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given

    @property
    def spoken(self) -> str:
        """How the user calls it."""
        return self.said or self.name


class PictureSpec(Part):
    """How facts about a thing are shown: lines on a sheet of some kind.

    Attributes:
        kind: Which renderer draws it.
        title: Printed at the top.
        caption: What it is, without values.
        shown: Sentences with which the user shows it.
    """

    kind: Literal["whiteboard", "label", "notice", "certificate", "note", "ticket"]
    title: str
    caption: str
    shown: Texts


class Kind(Part):
    """Things of one kind.

    Attributes:
        arc: In which sessions they come up: `setup` in the first one, `main` or `side`.
        names: Of whom as many are drawn as sessions need.
        picture: How their facts are shown; None if no picture does.
        attributes: What is true of each.
    """

    arc: Arc
    names: Annotated[list[Name], Field(min_length=1, max_length=30)]
    picture: PictureSpec | None = None
    attributes: Annotated[dict[str, Attribute], Field(min_length=1)]


class Sources(Part):
    """Sources that disagree now and then, the one believed most first.

    Attributes:
        names: Each with its article: `the contract`.
        told: Sentences that rank all of them, as `{a}`, `{b}`, `{c}`.
        statement: Sentences that give one of them, `{s}`, its rank in words, `{rank}`.
        ask: Questions for `{say}` of `{e}`, about which they disagree.
    """

    names: Annotated[list[str], Field(min_length=3, max_length=3)]
    told: Texts
    statement: Texts
    ask: Texts


class RuleSpec(Part):
    """A rule that the first session teaches.

    Attributes:
        of: Whose value it is applied to, as kind and attribute: `feature.effort`.
        rule: The rule; its one slot is called as the attribute.
        say: What it is called.
        told: Sentences that teach it.
        statement: The same in the third person.
        ask: Questions for what it gives for `{e}`.
    """

    of: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z_]+$")]
    rule: TaughtRule
    say: str
    told: Texts
    statement: Texts
    ask: Texts


class EventSpec(Part):
    """A thing that happens and changes several slots at once.

    Attributes:
        kind: To things of which kind.
        needs: Attributes that must hold, and were told in an earlier session.
        effects: By attribute what it does: `revise` or `delete`.
        told: Sentences that say what happened.
    """

    kind: str
    needs: Texts
    effects: Annotated[dict[str, Literal["revise", "delete"]], Field(min_length=2, max_length=3)]
    told: Texts


class Exchange(Part):
    """A round without a value: a turn of the user and one of the assistant."""

    user: Texts
    assistant: Texts


class Scene(Part):
    """Where a session comes from: its event type.

    Attributes:
        arc: In which sessions.
        open: How it begins.
        chat: What is said in between.
        close: How it ends.
    """

    arc: Arc
    open: Annotated[list[Exchange], Field(min_length=1, max_length=30)]
    chat: Annotated[list[Exchange], Field(max_length=30)] = []
    close: Annotated[list[Exchange], Field(min_length=1, max_length=30)]

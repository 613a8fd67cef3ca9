"""Parts of persona files that facts are made of: how values are drawn, what is asked of them."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from memassay.synth.laws.curves import Curve
from memassay.synth.world.grammar import slots_of


def _without_slots(text: str) -> str:
    if slots_of(text):
        raise ValueError(f"expected a text without slots, got {text!r}; write the words themselves")
    return text


Plain = Annotated[str, AfterValidator(_without_slots)]
"""A text that is never expanded: a slot in it would get into the data as it is."""


class Part(BaseModel):
    """A part of a persona file: no field but those it names, and no change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ValueRange(Part):
    """How a value is drawn: exactly one of the fields is given.

    Attributes:
        number: Least, greatest and step, e.g. ``[2.1, 6.8, 0.1]``.
        one_of: Values to choose from, six or more where the value is a question's gold; names
            may be slots in them.
        days: Least and greatest distance in days from the event's date.
        clock: Earliest and latest time of day and step in minutes: ``["08:00", "11:30", 5]``.
        text: A fixed statement, for facts that only ever imply others; names may be slots in it.
        unit: Said and printed after the value; not counted among the five.
        rows: Narrower ends for some rows of a picture, by label: `{Noon: ["11:30", "13:00"]}`.
        of: Quantity of the card that a `number` is on its day; the range says its step and ends.
    """

    number: tuple[float, float, float] | None = None
    one_of: list[str] | None = None
    days: tuple[int, int] | None = None
    clock: tuple[str, str, int] | None = None
    text: str | None = None
    unit: Plain | None = None
    rows: dict[str, tuple[str, str] | tuple[float, float]] = {}
    of: Plain | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> "ValueRange":
        if self.rows and self.number is None and self.clock is None:
            raise ValueError("rows: expected a `number` or a `clock` beside it")
        if self.of is not None and self.number is None:
            raise ValueError("of: expected a `number` beside it, the range of the quantity")
        given = [self.number, self.one_of, self.days, self.clock, self.text]
        if sum(value is not None for value in given) != 1:
            raise ValueError("expected exactly one of number, one_of, days, clock, text")
        return self


class QuantitySpec(Part):
    """A quantity that is a function of the day, so that pictures and texts agree.

    Attributes:
        since: Stage at which it begins.
        by: Stage by which it has reached its end.
        at_first: What it is when it begins.
        reaches: Least and greatest of what it reaches, drawn for each history.
        curve: How it gets there: `line`, `s` (slowly, fast, slowly), `saturating` (ever more
            slowly), or `cycle` (there after half of the time, back after all of it).
    """

    since: Plain
    by: Plain
    at_first: float
    reaches: tuple[float, float]
    curve: Curve


class FactSpec(Part):
    """One fact a card makes true; its key is the slot name in the card's texts.

    Attributes:
        about: What it is about: `user`, or an entity of the persona.
        attribute: Noun phrase, unique for its subject unless the fact revises another:
            `weight at admission`.
        value: How its value is drawn.
        ask: Questions whose answer is exactly this value, slots allowed; none for values that
            are no good gold.
        ends: For a length of time in days, weeks, months or years that runs from the day of the
            event: questions for the day on which it is over, such as `When does the guarantee
            end?`.
    """

    about: Plain
    attribute: Plain
    value: ValueRange
    ask: list[str] = []
    ends: list[str] = []


class LogSpec(Part):
    """What somebody notes again and again, session by session: a measurement or a kind.

    Attributes:
        about: What it is about: `user`, or an entity of the persona.
        attribute: Noun phrase, no property of a fact: `range on one charge`.
        value: How each entry is drawn: a number, or one of some kinds (one of them, drawn for the
            history, comes up more often).
        said: Sentences of the user with `{value}` in them, names allowed.
        ask: For kinds: questions for the one that came up most often.
        every: For kinds: questions for all that came up.
        times: For kinds: questions for how many times `{value}` came up.
        when: For kinds: questions for the date on which `{value}` came up for the `{which}` time.
        ends: For numbers: what the greatest and the least of them are called.
    """

    about: Plain
    attribute: Plain
    value: ValueRange
    said: Annotated[list[str], Field(min_length=6)]
    ask: list[str] = []
    every: list[str] = []
    times: list[str] = []
    when: list[str] = []
    ends: tuple[Plain, Plain] = ("highest", "lowest")

    @model_validator(mode="after")
    def _fits(self) -> "LogSpec":
        if (self.value.number is None) is (self.value.one_of is None):
            raise ValueError("expected entries of number or one_of")
        if any("value" not in slots_of(text) for text in self.said):
            raise ValueError("said: expected {value} in every sentence")
        if (self.value.one_of is not None) is not bool(self.ask):
            raise ValueError("ask: expected questions for entries of one_of, and for them only")
        needed = {"times": {"value"}, "when": {"value", "which"}}
        for name, slots in needed.items():
            for text in getattr(self, name):
                if not slots <= {*slots_of(text)}:
                    raise ValueError(f"{name}: expected {sorted(slots)} as slots in every question")
        return self


class ListSpec(Part):
    """Things of one kind, and what is asked of each of them.

    Attributes:
        ask: Questions with `{members}` in them, where several of the things are named.
        members: By fact (`card.fact`), what its thing is called in such a question.
    """

    ask: Annotated[list[str], Field(min_length=1)]
    members: Annotated[dict[str, str], Field(min_length=2)]

    @model_validator(mode="after")
    def _names_members(self) -> "ListSpec":
        if any("members" not in slots_of(text) for text in self.ask):
            raise ValueError("ask: expected {members} in every question")
        return self

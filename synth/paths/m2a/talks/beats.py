"""What people tell each other, as data: beats of a few turns, with facts in their slots.

A turn is `o`, the one whom it is about or who owns it, or `f`, the friend. Slots are {c}, the
subject; {owner} and {friend}; {when}, the day of the beat; and its facts. Turns that belong
together are an exchange, with what it needs to be said. A choice that has as many alternatives as
the last one of the turn before is made with it: the second answer is for the second question.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from memassay.schemas.errors import RecordError
from memassay.schemas.values.civil_time import Precision, precision, start

Turn = dict[Literal["o", "f"], str]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Exchange(_Part):
    """Turns that belong together, and what they need to be said.

    In a file, an exchange that needs nothing is a list of its turns.

    Attributes:
        hours: First hour of the day at which they can be said, and the hour before which.
        months: Months (1 to 12) in which they can be said; any if none is named.
        at: Where the friend is while they talk: `train`. An exchange that names no place can be
            said anywhere, and none that names another place is said in the same session.
        turns: What is said, turn by turn.
    """

    hours: tuple[int, int] | None = None
    months: list[int] = []
    at: str = ""
    turns: Annotated[list[Turn], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _from_turns(cls, given: Any) -> Any:
        return {"turns": given} if isinstance(given, list) else given

    @property
    def needs_a_time(self) -> bool:
        """Whether there are times at which it cannot be said."""
        return self.hours is not None or bool(self.months)

    def fits(self, when: str) -> bool:
        """Whether it can be said at a time; where no hour is known, only what fits any hour."""
        moment = start(when)
        if self.months and moment.month not in self.months:
            return False
        if self.hours is None:
            return True
        known = precision(when) in (Precision.MINUTE, Precision.SECOND)
        return known and self.hours[0] <= moment.hour < self.hours[1]


class Known(_Part):
    """What everybody knows about a value: the country of a city, and the question for it."""

    attribute: str
    ask: str
    of: dict[str, str]


class Range(_Part):
    """What the value of a fact is drawn from.

    Attributes:
        one_of: Texts to draw from.
        number: Least, greatest, step.
        unit: Of the number.
    """

    one_of: list[str] = []
    number: tuple[int, int, int] | None = None
    unit: str | None = None


class ToldFact(Range):
    """A fact about a subject, and how to ask for it.

    Attributes:
        attribute: Its property; that of the fact it revises, if it revises one.
        revises: Slot of the fact that it replaces.
        by_family: In place of its own range, that of subjects of a family.
        person: Whether its value is somebody's name; of those in `one_of`, if it names some.
        ask: Question for it; for a fact that is revised, for what was told first.
        ask_now: Question for what holds at the end.
        then: Question, without its mark, for what held once: `Who did {owner} run with`.
        that: A phrase that names the subject by it: `the {noun} that {value} mended`.
        more: Question of who has more of it, the owner or the friend: both told it.
        paid: A noun phrase for what was paid for: `{owner}'s bike`.
        known: What everybody knows about its value, each with a question of its own.
    """

    attribute: str = ""
    revises: str = ""
    by_family: dict[str, Range] = {}
    person: bool = False
    ask: str = ""
    ask_now: str = ""
    then: str = ""
    that: str = ""
    more: str = ""
    paid: str = ""
    known: list[Known] = []

    def range_of(self, family: str) -> Range:
        """What the value is drawn from, where the subject is of a family."""
        return self.by_family.get(family, self)


class ToldDate(_Part):
    """The day of a beat: its attribute, the question for it, and a phrase that names the day.

    Attributes:
        attribute: Its property.
        ask: Question for it.
        noun: The day, or what happened on it: `the day {owner} bought {c}`.
        order: Question which of {names} was {end} (first, last), where one asks so.
        begins: Whether all else of the subject follows it, so that people count days from it.
    """

    attribute: str
    ask: str
    noun: str
    order: str = ""
    begins: bool = False


class Beat(_Part):
    """One thing that is told about a subject.

    Attributes:
        families: Of which families its subject can be; any if none is named.
        after: Beat that must be told before it.
        days: Fewest days from the session that tells what it follows (the first beat, if it names
            none) to the one that tells it.
        months: Months (1 to 12) in which it can happen; any if none is named.
        facts: By slot.
        dated: What its `{when}` is the day of.
        ways: What is said, in one of several ways.
    """

    families: list[str] = []
    after: str = ""
    days: int = 0
    months: list[int] = []
    facts: dict[str, ToldFact] = {}
    dated: ToldDate | None = None
    ways: Annotated[list[Exchange], Field(min_length=1)]

    @property
    def revises(self) -> bool:
        """Whether it changes what was told before."""
        return any(spec.revises for spec in self.facts.values())


class Thread(_Part):
    """All that can be told about subjects of a kind; the first beat comes first.

    Attributes:
        families: Families of concepts that are of this kind.
        said: How the owner names the subject: `my sister`.
        noun: What a subject of any other family is.
        nouns: What subjects of a family are, where its name does not say it.
        ages: Youngest and oldest of those who can have such a subject, in years.
        words: How it is named beside `said`: one of them is in each question that opens a beat.
        without: Subjects of a kind that nobody has beside it.
        picture: Family of things that its pictures show, if it has any.
        shapes: Which of the four shapes of that family fit; any if none is named.
        pictures: What is said to its first picture, its second and so on, where all subjects do
            not say the same; the last ones are said again.
        beats: By name.
    """

    families: list[str] = []
    said: str = ""
    noun: str = ""
    nouns: dict[str, str] = {}
    ages: tuple[int, int] = (0, 120)
    words: list[str] = []
    without: list[str] = []
    picture: str = ""
    shapes: list[int] = []
    pictures: list[Exchange] = []
    beats: dict[str, Beat]

    def noun_of(self, family: str) -> str:
        """What a subject of a family is: `cat`."""
        return self.nouns.get(family) or (family if family in self.families else self.noun)

    def beats_of(self, family: str) -> dict[str, Beat]:
        """What can be told about a subject of a family."""
        return {
            name: beat
            for name, beat in self.beats.items()
            if not beat.families or family in beat.families
        }


class Pictures(_Part):
    """What the friend says to a picture, and how one is shown where no subject says it itself.

    Attributes:
        f: What the friend says.
        o: How a picture is shown the first time.
        again: How one is shown after that.
    """

    f: str
    o: str = ""
    again: str = ""


class Uses(_Part):
    """What one does with what the pictures show, as everybody knows.

    Attributes:
        ask: Questions which of {names} {owner} would {use}.
        of: By family: `put flowers in`. No two families have one use.
    """

    ask: list[str] = []
    of: dict[str, str] = {}


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
        uses: What one does with what the pictures show.
    """

    openings: list[Exchange]
    closings: list[Exchange]
    introduction: list[Turn] = []
    asides: list[Exchange] = []
    pictures: Pictures
    people: list[str]
    kinds: dict[str, Thread]
    uses: Uses = Uses()

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

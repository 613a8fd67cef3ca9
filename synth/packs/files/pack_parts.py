"""Parts of a topic pack: who and what it is about, facts, changes, lists, pictures, scenes.

Texts are blocks of lines. A line is one wording; an empty line begins the next sentence of the
turn; a sentence whose wordings begin with `?` may be left out.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from memassay.synth.world.grammar import slots_of

OPTIONAL = "?"
"""Begins every wording of a sentence that may be left out."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of a turn: its wordings, and whether a quiet speaker leaves it out."""

    wordings: tuple[str, ...]
    optional: bool = False


Sentences = tuple[Sentence, ...]


def parse_sentences(text: Any) -> Any:
    """The sentences of a block of lines.

    Raises:
        ValueError: Only some of the wordings of a sentence begin with `?`.
    """
    if not isinstance(text, str):
        return text
    made = []
    for block in filter(None, map(str.strip, "\n".join(_trim_lines(text)).split("\n\n"))):
        lines = block.split("\n")
        marked = {line.startswith(OPTIONAL) for line in lines}
        if len(marked) > 1:
            raise ValueError(f"expected `?` before all wordings of a sentence or none, got {block}")
        said = tuple(line.removeprefix(OPTIONAL).strip() for line in lines)
        made.append(Sentence(said, marked.pop()))
    return tuple(made)


def _trim_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


Text = Annotated[Sentences, BeforeValidator(parse_sentences), Field(min_length=1)]
"""A turn: sentences in their order."""


def _without_slots(text: str) -> str:
    if slots_of(text):
        raise ValueError(f"expected a text without slots, got {text!r}; write the words themselves")
    return text


Plain = Annotated[str, AfterValidator(_without_slots), Field(min_length=1)]
"""A text that is printed as it is."""


class Part(BaseModel):
    """A part of a pack: no field but those it names, and no change."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Referent(Part):
    """Somebody or something that a role can be.

    Attributes:
        name: What it is called: `Dr Lindqvist`, `red cabbage`, `Lantern Hill`.
        intro: How the user speaks of it first: `my supervisor Dr Lindqvist`.
        pronoun: What replaces it in the same turn: `he`, `she`, `they`, `it`.
        features: What a scene can ask of it: `indoors`, `view`.
    """

    name: Plain
    intro: Plain | None = None
    pronoun: Literal["he", "she", "they", "it"] = "it"
    features: list[str] = []

    @model_validator(mode="before")
    @classmethod
    def _from_name(cls, given: Any) -> Any:
        return {"name": given} if isinstance(given, str) else given


class RoleSpec(Part):
    """Who or what a dialogue is about, drawn without replacement.

    Attributes:
        kind: What it is.
        noun: How it is spoken of: `count` (a kite, the kite), `mass` (cress), `plural`
            (the tulips), `proper` (Lantern Hill).
        many: Whether a dialogue has several of it, each bound by a scene.
        draw: What it can be, six or more.
    """

    kind: Literal["person", "place", "thing"]
    noun: Literal["count", "mass", "plural", "proper"] = "proper"
    many: bool = False
    draw: Annotated[list[Referent], Field(min_length=4)]


class PackFact(Part):
    """One typed fact: how its value comes about, and how it is asked for.

    Exactly one of `number`, `clock`, `draw`, `pick` and `law` is given.

    Attributes:
        say: Noun phrase with its article: `the temperature of the warm dish`.
        of: Role of which each has a value of its own; else it is the user's.
        number: Least, greatest, step.
        clock: First and last hour of the day: `[8, 11]` gives 08:00 to 10:55.
        draw: Texts to choose from, six or more.
        pick: A role with `many`: one of those that were bound before it is told.
        law: Arithmetic over other facts of the pack: `warm - 12`, `round(seeds * rate / 100)`.
        unit: Said after a number: `seeds`, `°C`, `EUR`.
        hidden: Never told; feeds laws.
        ask: Questions for its value, three or more where it is told; they say the words of `say`.
    """

    say: Plain
    of: str | None = None
    number: tuple[float, float, float] | None = None
    clock: tuple[int, int] | None = None
    draw: list[Plain] | None = None
    pick: str | None = None
    law: str | None = None
    unit: Plain | None = None
    hidden: bool = False
    ask: list[str] = []

    @model_validator(mode="after")
    def _one_source(self) -> "PackFact":
        given = [self.number, self.clock, self.draw, self.pick, self.law]
        if sum(value is not None for value in given) != 1:
            raise ValueError("expected exactly one of number, clock, draw, pick, law")
        return self


class ChangeSpec(Part):
    """How a fact may change while people talk.

    Attributes:
        until: Last phase in which it can change.
        drift: For numbers: least and greatest difference to the value before, in its unit.
        user: How the user brings the news: `{old}`, `{new}`, roles.
        assistant: How the assistant takes it.
    """

    until: str
    drift: tuple[float, float] | None = None
    user: Text
    assistant: Text


class ListSpec(Part):
    """Things that the user names one by one in the course of a dialogue.

    Attributes:
        say: Noun phrase in the plural: `the things borrowed for the trial`.
        after: First phase in which a piece can come; the first phase if none is named.
        until: Last phase in which one can.
        items: What they are, eight or more: count nouns with their article (`a light meter`).
        ask: Questions for all of them, three or more.
        user: How the user names one: `{item}`, `{item.the}`.
        assistant: How the assistant takes it.
    """

    say: Plain
    after: str | None = None
    until: str
    items: Annotated[list[Plain], Field(min_length=6)]
    ask: Annotated[list[str], Field(min_length=3)]
    user: Text
    assistant: Text


class JoinSpec(Part):
    """A question that joins facts of several rounds (cross-turn reasoning, MMRC §3.1).

    Attributes:
        op: `more` (by how much the first exceeds the second; asked the other way where it does
            not), `total`, `larger`, `smaller` (which of them).
        of: Names of two facts of one unit, or of a fact `of` a role with `many`.
        ask: Questions; those of `more` have `{larger}` and `{smaller}`.
        options: What each fact is about, in the order of `of`: `the warm dish`.
        recommend: For `larger` and `smaller`: questions such as "Which would you recommend to ...".
    """

    op: Literal["more", "total", "larger", "smaller"]
    of: Annotated[list[str], Field(min_length=1, max_length=4)]
    ask: Annotated[list[str], Field(min_length=3)]
    options: list[Plain] = []
    recommend: list[str] = []


class NeverSpec(Part):
    """What nobody tells in any dialogue of the pack (answer refusal, MMRC §3.1).

    Attributes:
        say: The property: `the brand of the fertiliser`.
        near: A fact that is told and is near it.
        ask: Open questions for it.
        premise: Questions that take it for granted and sound like yes or no.
    """

    say: Plain
    near: str
    ask: Annotated[list[str], Field(min_length=2)]
    premise: Annotated[list[str], Field(min_length=2)]


class PackImage(Part):
    """A picture that a round shows.

    Attributes:
        what: What it shows, unique in the pack: `the thermometer on the warm shelf`.
        kind: Which renderer draws it.
        title: Printed at the top.
        measure: What the numbers of a chart are.
        of: Role with `many` of which it shows one: `{@role}` in `what` and `title` names it.
        group: What several pictures of the pack have in common: `the finished cakes`.
        rows: Text by row: `{fact}`, `12-18 cm` for a number drawn between them, `red|blue` for a
            choice, or the words themselves.
        lines: The same for labels, tickets, notes and their like.
        pieces: A list whose next pieces it shows instead of a text; one line each.
    """

    what: str
    kind: str
    title: str
    measure: Plain | None = None
    of: str | None = None
    group: Plain | None = None
    rows: dict[str, str] = {}
    lines: dict[str, str] = {}
    pieces: str | None = None


class PackRound(Part):
    """What the user says and shows, and what the assistant replies.

    Attributes:
        user: The user's turn.
        assistant: The reply.
        shows: Name of an image.
        shown: The user's turn where the image alone tells the facts it shows (modality twins).
        optional: Whether the scene can do without it.
        paired: Whether the reply begins with the wording that has the place of the user's first
            one in its list: each question with its own answer.
    """

    user: Text
    assistant: Text
    shows: str | None = None
    shown: Text | None = None
    optional: bool = False
    paired: bool = False

    @model_validator(mode="after")
    def _as_many(self) -> "PackRound":
        asked, answered = len(self.user[0].wordings), len(self.assistant[0].wordings)
        if self.paired and asked != answered:
            raise ValueError(
                f"expected as many replies as there are first wordings of the user, {asked}, got "
                f"{answered}"
            )
        return self


class SceneSpec(Part):
    """One to three rounds about one thing; no scene names another.

    Attributes:
        role: Whether it opens or closes a dialogue.
        phase: When it can come.
        about: Thread: scenes of one thread come one after another if they can.
        spine: Whether it belongs to the course that the pack tells.
        tells: Facts that its words tell first; all others that its words name are needed.
        needs: Facts that must have been told beside those that its words name.
        when: States that must hold.
        sets: States that hold from here on.
        binds: Role with `many`: the scene can come several times, each time about another one.
        features: What the one it binds must be or have.
        after: Role: comes directly after a scene that bound one, and is about the same one.
        opens: A question that it leaves to be answered by one of the next two rounds.
        answers: A question of another scene that it answers.
        rounds: What is said.
    """

    role: Literal["opening", "closing"] | None = None
    phase: Annotated[list[str], BeforeValidator(lambda one: [one] if isinstance(one, str) else one)]
    about: str
    spine: bool = False
    tells: list[str] = []
    needs: list[str] = []
    when: dict[str, str] = {}
    sets: dict[str, str] = {}
    binds: str | None = None
    features: list[str] = []
    after: str | None = None
    opens: str | None = None
    answers: str | None = None
    rounds: Annotated[list[PackRound], Field(min_length=1, max_length=3)]

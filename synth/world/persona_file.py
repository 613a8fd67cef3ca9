"""Persona files: one readable YAML file says who somebody is and what happens to them.

A persona file holds the two seeds of M3Exam (§2.2, Table D): the persona and its core event.
The core event is spelled out as cards. A card is one event of the timeline: the facts it makes
true, the images and documents that show them, and the rounds in which they come up. Values are
drawn again for each seed, so that one file tells many different histories.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from memassay.schemas.errors import UsageError
from memassay.schemas.files import MIB, FileKind, read_text
from memassay.schemas.yaml_text import decode_yaml
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_parts import FactSpec as FactSpec
from memassay.synth.world.persona_parts import ListSpec as ListSpec
from memassay.synth.world.persona_parts import LogSpec as LogSpec
from memassay.synth.world.persona_parts import Part as _Part
from memassay.synth.world.persona_parts import Plain
from memassay.synth.world.persona_parts import QuantitySpec as QuantitySpec
from memassay.synth.world.persona_parts import ValueRange as ValueRange
from memassay.synth.world.persona_pictures import AxisSpec as AxisSpec
from memassay.synth.world.persona_pictures import ImageSpec as ImageSpec
from memassay.synth.world.persona_pictures import LawSpec as LawSpec
from memassay.synth.world.persona_stages import Months
from memassay.synth.world.persona_stages import StageSpec as StageSpec

PERSONAS = Path(__file__).parent / "personas"
SIDE_EVENTS = PERSONAS / "side-events.yaml"
_File = TypeVar("_File", bound=BaseModel)


class StepSpec(_Part):
    """One step of a procedure.

    Attributes:
        full: The step as the assistant says it, word for word, in one of the card's rounds.
        key: A keyword of it, the coarser answer.
    """

    full: str
    key: str


class StepsSpec(_Part):
    """A procedure of three to six steps, told in order by the assistant in one round.

    Attributes:
        about: What it is about: `user`, or an entity of the persona.
        attribute: Noun phrase: `feeding plan`.
        ask: Questions whose answer is all the steps in order.
        list: The steps.
    """

    about: Plain
    attribute: Plain
    ask: list[str]
    list: Annotated[list[StepSpec], Field(min_length=3, max_length=6)]


class PageSpec(_Part):
    """One page of a document.

    Attributes:
        heading: Printed at its top, slots allowed.
        paragraphs: Its text, slots allowed.
        figure: One image below the text.
    """

    heading: str
    paragraphs: list[str]
    figure: ImageSpec | None = None


class DocumentSpec(_Part):
    """A PDF document of several pages.

    Attributes:
        title: Printed at the top of each page, slots allowed.
        about: Noun phrase for questions and captions: `the Rider Posture Study`.
        pages: Its pages.
    """

    title: str
    about: str
    pages: Annotated[list[PageSpec], Field(min_length=2, max_length=8)]


class RoundSpec(_Part):
    """One exchange: what the user writes, what the assistant answers, what is shown.

    Attributes:
        user: Text grammar: ``{slot}``, and ``[one|other]`` for a choice.
        assistant: The answer, in the same grammar.
        shows: Names of images of the card shown by the user.
        pages: 1-based pages of the card's document shown by the user.
        stage: The stage of the card that it and the rounds after it tell.
        when: The outcomes with which it comes up.
    """

    user: str
    assistant: str
    shows: list[str] = []
    pages: list[int] = []
    stage: str | None = None
    when: dict[str, str] = {}


class CardSpec(_Part):
    """One event of the timeline, or several: one for each stage.

    Attributes:
        id: Unique in the persona.
        domain: For side cards: what it is about, e.g. `errands`.
        after: Cards that come earlier; their facts may be used as `{card.fact}`.
        cause: The one of them that led to this event; the first round says so.
        what: Noun phrase for the event: `{pup}'s admission`.
        query: The visually grounded query that the event raises (M3Exam §2.2).
        keyword: Image-search keyword (M3Exam §2.2).
        facts: Facts by slot name.
        revises: By slot name of ours, the fact of an earlier card (`card.fact`) it replaces.
        steps: A procedure.
        images: By name.
        document: A PDF.
        stages: What happens on days of its own, by name and in order; a card without any happens
            on the day on which it is told.
        months: First and last month in which the first stage can happen: `[Mar, Sep]`.
        outcomes: What is open, each with its outcomes and their weights.
        quantities: What grows or falls from stage to stage, by name; values are `of` them.
        time: `one day` for a card without stages that was read and found to fit its day.
        edition: Edition of the file that brought the card; what a later one brings moves nothing
            that was there before.
        rounds: In order; those with `pages` are document rounds.
    """

    id: str
    domain: str | None = None
    after: list[str] = []
    cause: str | None = None
    what: str
    query: str
    keyword: Plain
    facts: dict[str, FactSpec] = {}
    revises: dict[str, str] = {}
    steps: StepsSpec | None = None
    images: dict[str, ImageSpec] = {}
    document: DocumentSpec | None = None
    stages: dict[str, StageSpec] = {}
    months: Months | None = None
    outcomes: dict[str, dict[str, Annotated[int, Field(ge=1)]]] = {}
    quantities: dict[Plain, QuantitySpec] = {}
    time: Literal["one day"] | None = None
    edition: Annotated[int, Field(ge=1)] = 1
    rounds: Annotated[list[RoundSpec], Field(min_length=2, max_length=18)]

    @property
    def key(self) -> str:
        """What its draws are keyed by."""
        return self.id


class EntitySpec(_Part):
    """Somebody or something with a name of its own, drawn again for each seed.

    Attributes:
        kind: What it is.
        names: Names to choose from; no two entities of a history get the same one.
    """

    kind: Literal["person", "pet", "place", "thing", "project", "organisation"]
    names: Annotated[list[Plain], Field(min_length=1)]


class ImpliedSpec(_Part):
    """A fact never said that follows from facts that are (M3Exam `ii`).

    Attributes:
        about: What it is about: `user`, or an entity of the persona.
        attribute: Noun phrase: `mother tongue`.
        value: What follows; no text has its words.
        competitors: Plausible answers that are wrong.
        ask: Questions whose answer is the value.
        entailed_by: The facts it follows from, as `card.fact`, best from different cards.
    """

    about: Plain
    attribute: Plain
    value: str
    competitors: Annotated[list[str], Field(min_length=3)]
    ask: Annotated[list[str], Field(min_length=1)]
    entailed_by: Annotated[list[str], Field(min_length=2)]


class Voice(_Part):
    """How the user talks: phrases without facts that the dialogue mixes in.

    Attributes:
        openers: Before the first message of a session: greetings that fit wherever it plays.
        thanks: After its last message.
        asides: Small personal remarks in between.
    """

    openers: Annotated[list[str], Field(min_length=8)]
    thanks: Annotated[list[str], Field(min_length=8)]
    asides: Annotated[list[str], Field(min_length=12)]


class PersonaFile(_Part):
    """Who somebody is and everything that can happen to them.

    Attributes:
        id: Id of the persona and of its conversation.
        name: What everybody calls them.
        profession: In a few words.
        summary: A short biography, the persona of M3Exam §2.2.
        traits: Character, one word or phrase each.
        style: How they write.
        core_event: The arc they pursue over time, in one paragraph (M3Exam §2.2).
        domains: Their own fields; side events of these are never theirs.
        voice: How they talk.
        entities: People, animals, places and things, by the slot that gives their name.
        implied: Facts that are never said, by any name.
        logs: What is noted in many sessions, by name: a series of measurements, or
            kinds of which one comes up most often.
        lists: Things of one kind that are asked about together, by any name.
        cards: Events of the core event; the first sets the scene.
        side: Events off the core line, each with a `domain` that is none of the persona's own
            (M3Exam §2.2, distractors). A file without any gets those that ship for everybody.
        spare: Ids of side events that are told only where the others are too few: where a file has
            some of its own, those that ship for everybody.
    """

    id: str
    name: Plain
    profession: Plain
    summary: Plain
    traits: list[Plain]
    style: Plain
    core_event: Plain
    domains: list[Plain]
    voice: Voice
    entities: dict[str, EntitySpec]
    implied: dict[str, ImpliedSpec] = {}
    logs: dict[str, LogSpec] = {}
    lists: dict[str, ListSpec] = {}
    cards: Annotated[list[CardSpec], Field(min_length=1)]
    side: list[CardSpec] = []
    spare: list[str] = []


class SideFile(_Part):
    """Side events for personas that bring none of their own (M3Exam §2.2, distractors).

    Attributes:
        entities: Who and what appears in them, by slot.
        cards: The events, each with a `domain`.
    """

    entities: dict[str, EntitySpec]
    cards: list[CardSpec]


_PERSONA: Final = FileKind("a persona file", 4 * MIB, "take out what it does not need")


@lru_cache(maxsize=64)
def _parse(path: Path, text: str) -> object:
    """What a YAML text says; the same object for the same text, which nobody changes."""
    return decode_yaml(path, text, large=True)


def _load(path: Path) -> object:
    if not path.exists():
        names = ", ".join(sorted(known_personas()))
        raise UsageError(f"persona {path.stem}: expected one of {names}, or a file")
    return _parse(path, read_text(path, _PERSONA))


def known_personas() -> list[str]:
    """Ids of the personas that ship."""
    return sorted(path.stem for path in PERSONAS.glob("*.yaml") if path != SIDE_EVENTS)


def load_persona(path: Path) -> PersonaFile:
    """Read a persona file; one without side events gets those of `SIDE_EVENTS`.

    Who brings side events has those to spare: only where the own are too few, as two people of a
    release would tell the same story.

    Raises:
        UsageError: It does not exist or does not fit; the message names the place.
    """
    persona = _validate(PersonaFile, path)
    shared = load_side_events()
    own = [*persona.cards, *persona.side]
    ids, said = {card.id for card in own}, {key for card in own for key in _properties(card)}
    side = [
        card
        for card in shared.cards
        if card.domain not in persona.domains
        and card.id not in ids
        and said.isdisjoint(_properties(card))
    ]
    entities = {**shared.entities, **persona.entities}
    spare = [card.id for card in side] if persona.side else []
    more = {"side": [*persona.side, *side], "spare": spare, "entities": entities}
    return persona.model_copy(update=more)


def _properties(card: CardSpec) -> set[tuple[str, str]]:
    """What the facts of a card are about."""
    return {(fact.about, fact.attribute) for fact in card.facts.values()}


def load_side_events(path: Path = SIDE_EVENTS) -> SideFile:
    """Read the side events for personas that bring none.

    Raises:
        UsageError: The file does not exist or does not fit.
    """
    return _validate(SideFile, path)


def _validate(model: type[_File], path: Path) -> _File:
    try:
        return model.model_validate(_load(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise UsageError(f"{path.name}.{place}: {first['msg']}{more}") from None


def draw_names(entities: Mapping[str, EntitySpec], user: str, randoms: Randoms) -> dict[str, str]:
    """A name for each entity; no two get the same one, as far as there are others."""
    names: dict[str, str] = {}
    for entity, spec in sorted(entities.items()):
        taken = {user, *names.values()}
        free = [name for name in spec.names if name not in taken] or spec.names
        names[entity] = randoms("names", entity).choice(free)
    return names

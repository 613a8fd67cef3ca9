"""A written history as question makers see it: what is said where, and how to speak of it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.queries.asked.resolving import Things
from memassay.schemas.queries.asked.words import run_of, stands_in
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, FactStatus, Mention, ValueType
from memassay.synth.questions.drafts import Draft
from memassay.synth.world.dials import UNTURNED, prefer
from memassay.synth.world.grammar import expand
from memassay.synth.world.maker import LED_BY, LOG
from memassay.synth.world.persona_file import FactSpec, ImageSpec, PersonaFile
from memassay.synth.world.processes.parts import ToldCards
from memassay.synth.world.values import spoken_value

USUAL_REACH: Final = UNTURNED.evidence_distance
"""How far apart evidence is preferred unless a recipe's dial says otherwise: rather far."""
_NEAR: Final = 3
"""Rounds before another one in which a name is said that the other takes up."""
PRONOUN: Final = re.compile(r"\b(?:his|her|their)\b")
"""What an attribute calls its subject's own, where nobody was named before."""
_NOUN: Final = re.compile(r"\b(?:an?|her|his|its|my|our|the|their|your) ([A-Za-z][A-Za-z-]*)\b")
_SMALL: Final = re.compile(r"\b[a-z][a-z-]*\b")
_CAPITAL: Final = re.compile(r"\b[A-Z][a-z]+")
SUBJECT: Final = re.compile(r"\b(?:he|she|they)\b")
"""What an attribute calls its subject, as in `limit he named`."""


@dataclass(frozen=True)
class Picture:
    """An image or page figure of the history.

    Attributes:
        subject: Subject of its facts.
        about: Noun phrase for it.
        image: What the card says about it.
        cells: Facts by key, without the title.
        attachment: Attachment that shows it.
        round: Round that shows it.
    """

    subject: str
    about: str
    image: ImageSpec
    cells: dict[str, Fact]
    attachment: str
    round: str


class History:
    """Facts, mentions and events of one conversation, with the words to ask about them."""

    def __init__(self, bundle: Bundle, persona: PersonaFile, reach: float = USUAL_REACH) -> None:
        """Index a bundle; `reach` (0 to 1) says how far apart evidence is preferred."""
        self.bundle = bundle
        self.reach = reach
        self.persona = persona
        self.cards = ToldCards(persona)
        self.facts = {fact.id: fact for fact in bundle.facts}
        self.events: list[TimelineEvent] = list(bundle.events)
        self.mentions: dict[str, list[Mention]] = {}
        for mention in bundle.mentions:
            self.mentions.setdefault(mention.fact, []).append(mention)
        self.replaced = {old for fact in bundle.facts for old in fact.supersedes}
        self.names = {key: name for event in bundle.events for key, name in event.names.items()}
        sessions = bundle.conversation.sessions
        self._position = {session.id: at for at, session in enumerate(sessions)}
        self._values = self._slot_values()

    @cached_property
    def ledger(self) -> Ledger:
        """What queries are executed on."""
        return Ledger(self.bundle)

    @cached_property
    def things(self) -> Things:
        """What descriptions are resolved over."""
        return Things(self.bundle, self.ledger)

    @cached_property
    def small_words(self) -> frozenset[str]:
        """Every word that some turn writes with a small first letter: no name of anything."""
        texts = (turn.text for turn in self.bundle.turn_by_id.values())
        return frozenset(word for text in texts for word in _SMALL.findall(text))

    @cached_property
    def nouns(self) -> frozenset[str]:
        """Every word that some turn puts right after an article or a possessive."""
        texts = (turn.text for turn in self.bundle.turn_by_id.values())
        return frozenset(word.casefold() for text in texts for word in _NOUN.findall(text))

    def speaker_name(self, speaker: str) -> str:
        """What a speaker is called."""
        names = {each.id: each.name for each in self.bundle.conversation.speakers}
        return names.get(speaker, speaker)

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Every word that some turn, or the name of a speaker, writes with a capital."""
        texts = [turn.text for turn in self.bundle.turn_by_id.values()]
        texts += [speaker.name for speaker in self.bundle.conversation.speakers]
        return frozenset(word for text in texts for word in _CAPITAL.findall(text))

    def knows_names(self, text: str) -> bool:
        """Whether every name in a question is one that some turn writes, too."""
        inside = text.partition(" ")[2]
        return self.capitals.issuperset(_CAPITAL.findall(inside))

    def names_event(self, text: str) -> bool:
        """Whether a text has the title of an event, which it may not be about."""
        line = [run_of(text)]
        return any(stands_in(run_of(event.title), line) for event in self.events)

    def is_labelled(self, fact: Fact) -> bool:
        """Whether a fact is one of somebody or something with a name, so that `label` fits it."""
        named = fact.subject == "user" or fact.subject in self.names
        return named and fact.order is None and fact.status is FactStatus.ASSERTED

    def _slot_values(self) -> dict[str, str]:
        values = {"user": self.persona.name, **self.names}
        for event in self.events:
            for slot, fact in event.facts.items():
                values[f"{event.card}.{slot}"] = spoken_value(self.facts[fact].value)
        return values

    def say(
        self,
        pattern: str,
        event: TimelineEvent,
        random: Random,
        instead: Mapping[str, str] | None = None,
    ) -> str:
        """A text of a card with its slots filled, some of them with other words."""
        place = f"{event.card}."
        told = {
            slot.removeprefix(place): words
            for slot, words in self._values.items()
            if slot.startswith(place)
        }
        own = {slot: spoken_value(self.facts[fact].value) for slot, fact in event.facts.items()}
        return expand(pattern, random, {**self._values, **told, **own, **(instead or {})}).text

    def session_of(self, fact: Fact) -> str:
        """Id of the session in which a fact is first seen."""
        return self.mentions[fact.id][0].round.partition(":")[0]

    def rank_of(self, fact: Fact) -> int:
        """0-based position of the session in which a fact is first seen."""
        return self._position[self.session_of(fact)]

    def names_subject(self, fact: Fact) -> bool:
        """Whether the round that says a fact first, or one shortly before it, names its subject."""
        place = self.mentions[fact.id][0].round
        session, _, number = place.partition(":")
        near = range(max(1, int(number) - _NEAR), int(number) + 1)
        rounds = (self.bundle.round_by_id[f"{session}:{at}"] for at in near)
        text = " ".join(turn.text for round_ in rounds for turn in round_.turns)
        return self.names[fact.subject].removeprefix("the ") in text

    def anchors(self, name: str) -> list[str]:
        """The round that shows a fact first, or an attachment; none for what is only implied."""
        if name in self.facts:
            return [mention.round for mention in self.mentions.get(name, ())[:1]]
        return [round_.id for round_ in self.bundle.rounds_of(name)]

    def far_first(
        self, drafts: Iterable[Draft], random: Random, reach: float | None = None
    ) -> list[Draft]:
        """Drafts in a random order that prefers those whose evidence lies far apart.

        A reach of 0.5 prefers nothing, 1 the farthest, 0 the nearest; by default the history's.
        """
        lean = 2 * (self.reach if reach is None else reach) - 1
        return prefer(list(drafts), lambda draft: lean * self._apart(draft), random)

    def _apart(self, draft: Draft) -> float:
        """Distance of the first from the last session a draft is about, as a share (0 to 1)."""
        rounds = [place for name in draft.about for place in self.anchors(name)]
        positions = [self._position[place.partition(":")[0]] for place in rounds]
        return (max(positions) - min(positions)) / max(len(self._position) - 1, 1) if rounds else 0

    def is_settled(self, fact: Fact) -> bool:
        """Whether a fact neither replaces another nor is replaced: it has one value for good."""
        return not fact.supersedes and fact.id not in self.replaced

    def in_text(self, fact: Fact) -> bool:
        """Whether a fact was ever said."""
        return any(m.modality is Modality.TEXT for m in self.mentions.get(fact.id, ()))

    def label(self, fact: Fact) -> str:
        """A fact's property as a noun phrase: `Biscuit's weight at admission`."""
        return self.property_of(fact.subject, fact.attribute)

    def log_label(self, name: str) -> str:
        """What a log is of, as a noun phrase: `Donkey's trip meter`."""
        log = self.persona.logs[name]
        return self.property_of(log.about, log.attribute)

    def property_of(self, about: str, property_: str) -> str:
        """A property of somebody or something as a noun phrase."""
        user = about == "user"
        owner = self.persona.name if user else self.names[about]
        own = owner if owner.endswith("'s") else f"{owner}'s"
        attribute = SUBJECT.sub(owner, PRONOUN.sub(own, property_))
        if attribute != property_:
            return f"the {attribute}"
        if " of " in attribute:
            # There is one user: what says `of` needs no owner.
            return f"the {attribute}" if user else f"the {attribute} for {owner}"
        return f"{own} {attribute}"

    def said_facts(self) -> Iterator[tuple[TimelineEvent, FactSpec, Fact]]:
        """Facts of cards that were said in the text, in time order, with what the card says."""
        for event in self.events:
            for slot, spec in self.cards.of(event).facts.items():
                fact = self.facts[event.facts[slot]]
                if self.in_text(fact):
                    yield event, spec, fact

    def numbers(self) -> list[Fact]:
        """Settled numbers that were said, in time order."""
        return [
            fact
            for _, _, fact in self.said_facts()
            if fact.value.type is ValueType.NUMBER and self.is_settled(fact)
        ]

    def dated_events(self) -> list[tuple[TimelineEvent, Fact]]:
        """Events whose absolute date was said, in time order."""
        dates = [
            (event, self.facts[event.facts["date"]])
            for event in self.events
            if "date" in event.facts
        ]
        return [(event, fact) for event, fact in dates if self.in_text(fact)]

    def entries(self, log: str) -> list[tuple[TimelineEvent, Fact]]:
        """The entries of a log that were said, with the events they were noted with, in order."""
        slot = f"{LOG}{log}"
        found = [
            (event, self.facts[event.facts[slot]]) for event in self.events if slot in event.facts
        ]
        return [(event, fact) for event, fact in found if self.in_text(fact)]

    def causes(self) -> list[tuple[TimelineEvent, Fact]]:
        """Events of which the history says what led to them, with the fact that says it."""
        found = [
            (event, self.facts[event.facts[LED_BY]])
            for event in self.events
            if LED_BY in event.facts
        ]
        return [(event, fact) for event, fact in found if self.in_text(fact)]

    def pictures(self, random: Random) -> list[Picture]:
        """Every image and page figure shown, in time order."""
        found: list[Picture] = []
        for event in self.events:
            card = self.cards.of(event)
            pages = card.document.pages if card.document else []
            figures = {f"page:{n}": page.figure for n, page in enumerate(pages, start=1)}
            images = {f"image:{name}": image for name, image in card.images.items()}
            for name, image in {**images, **figures}.items():
                if image is not None:
                    picture = self._picture(event, name, image, random)
                    found.extend([picture] if picture else [])
        return found

    def _picture(
        self, event: TimelineEvent, name: str, image: ImageSpec, random: Random
    ) -> Picture | None:
        own = {s: self.facts[f] for s, f in event.facts.items() if s.startswith(f"{name}:")}
        cells = {
            slot.removeprefix(f"{name}:"): fact
            for slot, fact in own.items()
            if slot != f"{name}:title" and fact.id in self.mentions
        }
        title = own[f"{name}:title"]
        if not cells or title.id not in self.mentions:
            return None
        shown = self.mentions[title.id][0]
        about = self.say(image.about, event, random)
        return Picture(title.subject, about, image, cells, str(shown.attachment), shown.round)

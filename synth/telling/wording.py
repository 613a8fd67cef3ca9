"""Wording: from what a round must say to what is said; the grammar is one way, a model another."""

from dataclasses import dataclass
from typing import Protocol

from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.telling.readings import Readings
from memassay.synth.telling.remarks import led_to, with_notes
from memassay.synth.telling.voice import UserVoice
from memassay.synth.world.grammar import Expansion, Randoms, expand, join
from memassay.synth.world.persona_file import CardSpec, PersonaFile, RoundSpec


@dataclass(frozen=True)
class RoundPlan:
    """What a round must say and show.

    Attributes:
        place: Id of the round.
        event: The event being written.
        card: Its card.
        spec: The round of the card.
        position: 0-based position of the round in its card.
        facts: Facts of the event by slot, and of earlier ones by `card.slot`.
        values: What every slot says, names included.
        shown: What is attached to it.
    """

    place: str
    event: TimelineEvent
    card: CardSpec
    spec: RoundSpec
    position: int
    facts: dict[str, Fact]
    values: dict[str, str]
    shown: list[Attachment]

    @property
    def opens(self) -> bool:
        """Whether it is the first round of its session."""
        return self.place.endswith(":1")

    @property
    def last(self) -> bool:
        """Whether it is the last round of its event."""
        return self.position == len(self.card.rounds) - 1


class Wording(Protocol):
    """Puts rounds into words, in the order in which they are written."""

    def word(self, plan: RoundPlan) -> tuple[Expansion, Expansion]:
        """What the user and the assistant say, with the spans of the slots in it."""
        ...


class GrammarWording:
    """Words rounds by the grammar of their cards, with the voice of the persona mixed in."""

    def __init__(self, persona: PersonaFile, randoms: Randoms) -> None:
        """Take who speaks, and the generators of choices."""
        self.persona = persona
        self.voice = UserVoice(persona.voice, randoms("voice"))
        self.first = min(card.edition for card in persona.cards)
        self.readings = Readings(randoms)
        self.randoms = randoms

    def word(self, plan: RoundPlan) -> tuple[Expansion, Expansion]:
        """The card's texts with choices made and slots filled."""
        random = self.randoms("round", plan.card.key, str(plan.position))
        parts = [expand(plan.spec.user, random, plan.values)]
        # Each phrase comes up once: a later edition leaves them all to what was there before it.
        voice = self.voice if plan.card.edition == self.first else None
        if plan.position == 0:
            parts.insert(0, led_to(plan.event, plan.values, self.randoms("cause", plan.card.key)))
        notes = self.randoms("notes", plan.card.key, str(plan.position))
        at, logs = (plan.position, plan.card.rounds), self.persona.logs
        parts = [with_notes(join(parts), plan.event, *at, logs, plan.values, notes)]
        if plan.opens and voice:
            parts.insert(0, voice.opener())
        elif plan.position and not plan.last and voice:
            parts.append(voice.aside())
        if plan.last and voice:
            parts.append(voice.thanks())
        place = plan.card, plan.position, plan.facts, plan.event.facts
        reply = expand(plan.spec.assistant, random, plan.values)
        return (
            join([self.readings.correction(*place), *parts]),
            join(self.readings.around(*place, reply)),
        )

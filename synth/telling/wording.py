"""Wording: from what a round must say to what is said; the grammar is one way, a model another."""

from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.telling.phrasebook import Phrasebook
from memassay.synth.telling.readings import Readings
from memassay.synth.telling.remarks import led_to, turn_from, with_notes
from memassay.synth.telling.voice import UserVoice
from memassay.synth.world.grammar import NOTHING, Expansion, Randoms, expand, join
from memassay.synth.world.persona_file import CardSpec, PersonaFile, RoundSpec
from memassay.synth.world.processes.phrases import asks_last


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


_RECENT: Final = 2
"""Pictures of an event by which it may be left (our choice)."""


class GrammarWording:
    """Words rounds by the grammar of their cards, with the voice of the persona mixed in."""

    def __init__(self, persona: PersonaFile, randoms: Randoms) -> None:
        """Take who speaks, and the generators of choices."""
        self.persona = persona
        self.voice = UserVoice(persona.voice, randoms("voice"))
        self.first = min(card.edition for card in persona.cards)
        self.readings = Readings(randoms)
        self.randoms = randoms
        # What a later edition says must not move what was said before it.
        self.books = {
            edition: Phrasebook(randoms("remarks", str(edition)))
            for edition in sorted({card.edition for card in [*persona.cards, *persona.side]})
        }
        self._before: TimelineEvent | None = None
        self._shown: list[str] = []
        self._told = ""

    def word(self, plan: RoundPlan) -> tuple[Expansion, Expansion]:
        """The card's texts with choices made and slots filled."""
        random, book = self._random(plan), self.books[plan.card.edition]
        said = [expand(plan.spec.user, random, plan.values)]
        led = led_to(plan.event, plan.values, book) if plan.position == 0 else NOTHING
        at, logs = (plan.position, plan.card.rounds), self.persona.logs
        parts = [with_notes(join([led, *said]), plan.event, *at, logs, plan.values, book)]
        place = plan.card, plan.position, plan.facts, plan.event.facts, plan.values
        correction = self.readings.correction(*place)
        if plan.position == 0 and not plan.opens and not led.text and self._before:
            parts.insert(0, turn_from(self._before, self._shown, self._told, plan.values, book))
        # Each phrase comes up once: a later edition leaves them all to what was there before it.
        if plan.card.edition == self.first:
            parts = self._mix_voice(plan, parts, corrects=bool(correction.text))
        reply = expand(plan.spec.assistant, random, plan.values)
        user, assistant = join([correction, *parts]), join(self.readings.around(*place, reply))
        self._note(plan, f"{user.text} {assistant.text}")
        return user, assistant

    def _note(self, plan: RoundPlan, told: str) -> None:
        """Keep which event was told last, what was said last, and what it showed last."""
        if plan.position == 0:
            self._shown = []
        names = [plan.card.images[name].about for name in plan.spec.shows]
        shown = [expand(about, Random(0), plan.values).text for about in names]
        self._before, self._told = plan.event, told
        self._shown = [*self._shown, *shown][-_RECENT:]

    def _random(self, plan: RoundPlan) -> Random:
        return self.randoms("round", plan.card.key, str(plan.position))

    def _mix_voice(
        self, plan: RoundPlan, parts: list[Expansion], *, corrects: bool
    ) -> list[Expansion]:
        """What the user says with a phrase of their own.

        Thanks are for the reply before, so they come first; nothing follows a question.
        """
        if plan.opens:
            return [self.voice.opener(), *parts]
        before = plan.card.rounds[plan.position - 1] if plan.position else None
        if plan.last and before and not before.shows and not corrects:
            return [self.voice.thanks(), *parts]
        if before and not plan.last and not plan.spec.shows and not asks_last([plan.spec]):
            return [*parts, self.voice.aside()]
        return parts

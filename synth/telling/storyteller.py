"""The dialogue of a history: cards become rounds, slots become mentions, figures become assets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random

from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.ids import round_id, session_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Profile,
    Round,
    RoundKind,
    Session,
    SessionArc,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact, Mention, MentionForm
from memassay.schemas.records.persona import Persona
from memassay.synth.telling.phrasebook import Phrasebook
from memassay.synth.telling.readings import PART, Readings, form_of
from memassay.synth.telling.remarks import led_to, with_notes
from memassay.synth.telling.scenery import Scenery
from memassay.synth.telling.sightings import Sightings
from memassay.synth.telling.wording import GrammarWording, RoundPlan, Wording
from memassay.synth.world.cells.claims import Claims
from memassay.synth.world.grammar import Expansion, Randoms, expand, join, whole_spans
from memassay.synth.world.persona_file import CardSpec, PersonaFile
from memassay.synth.world.processes.parts import ToldCards
from memassay.synth.world.processes.phrases import (
    AHEAD,
    OWN_DAY,
    TimeSlot,
    day_in_words,
    is_evidence,
    length_of,
    phrase_of,
    time_slots,
)
from memassay.synth.world.values import spoken_value


@dataclass(frozen=True)
class Told:
    """What telling a history gives.

    Attributes:
        conversation: The dialogue.
        assets: Its images, documents and pages.
        mentions: Where each fact can be seen.
    """

    conversation: Conversation
    assets: list[Asset]
    mentions: list[Mention]


@dataclass(frozen=True)
class Retold:
    """A round written again, and the mentions of its texts; those of its pictures do not change."""

    round: Round
    mentions: list[Mention]


@dataclass
class _Scene:
    """One event being written.

    Attributes:
        event: The event.
        card: Its card, the guards of its texts decided.
        facts: Its facts by slot.
        values: What its slots say.
        parts: By slot, the facts of which it says a part.
        rounds: What is written.
    """

    event: TimelineEvent
    card: CardSpec
    facts: dict[str, Fact]
    values: dict[str, str]
    parts: Mapping[str, tuple[Fact, ...]]
    rounds: list[Round] = field(default_factory=list)


def title_of(persona: Persona | PersonaFile) -> str:
    """What a conversation is called: who speaks, and what they do."""
    return f"{persona.name}, {persona.profession}"


def speakers_of(persona: Persona | PersonaFile) -> list[Speaker]:
    """The persona as user, and the assistant."""
    profile = Profile(summary=persona.summary, traits=persona.traits, style=persona.style)
    user = Speaker(id="user", name=persona.name, kind=SpeakerKind.HUMAN, profile=profile)
    return [user, Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT)]


def arc_of(events: Sequence[TimelineEvent]) -> SessionArc:
    """A session with an event of the core line is of the main arc."""
    main = any(event.line is EventLine.CORE for event in events)
    return SessionArc.MAIN if main else SessionArc.SIDE


class Storyteller:
    """Tells the events of a world as a conversation between its persona and an assistant."""

    def __init__(
        self,
        persona: PersonaFile,
        facts: Sequence[Fact],
        blobs: BlobStore,
        randoms: Randoms,
        path: str,
    ) -> None:
        """Take the cast, the truth, where pictures go, and for which path; the grammar words it."""
        self.persona = persona
        self.title = title_of(persona)
        self.path = path
        self.cards = ToldCards(persona)
        self.fact_by_id = {fact.id: fact for fact in facts}
        self.randoms = randoms
        self.wording: Wording = GrammarWording(persona, randoms)
        self.sightings = Sightings(persona.id)
        self._slots: dict[str, Fact] = {}
        self.scenery = Scenery(persona.id, blobs, self.sightings, randoms, self._slots)
        self._stages: dict[tuple[str, str | None], TimelineEvent] = {}
        self._spoken: dict[str, str] = {}

    def tell(self, events: Sequence[TimelineEvent]) -> Told:
        """The conversation of events that are in time order."""
        sessions: dict[int, list[TimelineEvent]] = {}
        for event in events:
            sessions.setdefault(event.session, []).append(event)
        told = [self._session(number, sessions[number]) for number in sorted(sessions)]
        conversation = Conversation(
            id=self.persona.id,
            collection=self.path,
            path=self.path,
            title=self.title,
            speakers=speakers_of(self.persona),
            sessions=told,
        )
        return Told(conversation, self.scenery.assets, self.sightings.mentions)

    def _session(self, number: int, events: Sequence[TimelineEvent]) -> Session:
        session = session_id(number)
        self.scenery.enter(session)
        rounds: list[Round] = []
        for event in events:
            scene = self._scene(event)
            for position in range(len(scene.card.rounds)):
                place = round_id(session, len(rounds) + 1)
                rounds.append(self._round(place, scene, position))
        return Session(
            id=session,
            index=number,
            date=events[0].day,
            arc=arc_of(events),
            rounds=rounds,
        )

    def remember(self, event: TimelineEvent) -> dict[str, Fact]:
        """Take what happened before, so that cards may speak of it; gives its facts by slot."""
        facts = {slot: self.fact_by_id[fact] for slot, fact in event.facts.items()}
        said = {slot: spoken_value(fact.value) for slot, fact in facts.items()}
        self._slots |= {f"{event.card}.{slot}": fact for slot, fact in facts.items()}
        self._spoken |= {f"{event.card}.{slot}": words for slot, words in said.items()}
        self._stages[event.card, event.stage] = event
        return facts

    def _scene(self, event: TimelineEvent) -> _Scene:
        facts = self.remember(event)
        said = {slot: spoken_value(fact.value) for slot, fact in facts.items()}
        own = f"{event.card}."
        before = {
            slot.removeprefix(own): words
            for slot, words in self._spoken.items()
            if slot.startswith(own)
        }
        values = {"user": self.persona.name, **event.names} | self._spoken | before | said
        claims = Claims(self.cards.of(event), facts)
        values |= claims.values
        facts |= claims.facts
        card = claims.card
        day, told = date.fromisoformat(event.happened_on), date.fromisoformat(event.day)
        random = self.randoms("day", card.key)
        values[OWN_DAY] = day_in_words(day, told, random)
        facts |= {OWN_DAY: facts["date"]} if "date" in facts else {}
        for slot in time_slots(card):
            values[slot.name], fact = self._phrase(slot, event)
            facts |= {slot.name: fact} if fact else {}
        return _Scene(event, card, facts, values, claims.parts)

    def _phrase(self, slot: TimeSlot, event: TimelineEvent) -> tuple[str, Fact | None]:
        """What a slot of time says in an event, and the fact that it is evidence for."""
        told, known = date.fromisoformat(event.day), None
        if slot.form == AHEAD:
            known = self.fact_by_id.get(event.facts.get(slot.name, ""))
            day = date.fromisoformat(known.value.text if known else event.day)
        else:
            meant = self._stages[event.card, slot.stage]
            day = date.fromisoformat(meant.happened_on)
            if slot.until is not None:
                until = self._stages[event.card, slot.until]
                return length_of(day, date.fromisoformat(until.happened_on)), None
            known = self.fact_by_id.get(meant.facts.get("date", ""))
        random = self.randoms("phrase", event.card, str(event.stage), slot.name)
        said = phrase_of(slot, day, told, random)
        return said, known if is_evidence(said, day, told) else None

    def _round(self, place: str, scene: _Scene, position: int) -> Round:
        spec = scene.card.rounds[position]
        shown = self.scenery.show(place, scene.card, spec, scene.facts, scene.values)
        plan = RoundPlan(
            place=place,
            event=scene.event,
            card=scene.card,
            spec=spec,
            position=position,
            facts={**self._slots, **scene.facts},
            values=scene.values,
            shown=shown,
        )
        user, assistant = self.wording.word(plan)
        turns = [
            self._turn(place, 1, "user", user, scene, shown),
            self._turn(place, 2, "assistant", assistant, scene, []),
        ]
        kind = RoundKind.DOCUMENT if spec.pages else RoundKind.EXCHANGE
        return Round(id=place, kind=kind, turns=turns, event=scene.event.id)

    def retell(
        self,
        events: Sequence[TimelineEvent],
        round_: Round,
        position: int,
        random: Random,
    ) -> Retold:
        """A round written again in new words: the same facts, pictures and speakers.

        Args:
            events: Every event up to the round's own, in time order.
            round_: The round as it is; its text is not looked at.
            position: 1-based position among the rounds of its event.
            random: Draws the words.
        """
        scene = [self._scene(event) for event in events][-1]
        spec = scene.card.rounds[position - 1]
        parts, book = [expand(spec.user, random, scene.values)], Phrasebook(random)
        if position == 1:
            parts.insert(0, led_to(scene.event, scene.values, book))
        at, logs = (position - 1, scene.card.rounds), self.persona.logs
        parts = [with_notes(join(parts), scene.event, *at, logs, scene.values, book)]
        place = scene.card, position - 1, scene.facts, scene.event.facts, scene.values
        readings = Readings(self.randoms)
        parts.insert(0, readings.correction(*place))
        reply = expand(spec.assistant, random, scene.values)
        said = [join(parts), join(readings.around(*place, reply))]
        self.sightings = Sightings(self.persona.id)
        turns = [
            self._turn(round_.id, at, turn.speaker, text, scene, turn.attachments)
            for at, (turn, text) in enumerate(zip(round_.turns, said, strict=True), start=1)
        ]
        return Retold(round_.model_copy(update={"turns": turns}), self.sightings.mentions)

    def _turn(
        self,
        place: str,
        position: int,
        speaker: str,
        said: Expansion,
        scene: _Scene,
        shown: list[Attachment],
    ) -> Turn:
        turn = turn_id(place, position)
        for span in whole_spans(said):
            at, fact = (span.start, span.end), self._fact_of(span.slot, scene)
            if fact is not None:
                form = form_of(span.slot, speaker)
                self.sightings.in_text(fact, place, turn, speaker, at, form)
            for part in scene.parts.get(span.slot, ()):
                self.sightings.in_text(part, place, turn, speaker, at, MentionForm.PARTIAL)
        self._steps(scene, place, turn, speaker, said.text)
        return Turn(id=turn, speaker=speaker, text=said.text, attachments=shown)

    def _fact_of(self, slot: str, scene: _Scene) -> Fact | None:
        slot = slot.removeprefix(PART)
        own = self._slots.get(f"{scene.event.card}.{slot}")
        return scene.facts.get(slot) or own or self._slots.get(slot)

    def _steps(self, scene: _Scene, place: str, turn: str, speaker: str, text: str) -> None:
        if speaker != "assistant":
            return
        for slot, fact in scene.facts.items():
            # A step may open a sentence, with a capital its fact does not have.
            start = text.lower().find(fact.value.text.lower()) if "step:" in slot else -1
            if start >= 0:
                end = start + len(fact.value.text)
                self.sightings.in_text(fact, place, turn, speaker, (start, end))

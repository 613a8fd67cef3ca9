"""The world behind a history: who is who, what happens when, and every fact that follows."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import partial
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactOperation,
    FactStatus,
    FactValue,
    ValueType,
)
from memassay.schemas.records.persona import Persona, persona_id
from memassay.synth.laws.solving import Unsolvable
from memassay.synth.world.cells.axes import axis_days, row_labels
from memassay.synth.world.cells.drawing import image_values
from memassay.synth.world.cells.late import LATE, LateCorrections
from memassay.synth.world.cells.laws import FactOf
from memassay.synth.world.cells.quantities import amount_on, value_near
from memassay.synth.world.cells.readings import MISREAD, readings_of
from memassay.synth.world.dials import UNTURNED
from memassay.synth.world.grammar import SLOT, Randoms, expand, slots_of
from memassay.synth.world.persona_checks import may_say_date, texts_of
from memassay.synth.world.persona_file import (
    CardSpec,
    ImageSpec,
    PersonaFile,
    ValueRange,
    draw_names,
)
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.processes.event_times import Turn, event_times, turns_of
from memassay.synth.world.processes.stage_calendar import Calendar
from memassay.synth.world.values import CLOCK, draw_value, minutes, spoken_value

_TRIES = 40
LOG: Final = "log:"
"""Begins the slot of an entry of a log; its name follows."""
WHEN: Final = "event:when"
"""Slot of the date of an event that the user says beside the text of its card."""
LED_BY: Final = "event:cause"
"""Slot of what led to an event; no fact of a card has it."""
CAUSE: Final = "cause"
"""Attribute of a fact that says what led to an event."""
PLANNED: Final = "planned date"
"""Attribute of a fact that says for when an event is planned."""
_NOTED: Final = (1, 2)
"""Fewest and most logs that get an entry in a session (our choice)."""
_LEANING: Final = 0.35
"""Share of the entries of kinds that are one kind for certain, the one that comes up most."""


@dataclass
class World:
    """Names, events and facts of one history.

    Attributes:
        conversation: Id of the conversation.
        names: Name by entity.
        events: In time order.
        facts: In the order they come true.
    """

    conversation: str
    names: dict[str, str]
    events: list[TimelineEvent] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)


def persona_of(file: PersonaFile) -> Persona:
    """The source inputs of a history as a record: persona and core event (M3Exam §2.2)."""
    return Persona(
        id=persona_id(file.id),
        conversation=file.id,
        name=file.name,
        profession=file.profession,
        summary=file.summary,
        traits=file.traits,
        style=file.style,
        core_event=file.core_event,
        domains=file.domains,
    )


class WorldMaker:
    """Draws a world from a persona and the cards that were cast."""

    def __init__(
        self, persona: PersonaFile, randoms: Randoms, reads: float = UNTURNED.assistant_reads
    ) -> None:
        """Draw the names; everything else comes with `make`.

        Args:
            persona: Whose world it is.
            randoms: Gives the generator of a purpose.
            reads: Share of the rounds with a picture in which the assistant reads it.
        """
        self.persona = persona
        self.reads = reads
        self.randoms = randoms
        names = draw_names(persona.entities, persona.name, randoms)
        self.world = World(persona.id, names)
        self.names = {"user": persona.name, **names}
        self._by_slot: dict[str, Fact] = {}
        self._spoken: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._used: set[str] = set()
        self._implied: set[str] = set()

    def remember(self, events: Iterable[TimelineEvent], facts: Mapping[str, Fact]) -> None:
        """Take what happened before: cards may speak of its facts, and no value comes again."""
        for event in events:
            self._titles[event.card] = event.title
            for slot, name in event.facts.items():
                self._hold(f"{event.card}.{slot}", facts[name])
                self._used.add(spoken_value(facts[name].value))

    def make(self, cards: list[CastCard]) -> World:
        """The world in which these cards happen."""
        self._calendar = Calendar(cards)
        turns = list(turns_of(cards))
        first = [one.session for one in cards if one.card.edition == 1]
        self._late = LateCorrections(self.randoms, max(first, default=0))
        # Edition by edition: what a later one brings is numbered and drawn after all before it.
        for edition in sorted({one.card.edition for one in cards}):
            for turn in turns:
                if turn.cast.card.edition == edition:
                    self._event(turn)
            self._imply()
        events = sorted(self.world.events, key=lambda event: event.position)
        clocks = [self._clock(one) for one in cards]
        self.world.events = [
            event.model_copy(update={"date": when.isoformat(timespec="minutes")})
            for event, when in zip(events, event_times(cards, clocks, self.randoms), strict=True)
        ]
        return self.world

    def _event(self, turn: Turn) -> None:
        position, one, has_logs, notes_day = turn
        day, told = one.happened, one.told
        card, random = one.card, self.randoms("values", one.card.key)
        logs = self._log_entries(card) if has_logs else []
        slots: dict[str, str] = {}
        # Titles hold names only; a fact about an event has its title as subject.
        self._titles[card.id] = expand(card.what, self.randoms("title", card.key), self.names).text
        dated = notes_day or may_say_date(card) or self._calendar.is_named(one)
        self._session = one.session
        due = self._late.due(one.session) if card.edition == 1 else {}
        slots |= {slot: fact.id for slot, fact in due.items()}
        facts = self._event_facts(card, day, random, dated=dated)
        for slot, fact in itertools.chain(facts, self._plans(one)):
            slots[slot] = fact.id
            self._hold(f"{card.id}.{slot}", fact)
        if notes_day:
            slots[WHEN] = slots["date"]
        for name in logs:
            slots[f"{LOG}{name}"] = self._entry(name, card, told).id
        values = self.values(card)
        self.world.events.append(
            TimelineEvent(
                id=record_id(self.world.conversation, f"E{len(self.world.events) + 1:03d}"),
                conversation=self.world.conversation,
                position=position,
                session=one.session,
                date=told.isoformat(),
                line=one.line,
                title=self._titles[card.id],
                query=expand(card.query, random, values).text,
                keyword=card.keyword,
                card=card.id,
                source_sha256=self._source(card),
                names=self._names_in(card, logs),
                facts=slots,
                stage=one.stage,
                happened=day.isoformat() if one.stage else None,
                outcomes=one.outcomes,
            )
        )

    def _plans(self, one: CastCard) -> Iterator[tuple[str, Fact]]:
        """For when what comes later is planned, as a stage says it."""
        for slot, day in self._calendar.plans(one):
            stage = one.card.stages[slot.stage]
            key = f"{one.card.id}/{slot.stage}"
            title = expand(stage.what, self.randoms("title", key), self.names).text
            value = FactValue(type=ValueType.DATE, text=day.isoformat())
            yield slot.name, self._add(title, PLANNED, value, one.happened.isoformat())

    def _log_entries(self, card: CardSpec) -> list[str]:
        """Names of the logs that get an entry with an event."""
        random, names = self.randoms("noted", card.key), list(self.persona.logs)
        return random.sample(names, min(random.randint(*_NOTED), len(names)))

    def _clock(self, one: CastCard) -> int:
        """The latest minute of the day that the user names of a card; 0 for none."""
        said, texts = self.values(one.card), (spoken.user for spoken in one.card.rounds)
        told = [SLOT.sub(lambda slot: said.get(slot[1], ""), text) for text in texts]
        return max((minutes(clock) for text in told for clock in CLOCK.findall(text)), default=0)

    def _entry(self, name: str, card: CardSpec, day: date) -> Fact:
        """An entry of a log: a fact about the event it is noted with."""
        log, random = self.persona.logs[name], self.randoms("entry", name, card.key)
        value = draw_value(log.value, random, day, self._say(random))
        if log.value.one_of is not None and random.random() < _LEANING:
            leaning = self.randoms("leaning", name).choice(log.value.one_of)
            value = FactValue(type=ValueType.TEXT, text=self._say(random)(leaning))
        return self._add(self._titles[card.id], log.attribute, value, day.isoformat())

    def _names_in(self, card: CardSpec, logs: list[str]) -> dict[str, str]:
        slots = {slot for _, text in texts_of(card) for slot in slots_of(text)}
        slots |= {self.persona.logs[name].about for name in logs}
        slots |= {fact.about for fact in card.facts.values()}
        slots |= {card.steps.about} if card.steps else set()
        return {one: name for one, name in self.world.names.items() if one in slots}

    def _source(self, card: CardSpec) -> str:
        told_in = [self.persona.name, self.persona.summary, self.persona.voice.model_dump()]
        return content_hash([card.model_dump(mode="json"), told_in])

    def _event_facts(
        self, card: CardSpec, day: date, random: Random, *, dated: bool
    ) -> Iterator[tuple[str, Fact]]:
        when = day.isoformat()
        if dated:
            date_value = FactValue(type=ValueType.DATE, text=when)
            yield "date", self._add(self._titles[card.id], "date", date_value, when)
        if card.cause:
            earlier = FactValue(type=ValueType.TEXT, text=self._titles[card.cause])
            yield LED_BY, self._add(self._titles[card.id], CAUSE, earlier, when)
        for slot, spec in card.facts.items():
            old = self._by_slot.get(card.revises.get(slot, ""))
            value = self._value(card, spec.value, random, day, old)
            yield slot, self._add(spec.about, spec.attribute, value, when, old)
            self._hold(f"{card.id}.{slot}", self.world.facts[-1])
        if card.steps:
            values = self.values(card)
            for order, step in enumerate(card.steps.list, start=1):
                text = expand(step.full, random, values).text
                value = FactValue(type=ValueType.TEXT, text=text)
                steps = self._add(card.steps.about, card.steps.attribute, value, when, order=order)
                yield f"step:{order}", steps
        pages = card.document.pages if card.document else []
        figures = {f"page:{n}": page.figure for n, page in enumerate(pages, start=1)}
        images = {f"image:{name}": image for name, image in card.images.items()}
        for name, image in {**images, **figures}.items():
            if image is not None:
                yield from self._image_facts(card, name, image, day, random)
        yield from self._readings(card, day)

    def _readings(self, card: CardSpec, day: date) -> Iterator[tuple[str, Fact]]:
        """Values that the assistant reads off pictures, and what it takes some of them for."""
        own = f"{card.id}."
        slots = {p.removeprefix(own): f for p, f in self._by_slot.items() if p.startswith(own)}
        values = {slot: fact.value for slot, fact in slots.items()}
        stages, say = self._calendar.stages_of(card.id), self._say(self.randoms("rows"))

        def rows(image: ImageSpec) -> list[str]:
            return row_labels(image, day, say, stages)

        for reading, wrong in readings_of(card, rows, values, self.reads, self.randoms):
            yield reading.slot, slots[reading.cell]
            if wrong is not None:
                fact = self._wrong(slots[reading.cell], wrong, day)
                late = self._late.takes(card, reading, self._session, slots, fact)
                yield f"{LATE if late else MISREAD}{reading.position}", fact

    def _wrong(self, right: Fact, value: FactValue, day: date) -> Fact:
        """What the assistant holds to be so until the user puts it right."""
        fact = self._add(right.subject, right.attribute, value, day.isoformat())
        held = {"holder": FactHolder.SPEAKER, "speaker": "assistant"}
        fact = fact.model_copy(update={**held, "status": FactStatus.RETRACTED})
        self.world.facts[-1] = fact
        return fact

    def _image_facts(
        self, card: CardSpec, name: str, image: ImageSpec, day: date, random: Random
    ) -> Iterator[tuple[str, Fact]]:
        subject, when = (
            f"{name.partition(':')[0]}:{card.id}.{name.partition(':')[2]}",
            day.isoformat(),
        )
        values = self.values(card)
        title = FactValue(type=ValueType.TEXT, text=expand(image.title, random, values).text)
        yield f"{name}:title", self._add(subject, "depicts", title, when)
        draws = partial(self.randoms, "cell", card.key, name)
        stages = self._calendar.stages_of(card.id)
        rows = row_labels(image, day, lambda row: expand(row, random, values).text, stages)
        say, facts = self._say(random), self._facts_of(card)
        days = axis_days(image.axis, day, stages) if image.axis else [day] * len(rows)
        quantity = image.value.of if image.value else None
        measured = {
            row: self._amount(card, quantity, at)
            for row, at in zip(rows, days, strict=True)
            if quantity is not None
        }
        try:
            drawn = list(image_values(image, rows, day, say, facts, draws, measured))
        except Unsolvable as error:
            place = f"{self.persona.id}.{card.id}.{name}"
            raise UsageError(f"{place}.laws: {error}; run the checker of persona files") from None
        for key, value in drawn:
            yield f"{name}:{key}", self._add(subject, key, value, when)

    def _facts_of(self, card: CardSpec) -> FactOf:
        """Values by slot, as the texts of a card name facts of its own and of earlier ones."""
        own = f"{card.id}."
        return lambda slot: self._by_slot[own + slot if own + slot in self._by_slot else slot].value

    def _say(self, random: Random) -> Callable[[str], str]:
        """Makes the choices of a value's text and fills in names.

        Other facts have no place there: they would be seen where no mention notes them.
        """
        return lambda text: expand(text, random, self.names).text

    def _value(
        self, card: CardSpec, spec: ValueRange, random: Random, day: date, old: Fact | None
    ) -> FactValue:
        """A value of a fact: what its quantity is on that day, or a fresh one."""
        if spec.of is None:
            return self._fresh(spec, random, day, old)
        return value_near(spec, self._amount(card, spec.of, day))

    def _amount(self, card: CardSpec, name: str, day: date) -> Decimal:
        stages = self._calendar.stages_of(card.id)
        return amount_on(card, name, day, stages, self.randoms)

    def _fresh(self, spec: ValueRange, random: Random, day: date, old: Fact | None) -> FactValue:
        """A value no other fact has, as far as the range allows, and never the one it replaces."""
        say = self._say(random)
        value = draw_value(spec, random, day, say)
        for _ in range(_TRIES):
            if spoken_value(value) not in self._used and (old is None or value != old.value):
                break
            value = draw_value(spec, random, day, say)
        self._used.add(spoken_value(value))
        return value

    def _add(
        self,
        subject: str,
        attribute: str,
        value: FactValue,
        when: str | None,
        old: Fact | None = None,
        order: int | None = None,
    ) -> Fact:
        fact = Fact(
            id=record_id(self.world.conversation, f"F{len(self.world.facts) + 1:04d}"),
            subject=subject,
            attribute=attribute,
            value=value,
            valid_from=when,
            operation=FactOperation.REVISE if old else FactOperation.APPEND,
            supersedes=[old.id] if old else [],
            order=order,
        )
        self.world.facts.append(fact)
        return fact

    def _imply(self) -> None:
        for name, implied in self.persona.implied.items():
            known = all(place in self._by_slot for place in implied.entailed_by)
            if name in self._implied or not known:
                continue
            self._implied.add(name)
            say = self._say(self.randoms("implied", name))
            fact = Fact(
                id=record_id(self.world.conversation, f"F{len(self.world.facts) + 1:04d}"),
                subject=implied.about,
                attribute=implied.attribute,
                value=FactValue(type=ValueType.TEXT, text=say(implied.value)),
                status=FactStatus.IMPLIED,
                entailed_by=[self._by_slot[place].id for place in implied.entailed_by],
            )
            self.world.facts.append(fact)

    def values(self, card: CardSpec) -> dict[str, str]:
        """What every slot of a card's texts says."""
        own = f"{card.id}."
        said = {
            place.removeprefix(own): text
            for place, text in self._spoken.items()
            if place.startswith(own)
        }
        return self.names | self._spoken | said

    def _hold(self, place: str, fact: Fact) -> None:
        self._by_slot[place], self._spoken[place] = fact, spoken_value(fact.value)

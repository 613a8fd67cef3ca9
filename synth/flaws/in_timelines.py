"""Flaws planted into a timeline: events and facts as a careless author could have made them."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from random import Random

from memassay.schemas.base import Record
from memassay.schemas.judgements.flaw import FlawKind
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact, FactOperation
from memassay.synth.flaws.facts import misstatements
from memassay.synth.flaws.forms import (
    CURSES,
    DIRT,
    INSULTED,
    LEDGER_CONTRADICTION,
    TIMELINE_CONTRADICTION,
    TIMELINE_DATES,
    TIMELINE_OFFENSIVE,
    TIMELINE_PERSONA,
)
from memassay.synth.flaws.lives import OtherLives
from memassay.synth.flaws.planting import Plant, Planted, planted_by
from memassay.synth.world.grammar import Randoms, expand, with_article
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.processes.parts import ToldCards


class TimelinePlanter:
    """Plants flaws into the events and facts of one history; `records` are what they become."""

    def __init__(
        self,
        persona: PersonaFile,
        donors: Sequence[PersonaFile],
        records: Sequence[Record],
        randoms: Randoms,
    ) -> None:
        """Take the clean records and whose lives flaws borrow from."""
        self.records = list(records)
        self.persona = persona
        self.randoms = randoms
        self.events = [record for record in records if isinstance(record, TimelineEvent)]
        self.facts = {record.id: record for record in records if isinstance(record, Fact)}
        self.lives = OtherLives(persona, donors, {event.card for event in self.events})
        self._free = list(self.events)

    def plant(self, wanted: Mapping[FlawKind, int]) -> list[Planted]:
        """Plant flaws, each into an event of its own; fewer than wanted if nothing is left."""
        plants: Mapping[FlawKind, Plant] = {
            FlawKind.CONTRADICTION: self._contradiction,
            FlawKind.DRIFT: self._drift,
            FlawKind.DATE_ORDER: self._date,
            FlawKind.PERSONA: self._persona,
            FlawKind.OFFENSIVE: self._offensive,
        }
        return planted_by(plants, wanted, self.randoms)

    def _take(self, random: Random, events: Sequence[TimelineEvent]) -> TimelineEvent | None:
        fit = [event for event in self._free if event in events]
        if not fit:
            return None
        event = random.choice(fit)
        self._free.remove(event)
        return event

    def _replace(self, new: Record) -> None:
        self.records = [new if one.id == new.id else one for one in self.records]

    def _reword(
        self,
        kind: FlawKind,
        random: Random,
        forms: Sequence[tuple[str, str]],
        event: TimelineEvent | None,
        values: Mapping[str, str],
    ) -> Planted | None:
        if event is None:
            return None
        field, form = random.choice(forms)
        own = {"query": event.query, "title": event.title, "name": self.persona.name}
        text = expand(form, random, {**own, **values}).text
        self._replace(event.model_copy(update={field: text}))
        return Planted(kind, event.id, f"{field}: {form}", text)

    def _persona(self, random: Random) -> Planted | None:
        trade = self.lives.trade(random)
        values = {"job": with_article(trade), "trade": trade, "stranger": self.lives.name(random)}
        event = self._take(random, self.events)
        return self._reword(FlawKind.PERSONA, random, TIMELINE_PERSONA, event, values)

    def _offensive(self, random: Random) -> Planted | None:
        values = offences(random)
        event = self._take(random, self.events)
        return self._reword(FlawKind.OFFENSIVE, random, TIMELINE_OFFENSIVE, event, values)

    def _drift(self, random: Random) -> Planted | None:
        core = [event for event in self.events if event.line is EventLine.CORE]
        event = self._take(random, core)
        if event is None:
            return None
        day = datetime.fromisoformat(event.date).date()
        title, query, keyword = self.lives.event(random, day)
        changes = random.choice(
            [
                {"title": title, "query": query, "keyword": keyword},
                {"title": title, "query": query},
                {"title": title, "keyword": keyword},
            ]
        )
        self._replace(event.model_copy(update=changes))
        form = f"{', '.join(changes)} of another life"
        return Planted(FlawKind.DRIFT, event.id, form, " / ".join(changes.values()))

    def _contradiction(self, random: Random) -> Planted | None:
        if random.random() < 0.5:
            return self._in_ledger(random)
        known = misstatements(self.persona, self.events, self.facts, random)
        told = {one.event for one in known}
        event = self._take(random, [event for event in self.events if event.id in told])
        if event is None:
            return None
        said = random.choice([one for one in known if one.event == event.id])
        values = {"label": said.label("you"), "wrong": said.wrong, "right": said.right}
        return self._reword(FlawKind.CONTRADICTION, random, TIMELINE_CONTRADICTION, event, values)

    def _in_ledger(self, random: Random) -> Planted | None:
        """A revision without what it revises, or a fact that states another one's property."""
        form = random.choice(LEDGER_CONTRADICTION)
        owner = {fact: event for event in self.events for fact in event.facts.values()}
        revised = [one for one in self.facts.values() if one.supersedes and one.id in owner]
        if form == LEDGER_CONTRADICTION[0] and revised:
            event = self._take(random, [owner[one.id] for one in revised])
            fact = next((one for one in revised if event and owner[one.id] is event), None)
            if event is None or fact is None:
                return None
            flawed = fact.model_copy(update={"supersedes": [], "operation": FactOperation.APPEND})
        else:
            form = LEDGER_CONTRADICTION[1]
            pairs = list(_same_kind(self.persona, self.events, self.facts))
            event = self._take(random, [owner[later.id] for _, later in pairs])
            if event is None:
                return None
            earlier, later = random.choice([pair for pair in pairs if owner[pair[1].id] is event])
            same = {"subject": earlier.subject, "attribute": earlier.attribute}
            flawed = later.model_copy(update=same)
        self._replace(flawed)
        said = f"{flawed.subject}: {flawed.attribute} = {flawed.value.text}"
        return Planted(FlawKind.CONTRADICTION, event.id, form, said)

    def _date(self, random: Random) -> Planted | None:
        """An event's date moved out of order; the first has none before it, the last none after."""
        event = self._take(random, self.events[1:-1])
        if event is None:
            return None
        at = self.events.index(event)
        before, after = (self.events[at + step].date for step in (-1, 1))
        form = random.choice(TIMELINE_DATES)
        base = before if "before" in form else after
        far = {"weeks": timedelta(days=random.randint(15, 60)), "a year": timedelta(days=365)}
        near = {"minutes": timedelta(minutes=random.randint(3, 50)), "day": timedelta(days=1)}
        step = next((d for name, d in (far | near).items() if form.startswith(name)), timedelta())
        moved = datetime.fromisoformat(base) + (-step if "before" in form else step)
        date = moved.isoformat(timespec="minutes")
        self._replace(event.model_copy(update={"date": date}))
        return Planted(FlawKind.DATE_ORDER, event.id, form, date)


def offences(random: Random) -> dict[str, str]:
    """Values of the slots of offensive forms."""
    insulted = random.choice(INSULTED)
    return {
        "insulted": insulted,
        "insult": with_article(insulted),
        "dirt": random.choice(DIRT),
        "curse": random.choice(CURSES),
    }


def _same_kind(
    persona: PersonaFile, events: Sequence[TimelineEvent], facts: Mapping[str, Fact]
) -> list[tuple[Fact, Fact]]:
    """Pairs of settled facts of one type and unit and different values, earlier first."""
    cards = ToldCards(persona)
    replaced = {old for fact in facts.values() for old in fact.supersedes}
    told = [
        facts[event.facts[slot]]
        for event in events
        for slot in cards.of(event).facts
        if not facts[event.facts[slot]].supersedes and event.facts[slot] not in replaced
    ]
    return [
        (one, other)
        for at, one in enumerate(told)
        for other in told[at + 1 :]
        if (one.value.type, one.value.unit) == (other.value.type, other.value.unit)
        and one.value.text != other.value.text
    ]

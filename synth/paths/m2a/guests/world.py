"""What happens to the concepts of a group: beats dealt to sessions, with values and days."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Final

from memassay.schemas.ids import record_id
from memassay.schemas.records.ledger import Fact, FactOperation, FactValue, ValueType
from memassay.schemas.values.civil_time import start
from memassay.synth.concepts.groups import Chosen
from memassay.synth.paths.m2a.guests.beats import Beat, Thread, Threads, ToldFact

_DAYS_AGO: Final = ("yesterday", "two days ago", "three days ago", "four days ago", "five days ago")
BEATS: Final = (2, 3)
"""Fewest and most beats of a session after the first (our choice)."""


@dataclass(frozen=True)
class Happening:
    """A beat of one concept.

    Attributes:
        concept: Name of the concept.
        name: Name of the beat.
        beat: What is told.
        values: What each slot says.
        facts: Fact of each slot that is one; `when` is its date.
    """

    concept: str
    name: str
    beat: Beat
    values: dict[str, str]
    facts: dict[str, Fact]


@dataclass
class GuestWorld:
    """A group of concepts over its sessions.

    Attributes:
        conversation: Id of the guest conversation.
        owner: Name of the speaker whose concepts they are.
        group: The concepts with the pictures that are shown.
        dates: `When` of each session.
        sessions: What is told in each.
    """

    conversation: str
    owner: str
    group: Sequence[Chosen]
    dates: Sequence[str]
    sessions: list[list[Happening]] = field(default_factory=list)

    @property
    def happenings(self) -> list[Happening]:
        """All of them, in the order in which they are told."""
        return [one for session in self.sessions for one in session]


def guest_world(
    conversation: str,
    owner: str,
    group: Sequence[Chosen],
    dates: Sequence[str],
    told: Threads,
    random: Random,
) -> GuestWorld:
    """Deal what can be told about each concept to the sessions after the first.

    A concept has at most one beat a session, so that what revises a fact is told later than it.
    """
    world = GuestWorld(conversation, owner, group, dates, [[]])
    queues = {
        one.concept.name: _in_order(told.thread_of(one.concept.category or ""), random)
        for one in group
    }
    maker = _Maker(world, told, random)
    names = list(queues)
    for when in dates[1:]:
        random.shuffle(names)
        # Those of which most is left to tell come first.
        names.sort(key=lambda name: -len(queues[name]))
        chosen = [name for name in names if queues[name]][: random.randint(*BEATS)]
        day = start(when).date()
        world.sessions.append([maker.happening(name, *queues[name].pop(0), day) for name in chosen])
    return world


def _in_order(thread: Thread, random: Random) -> list[tuple[str, Beat]]:
    """The beats of a thread: the first one, a pair of which one changes the other, the rest."""
    first, *rest = thread.beats
    random.shuffle(rest)
    changes = [name for name in rest if _revises(thread.beats[name])]
    change = changes[0]
    order = [first, thread.beats[change].after, change]
    rest = [name for name in rest if name not in order]
    while rest:
        name = next(one for one in rest if thread.beats[one].after in ("", *order))
        rest.remove(name)
        order.append(name)
    return [(name, thread.beats[name]) for name in order]


def _revises(beat: Beat) -> bool:
    return any(spec.revises for spec in beat.facts.values())


class _Maker:
    """Draws the facts of beats, each value once in a group."""

    def __init__(self, world: GuestWorld, told: Threads, random: Random) -> None:
        self.world, self.random = world, random
        self.people = random.sample(told.people, len(told.people))
        self.taken: set[str] = {world.owner}
        self.known: dict[tuple[str, str], Fact] = {}
        self.number = 0

    def happening(self, concept: str, name: str, beat: Beat, day: date) -> Happening:
        facts = {slot: self._fact(concept, slot, spec) for slot, spec in beat.facts.items()}
        values = {slot: _spoken(fact.value) for slot, fact in facts.items()}
        if beat.dated is not None:
            ago = self.random.randint(1, len(_DAYS_AGO))
            value = FactValue(type=ValueType.DATE, text=(day - timedelta(days=ago)).isoformat())
            facts["when"] = self._made(concept, beat.dated.attribute, value)
            values["when"] = _DAYS_AGO[ago - 1]
        return Happening(concept, name, beat, values, facts)

    def _fact(self, concept: str, slot: str, spec: ToldFact) -> Fact:
        old = self.known.get((concept, spec.revises)) if spec.revises else None
        attribute = old.attribute if old is not None else spec.attribute
        fact = self._made(concept, attribute, self._value(spec), old)
        self.known[concept, slot] = fact
        return fact

    def _made(
        self, concept: str, attribute: str, value: FactValue, old: Fact | None = None
    ) -> Fact:
        self.number += 1
        return Fact(
            id=record_id(self.world.conversation, f"F{self.number:03d}"),
            subject=concept,
            attribute=attribute,
            value=value,
            operation=FactOperation.REVISE if old else FactOperation.APPEND,
            supersedes=[old.id] if old else [],
        )

    def _value(self, spec: ToldFact) -> FactValue:
        if spec.number is not None:
            least, most, step = spec.number
            free = [n for n in range(least, most + 1, step) if str(n) not in self.taken]
            text = str(self.random.choice(free))
            kind = ValueType.NUMBER
        else:
            pool = self.people if spec.person else spec.one_of
            free_texts = [one for one in pool if one not in self.taken]
            text = self.random.choice(free_texts or list(pool))
            kind = ValueType.ENTITY if spec.person else ValueType.TEXT
        self.taken.add(text)
        return FactValue(type=kind, text=text, unit=spec.unit)


def _spoken(value: FactValue) -> str:
    return f"{value.text} {value.unit}" if value.unit else value.text

"""What happens to some subjects: beats dealt to sessions, with values and days."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Final

from memassay.schemas.ids import record_id
from memassay.schemas.records.conversation import Speaker
from memassay.schemas.records.ledger import Fact, FactOperation, FactValue, ValueType
from memassay.schemas.values.civil_time import day_forms, start
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.paths.m2a.talks.beats import Beat, Thread, ToldFact

_DAYS_AGO: Final = ("yesterday", "two days ago", "three days ago", "four days ago", "five days ago")


@dataclass(frozen=True)
class Subject:
    """Somebody or something that two people talk about.

    Attributes:
        name: Subject of its facts.
        topic: What comes before their attributes: `sister`; empty for none.
        said: How turns name it: `<bo>`, `my sister`.
        family: What its pictures show.
        thread: What can be told about it.
        owner: Whose it is, or who it is.
        friend: To whom it is told.
        images: Pictures of it to be shown, in order.
        look: What tells its pictures from those of others; empty where nobody asks.
    """

    name: str
    topic: str
    said: str
    family: str
    thread: Thread
    owner: Speaker
    friend: Speaker
    images: tuple[ConceptImage, ...] = ()
    look: str = ""

    @property
    def key(self) -> str:
        """Name and topic: no other subject of a conversation has both."""
        return f"{self.name}/{self.topic}"

    def attribute(self, plain: str) -> str:
        """A property as its facts name it: `sister city`."""
        return f"{self.topic} {plain}".strip()


@dataclass(frozen=True)
class Happening:
    """A beat of one subject.

    Attributes:
        subject: Whom or what it is about.
        name: Name of the beat.
        beat: What is told.
        values: What each slot says.
        facts: Fact of each slot that is one; `when` is its date.
    """

    subject: Subject
    name: str
    beat: Beat
    values: dict[str, str]
    facts: dict[str, Fact]


@dataclass
class World:
    """Some subjects over the sessions of a conversation.

    Attributes:
        conversation: Id of the conversation.
        subjects: Whom and what it is about.
        dates: `When` of each session.
        sessions: What is told in each.
    """

    conversation: str
    subjects: Sequence[Subject]
    dates: Sequence[str]
    sessions: list[list[Happening]] = field(default_factory=list)

    @property
    def happenings(self) -> list[Happening]:
        """All of them, in the order in which they are told."""
        return [one for session in self.sessions for one in session]


Told = tuple[Happening, ToldFact, Fact]
"""A fact that was told, with what the talks say of it, and where."""


def told_facts(world: World) -> list[Told]:
    """Every fact that is told but days, in order, with what the talks say of it."""
    return [
        (one, spec, one.facts[slot])
        for one in world.happenings
        for slot, spec in one.beat.facts.items()
    ]


def base_spec(world: World, one: Happening, spec: ToldFact) -> ToldFact:
    """What the talks say of a fact; of one that revises another, what they say of that."""
    if not spec.revises:
        return spec
    return next(
        other.beat.facts[spec.revises]
        for other in world.happenings
        if other.subject == one.subject and spec.revises in other.beat.facts
    )


def make_world(
    conversation: str,
    subjects: Sequence[Subject],
    dates: Sequence[str],
    beats: Sequence[tuple[int, int]],
    people: Sequence[str],
    random: Random,
    known: date | None = None,
    elsewhere: Collection[tuple[str, str]] = (),
) -> World:
    """Deal what can be told about each subject to sessions.

    A subject has at most one beat a session, so that what revises a fact is told later than it.

    Args:
        conversation: Id of the conversation.
        subjects: Whom and what it is about.
        dates: `When` of each session.
        beats: Fewest and most beats of each session.
        people: Names of people who are spoken of.
        random: Draws order, values and days.
        known: Day before which the first beat of each subject was; None where nobody can tell.
        elsewhere: Attributes and values that others in the conversation have, which none gets as
            long as there are others.
    """
    world = World(conversation, subjects, dates)
    queues = {one.key: _in_order(one, random) for one in subjects}
    maker = _Maker(world, people, random, known, elsewhere)
    order = list(subjects)
    told: dict[tuple[str, str], date] = {}
    for when, (least, most) in zip(dates, beats, strict=True):
        random.shuffle(order)
        # Those of which most is left to tell come first.
        order.sort(key=lambda one: -len(queues[one.key]))
        day = start(when).date()
        ready = [(one, _next_beat(one, queues[one.key], told, day)) for one in order]
        chosen = [(one, name) for one, name in ready if name][: random.randint(least, most)]
        random.shuffle(chosen)
        happened = []
        for one, name in chosen:
            told[one.key, name] = day
            happened.append(maker.happening(one, name, queues[one.key].pop(name), day))
        world.sessions.append(happened)
    return world


def _next_beat(
    subject: Subject, left: Mapping[str, Beat], told: Mapping[tuple[str, str], date], day: date
) -> str:
    """The first of the beats that are left which can be told on a day; empty if none can.

    Args:
        subject: What they are about.
        left: In the order in which they are told, if nothing is against it.
        told: Days on which beats of a subject were told.
        day: The day.
    """
    first = next(iter(subject.thread.beats))
    ready = []
    for name, beat in left.items():
        before = told.get((subject.key, beat.after or first))
        waited = name == first or (before is not None and (day - before).days >= beat.days)
        if waited and (not beat.months or day.month in beat.months):
            ready.append(name)
    # What has a season is told while it lasts.
    return next((name for name in ready if left[name].months), ready[0] if ready else "")


def _in_order(subject: Subject, random: Random) -> dict[str, Beat]:
    """What fits a subject: the first beat, a pair of which one changes the other, the rest."""
    beats = subject.thread.beats_of(subject.family)
    first, *rest = beats
    random.shuffle(rest)
    order = [first]
    change = next((name for name in rest if beats[name].revises), None)
    if change is not None:
        order += [name for name in (beats[change].after, change) if name not in order]
    rest = [name for name in rest if name not in order]
    while rest:
        name = next(one for one in rest if beats[one].after in ("", *order))
        rest.remove(name)
        order.append(name)
    return {name: beats[name] for name in order}


class _Maker:
    """Draws the facts of beats, each value once in a conversation as long as there are others."""

    def __init__(
        self,
        world: World,
        people: Sequence[str],
        random: Random,
        known: date | None,
        elsewhere: Collection[tuple[str, str]],
    ) -> None:
        self.world, self.random, self.before = world, random, known
        self.elsewhere = elsewhere
        self.days: dict[tuple[str, str], date] = {}
        self.people = random.sample(people, len(people))
        self.taken = {name for one in world.subjects for name in (one.owner.name, one.friend.name)}
        self.known: dict[tuple[str, str], Fact] = {}
        self.number = 0

    def happening(self, subject: Subject, name: str, beat: Beat, day: date) -> Happening:
        facts = {slot: self._fact(subject, slot, spec) for slot, spec in beat.facts.items()}
        values = {slot: _value_text(fact.value) for slot, fact in facts.items()}
        if beat.dated is not None:
            when, values["when"] = self._day(subject, name, beat, day)
            value = FactValue(type=ValueType.DATE, text=when.isoformat())
            facts["when"] = self._new_fact(subject, subject.attribute(beat.dated.attribute), value)
        return Happening(subject, name, beat, values, facts)

    def _day(self, subject: Subject, name: str, beat: Beat, day: date) -> tuple[date, str]:
        """The day of a beat and how it is said: later than what it follows, before it is told."""
        first = next(iter(subject.thread.beats))
        known = self.before if name == first else None
        latest = day if known is None else min(day, known)
        earlier = [
            self.days[subject.key, one]
            for one in (first, beat.after)
            if (subject.key, one) in self.days
        ]
        left = (latest - max(earlier)).days - 1 if earlier else len(_DAYS_AGO)
        when = latest - timedelta(days=self.random.randint(1, max(1, min(len(_DAYS_AGO), left))))
        self.days[subject.key, name] = when
        ago = (day - when).days
        said = (
            _DAYS_AGO[ago - 1] if ago <= len(_DAYS_AGO) else f"on {day_forms(when.isoformat())[0]}"
        )
        return when, said

    def _fact(self, subject: Subject, slot: str, spec: ToldFact) -> Fact:
        old = self.known.get((subject.key, spec.revises)) if spec.revises else None
        attribute = old.attribute if old is not None else subject.attribute(spec.attribute)
        value = self._value(spec, subject.family, attribute)
        fact = self._new_fact(subject, attribute, value, old)
        self.known[subject.key, slot] = fact
        return fact

    def _new_fact(
        self, subject: Subject, attribute: str, value: FactValue, old: Fact | None = None
    ) -> Fact:
        self.number += 1
        return Fact(
            id=record_id(self.world.conversation, f"F{self.number:03d}"),
            subject=subject.name,
            attribute=attribute,
            value=value,
            operation=FactOperation.REVISE if old else FactOperation.APPEND,
            supersedes=[old.id] if old else [],
        )

    def _value(self, spec: ToldFact, family: str, attribute: str) -> FactValue:
        drawn = spec.range_of(family)
        if drawn.number is not None:
            least, most, step = drawn.number
            pool = [str(number) for number in range(least, most + 1, step)]
            kind = ValueType.NUMBER
        else:
            pool = drawn.one_of or self.people
            kind = ValueType.ENTITY if spec.person else ValueType.TEXT
        # What others have would make of their description one of two.
        apart = [one for one in pool if (attribute, one) not in self.elsewhere] or list(pool)
        text = self.random.choice([one for one in apart if one not in self.taken] or apart)
        self.taken.add(text)
        return FactValue(type=kind, text=text, unit=drawn.unit or None)


def _value_text(value: FactValue) -> str:
    return f"{value.text} {value.unit}" if value.unit else value.text

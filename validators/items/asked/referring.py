"""Phrases that describe: each means exactly one thing, says so, and is about what is asked."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.queries.asked.names import EVENT
from memassay.schemas.queries.asked.words import Run, places_of, run_of, split_words, words_of
from memassay.schemas.records.parts.reference import (
    EventDescription,
    Looks,
    PictureDescription,
    Place,
    Reference,
    StatedFact,
    SubjectDescription,
)
from memassay.schemas.values.civil_time import MONTHS, day_forms, is_day
from memassay.schemas.values.text import ORDINALS
from memassay.validators.items.asked import cues
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.names_asked import Doubt
from memassay.validators.items.asked.queried import plain
from memassay.validators.wording import key_words

_LED: Final = split_words("led lead leads came come comes followed brought because result started")
"""Words by which one event is said to come of another."""
_PLURAL: Final = "s"
_ONE: Final = "1"
"""`one` is as often a pronoun."""


def reference_doubts(asked: Asked) -> Iterator[tuple[int, Doubt]]:
    """What is wrong with the references of a question, each with the position of its reference."""
    for at, reference in enumerate(asked.item.references):
        for doubt in _doubts(asked, reference):
            yield at, doubt


def _doubts(asked: Asked, reference: Reference) -> Iterator[Doubt]:
    phrase, text = reference.phrase, asked.item.question.text
    if phrase not in text and phrase[:1].upper() + phrase[1:] not in text:
        yield Doubt("a phrase of the question", phrase)
        return
    found = asked.history.things.resolve(reference.description, asked.item.asked_at)
    if found != {reference.means}:
        listed = ", ".join(sorted(found)) or "nothing"
        yield Doubt(f"a description that fits {reference.means} alone", listed)
    if reference.means not in _spoken_of(asked):
        yield Doubt("a thing that the query speaks of", reference.means)
    words = _Phrase(asked, reference)
    for part in words.missing():
        yield Doubt(part, phrase)
    for word in words.strays():
        yield Doubt("only words of the description", word)


def _spoken_of(asked: Asked) -> set[str]:
    """Attachments, events and subjects that the query of a question is about."""
    history, facts = asked.history, asked.facts
    found = {key for keys in asked.subjects for key in keys} | set(asked.item.answer.values)
    for fact in facts:
        found.add(fact.subject)
        shown = history.ledger.mentions.get(fact.id, ())
        found |= {mention.attachment for mention in shown if mention.attachment is not None}
    told = {*found, *asked.literals}
    events = {event.id for event in asked.events}
    for event in history.bundle.events:
        names = {event.id, event.title, f"{EVENT}{event.card}", event.happened_on, event.day}
        if not names.isdisjoint(told) or f"D{event.session}" in asked.literals:
            events.add(event.id)
    return found | events


class _Phrase:
    """The words of a reference beside its description."""

    def __init__(self, asked: Asked, reference: Reference) -> None:
        self._asked = asked
        self._description = reference.description
        self._words = words_of(reference.phrase)
        self._line: Run = tuple(word.folded for word in self._words)
        self._keys = key_words(reference.phrase)
        self._explained: list[Run] = []

    def missing(self) -> Iterator[str]:
        """The parts of the description that the words do not say."""
        match self._description:
            case PictureDescription() as picture:
                yield from self._picture(picture)
            case EventDescription() as event:
                yield from self._event(event)
            case SubjectDescription(attribute=attribute, value=value):
                yield from self._property(attribute)
                yield from self._any(value, value, *(day_forms(value) if is_day(value) else ()))

    def strays(self) -> Iterator[str]:
        """Denials, and numbers that no part of the description has."""
        known = {word for run in self._explained for word in run}
        for word in self._line:
            number = word[:1].isdigit() and word != _ONE
            if (number or word in cues.NEGATION) and word not in known:
                yield word

    def _picture(self, asked: PictureDescription) -> Iterator[str]:
        yield from self._any(f"the noun {asked.noun}", asked.noun, f"{asked.noun}{_PLURAL}")
        if asked.speaker is not None and not self._names(asked.speaker, self._asked.line):
            yield f"the name of {asked.speaker}"
        if asked.event is not None:
            yield from self._event(asked.event)
        for other, word in ((asked.after, "after"), (asked.before, "before")):
            if other is not None:
                yield from self._event(other)
                yield from self._any(f"the word {word}", word)
        if asked.page is not None:
            yield from self._any(f"page {asked.page}", f"page {asked.page}")
        if asked.said is not None:
            yield from self._fact(asked.said)
        if asked.looks is not None:
            yield from self._looks(asked.looks)
        yield from self._time(asked.on)
        yield from self._place(asked.place)

    def _event(self, asked: EventDescription) -> Iterator[str]:
        if asked.title is not None:
            yield from self._title(asked.title)
        if asked.led_by is not None:
            yield from self._title(asked.led_by)
            if _LED.isdisjoint(self._line):
                yield "a word for what led to what"
        if asked.states is not None:
            yield from self._fact(asked.states)
        yield from self._time(asked.on)
        yield from self._place(asked.place)

    def _title(self, title: str) -> Iterator[str]:
        self._explained.append(run_of(title))
        if not key_words(title) <= self._keys:
            yield f"the words of {title}"

    def _fact(self, fact: StatedFact) -> Iterator[str]:
        yield from self._property(fact.attribute)
        names = self._asked.history.names
        if fact.subject not in names.speakers and not self._names(fact.subject, self._line):
            yield f"the name of {fact.subject}"

    def _property(self, attribute: str) -> Iterator[str]:
        said = plain(attribute)
        self._explained.append(run_of(said))
        if not key_words(said) <= self._keys:
            yield f"the property {said}"

    def _names(self, key: str, line: Run) -> bool:
        runs = self._asked.history.names.runs.get(key, ())
        self._explained += runs
        return any(places_of(run, line) for run in runs)

    def _looks(self, looks: Looks) -> Iterator[str]:
        for label in (looks.label, looks.other):
            if label is not None:
                yield from self._any(f"the label {label}", label)
        relation = {"above": cues.UP, "highest": cues.HIGH, "lowest": cues.LOW}[looks.relation]
        if relation.isdisjoint(self._line):
            yield f"a word for {looks.relation}"

    def _time(self, on: str | None) -> Iterator[str]:
        if on is None:
            return
        if is_day(on):
            yield from self._any(f"the day {on}", *day_forms(on))
            return
        month, year = MONTHS[int(on[5:7]) - 1], on[:4]
        dates = self._asked.history.bundle.date_by_round.values()
        years = {date[:4] for date in dates if date and date[5:7] == on[5:7]}
        forms = [f"{month} {year}", *([month] if years <= {year} else [])]
        yield from self._any(f"the month {on}", *forms)

    def _place(self, place: Place | None) -> Iterator[str]:
        if place is None:
            return
        if place.among is not None:
            yield from self._any(f"the number {place.among}", str(place.among))
            return
        at = {word for word, number in ORDINALS.items() if number == place.n}
        words = cues.LAST if place.from_end and place.n == 1 else at
        if words.isdisjoint(self._line):
            yield f"place {place.n}{' from the end' if place.from_end else ''}"

    def _any(self, part: str, *forms: str) -> Iterator[str]:
        runs = [run_of(form) for form in forms]
        self._explained += runs
        if not any(places_of(run, self._line) for run in runs):
            yield part

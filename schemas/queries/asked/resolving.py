"""What a description fits, over the records alone: pictures, events, subjects."""

from collections.abc import Iterable
from typing import TypeVar

from memassay.schemas.base import Modality
from memassay.schemas.queries.asked.names import MADE
from memassay.schemas.queries.asked.shown import Gallery, Shown
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, FactStatus, MentionForm
from memassay.schemas.records.parts.reference import (
    EventDescription,
    PictureDescription,
    Place,
    StatedFact,
    SubjectDescription,
)
from memassay.schemas.records.question import AskedAt
from memassay.schemas.values.text import normalise

CAUSE = "cause"
"""Attribute of the fact that says what led to an event."""
_Thing = TypeVar("_Thing")


class Things:
    """The pictures, events and subjects of a conversation, indexed once and asked often."""

    def __init__(self, bundle: Bundle, ledger: Ledger) -> None:
        """Index a bundle by its ledger."""
        self.bundle, self.ledger = bundle, ledger
        self.gallery = Gallery(bundle, ledger)
        self.events = sorted(bundle.events, key=lambda event: event.position)
        self._found: dict[tuple[EventDescription, Moment], list[TimelineEvent]] = {}

    def resolve(
        self,
        description: EventDescription | PictureDescription | SubjectDescription,
        asked_at: AskedAt = AskedAt(),  # noqa: B008 - immutable
    ) -> frozenset[str]:
        """All that a description fits when it is asked.

        Returns:
            Ids of attachments or events, or subjects of facts.

        Raises:
            MalformedQueryError: There is no such checkpoint or session.
        """
        moment = self.ledger.moment(asked_at)
        match description:
            case EventDescription():
                return frozenset(event.id for event in self._events(description, moment))
            case PictureDescription():
                return frozenset(shown.attachment for shown in self._pictures(description, moment))
            case SubjectDescription():
                return frozenset(self._subjects(description, moment))

    def _pictures(self, asked: PictureDescription, moment: Moment) -> list[Shown]:
        events = None
        if asked.event is not None:
            events = {event.id for event in self._events(asked.event, moment)}
            if len(events) != 1:
                return []
        after = self._rounds_of(asked.after, moment)
        before = self._rounds_of(asked.before, moment)
        if (asked.after and not after) or (asked.before and not before):
            return []
        found = [
            shown
            for shown in self.gallery.pictures
            if shown.session in moment.sessions
            and (not after or self.ledger.place(shown.round) > after[-1])
            and (not before or self.ledger.place(shown.round) < before[0])
            and asked.speaker in {None, shown.speaker}
            and (events is None or shown.events & events)
            and _was_on(shown.date, asked.on)
            and asked.page in {None, shown.page}
            and (asked.looks is None or shown.looks_so(asked.looks))
            and (asked.said is None or self._is_said(asked.said, shown.round))
        ]
        # Who calls one of two tickets a ticket must not rely on how the other was captioned.
        sure = _at_place([shown for shown in found if asked.noun in shown.nouns], asked.place)
        loose = _at_place([shown for shown in found if asked.noun in shown.loose], asked.place)
        return [*sure, *(shown for shown in loose if shown not in sure)]

    def rounds_telling(
        self,
        description: EventDescription | PictureDescription | SubjectDescription,
        asked_at: AskedAt = AskedAt(),  # noqa: B008 - immutable
    ) -> list[frozenset[str]]:
        """The rounds whose words tell the events on which a description rests.

        Who speaks of the chart from an event has to know which event that was.

        Returns:
            A group of alternatives for each event: any round that states a fact of it will do.
        """
        moment = self.ledger.moment(asked_at)
        asked: list[EventDescription | None] = []
        if isinstance(description, EventDescription):
            asked = [description]
        elif isinstance(description, PictureDescription):
            asked = [description.event, description.after, description.before]
        groups = [
            frozenset(
                mention.round
                for fact in self._told_facts(event, moment)
                for mention in self.ledger.mentions_by(fact, moment)
                if mention.modality is Modality.TEXT
            )
            for each in asked
            if each is not None
            for event in self._events(each, moment)
        ]
        return [group for group in groups if group]

    def _rounds_of(self, asked: EventDescription | None, moment: Moment) -> list[int]:
        """Positions of the rounds that tell the one event that a description fits, in order.

        None for what was told on another day than it happened: after which of both?
        """
        events = self._events(asked, moment) if asked is not None else []
        if len(events) != 1 or events[0].happened_on != events[0].day:
            return []
        facts = [self.ledger.facts[one] for one in events[0].facts.values()]
        told = [self.ledger.mentions_by(fact, moment) for fact in facts]
        return sorted(self.ledger.place(each[0].round) for each in told if each)

    def _is_said(self, stated: StatedFact, round_: str) -> bool:
        return any(_states(fact, stated) for fact in self.gallery.said.get(round_, ()))

    def _events(self, asked: EventDescription, moment: Moment) -> list[TimelineEvent]:
        key = (asked, moment)
        if key not in self._found:
            self._found[key] = self._search(asked, moment)
        return self._found[key]

    def _search(self, asked: EventDescription, moment: Moment) -> list[TimelineEvent]:
        found = [
            event
            for event in self.events
            if asked.title in {None, event.title}
            and self._is_told(event, moment)
            and _was_on(event.happened_on, asked.on)
            and (asked.led_by is None or self._was_led_by(event, asked.led_by, moment))
            and (asked.states is None or self._is_told_with(event, asked.states, moment))
        ]
        return _at_place(found, asked.place)

    def _is_told(self, event: TimelineEvent, moment: Moment) -> bool:
        """Whether any of an event's facts has been seen, or the session it comes up in."""
        facts = [self.ledger.facts[one] for one in event.facts.values() if one in self.ledger.facts]
        shown = [fact for fact in facts if self.ledger.mentions.get(fact.id)]
        return any(self.ledger.mentions_by(fact, moment) for fact in shown)

    def _was_led_by(self, event: TimelineEvent, cause: str, moment: Moment) -> bool:
        return any(
            fact.attribute == CAUSE and fact.value.text == cause
            for fact in self._told_facts(event, moment)
        )

    def _is_told_with(self, event: TimelineEvent, stated: StatedFact, moment: Moment) -> bool:
        return any(_states(fact, stated) for fact in self._told_facts(event, moment))

    def _told_facts(self, event: TimelineEvent, moment: Moment) -> Iterable[Fact]:
        """The facts of an event that words have stated."""
        for name in event.facts.values():
            fact = self.ledger.facts.get(name)
            if fact is not None and self.is_in_words(fact, moment):
                yield fact

    def is_in_words(self, fact: Fact, moment: Moment) -> bool:
        """Whether words have stated a fact by a moment."""
        return any(
            mention.modality is Modality.TEXT and mention.form is MentionForm.FULL
            for mention in self.ledger.mentions_by(fact, moment)
        )

    def _subjects(self, asked: SubjectDescription, moment: Moment) -> Iterable[str]:
        keys = [
            ("attribute", [normalise(asked.attribute)]),
            ("value", [normalise(asked.value)]),
        ]
        wanted = {side: texts[0] for side, texts in keys}
        for fact in self.ledger.candidates(keys):
            sides = self.ledger.sides[fact.id]
            fits = all(sides[side] == text for side, text in wanted.items())
            made = fact.subject.startswith(MADE)
            holds = fact.status is FactStatus.ASSERTED and self.ledger.is_known(fact, moment)
            if fits and holds and not made:
                yield fact.subject


def _states(fact: Fact, stated: StatedFact) -> bool:
    return fact.subject == stated.subject and fact.attribute == stated.attribute


def _was_on(date: str | None, on: str | None) -> bool:
    return on is None or (date is not None and date.startswith(on))


def _at_place(found: list[_Thing], place: Place | None) -> list[_Thing]:
    if place is None:
        return found
    if place.n > len(found) or place.among not in {None, len(found)}:
        return []
    return [found[-place.n] if place.from_end else found[place.n - 1]]

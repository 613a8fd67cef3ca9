"""What belongs to one matter: the events of one card, and those of which one led to the other."""

from memassay.schemas.records.event import TimelineEvent
from memassay.synth.questions.history import History
from memassay.synth.world.maker import LED_BY


def are_of_one_matter(history: History, one: TimelineEvent, other: TimelineEvent) -> bool:
    """Whether two events are of one card, or one is said to have led to the other."""
    return (
        one.card == other.card
        or _cause_of(history, one) == other.title
        or _cause_of(history, other) == one.title
    )


def _cause_of(history: History, event: TimelineEvent) -> str | None:
    """Title of what the words of a history say led to an event."""
    fact = history.facts.get(event.facts.get(LED_BY, ""))
    return fact.value.text if fact is not None and history.in_text(fact) else None


def events_of(history: History, attachment: str) -> list[TimelineEvent]:
    """The events that a picture goes with, in the order of time."""
    own = history.things.gallery.by_id[attachment].events
    return [event for event in history.events if event.id in own]


def cards_of(history: History, attachment: str) -> frozenset[str]:
    """The cards of the events that a picture goes with."""
    return frozenset(event.card for event in events_of(history, attachment))

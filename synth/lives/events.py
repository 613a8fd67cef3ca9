"""The events behind a life: each in its first session, on the day of that session."""

from memassay.schemas.changes.history_lists import days_moved, shift_days
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.event import TimelineEvent


def move_dates(bundle: Bundle, talk: Conversation) -> Bundle:
    """A bundle whose sessions have other dates; events move along with theirs."""
    by = {
        each.event: days_moved(old.date, new.date)
        for old, new in zip(bundle.conversation.sessions, talk.sessions, strict=True)
        if old.date is not None and new.date is not None
        for each in old.rounds
    }
    events = [
        one.model_copy(update={"date": shift_days(one.date, by[one.id])}) if one.id in by else one
        for one in bundle.events
    ]
    return bundle.model_copy(update={"conversation": talk, "events": events})


def place_events(bundle: Bundle) -> Bundle:
    """A bundle whose events are numbered in the order of time, each in its first session."""
    first: dict[str | None, int] = {}
    for session in bundle.conversation.sessions:
        for one in session.rounds:
            first.setdefault(one.event, session.index)

    def moment(event: TimelineEvent) -> tuple[int, str, int, str]:
        return first.get(event.id, event.session), event.date, event.position, event.id

    order = sorted(bundle.events, key=moment)
    placed = [
        one.model_copy(update={"position": at, "session": first.get(one.id, one.session)})
        for at, one in enumerate(order, start=1)
    ]
    return bundle.model_copy(update={"events": sorted(placed, key=lambda one: natural_key(one.id))})

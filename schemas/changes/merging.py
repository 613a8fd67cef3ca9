"""Sessions of one conversation as guests of another, with all that hangs on both (M2A §4.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import JsonValue

from memassay.schemas.changes.renumbering import Places, answers_of, moved_bundle, renumber
from memassay.schemas.ids import natural_key, parse_place, record_id, session_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Checkpoint, Conversation, Session, SessionArc
from memassay.schemas.records.event import TimelineEvent

_COMES_ALONG: Final = ("events", "assets", "facts", "mentions", "concepts", "questions")
"""What of a guest joins the host; its persona, whom the whole is not about, stays away."""


@dataclass(frozen=True)
class Visit:
    """How the sessions of a guest come into a host.

    Attributes:
        name: Of the guest group, unique in the host: the `origin` of its sessions, and in front
            of the local ids of its records.
        after: How many sessions of the host lie before it.
        dates: `When` of each of its sessions, in order; None where the host has no dates.
        speakers: By id of a speaker of the guest, the id of the host's speaker whose words they
            are; others come along.
        arc: The role of its sessions in the whole.
    """

    name: str
    after: int
    dates: Sequence[str | None]
    speakers: Mapping[str, str]
    arc: SessionArc = SessionArc.GUEST


@dataclass(frozen=True)
class Merged:
    """A host with the sessions of a guest.

    Attributes:
        bundle: The host's conversation with everything that belongs to both.
        host: Where the places of the host went.
        guest: Where the places of the guest went.
        records: New id of each record of the guest, by its old one.
    """

    bundle: Bundle
    host: Places
    guest: Places
    records: Mapping[str, str]


def merge_guest(host: Bundle, guest: Bundle, visit: Visit) -> Merged:
    """A host in which the sessions of a guest follow each other; neither is changed.

    Nothing of either differs afterwards but ids, places, and dates, origin, arc and speakers of
    the guest's sessions. Evidence that was in the order of time is so again.

    Raises:
        ValueError: There is not one date for each session of the guest.
    """
    names = _new_names(host, guest, visit)
    adopted = _adopt(host, guest, visit, names)
    # No place that the host names, even in vain, may come to mean one of the guest's.
    named = max(len(host.conversation.sessions), *_citations(host).values(), 0)
    behind, moved = renumber(adopted.conversation, first=named + 1)
    adopted = moved_bundle(adopted, behind, moved)
    conversation, places = renumber(_together(host.conversation, behind, visit))
    places = replace(places, others={**_moves_of_unresolved(host, guest, visit), **places.others})
    both = {name: [*getattr(host, name), *getattr(adopted, name)] for name in _COMES_ALONG}
    told = moved_bundle(host.model_copy(update=both), conversation, places)
    ordered = {
        name: sorted(getattr(told, name), key=lambda one: natural_key(one.id))
        for name in _COMES_ALONG
    }
    events = _events(host, adopted, visit)
    return Merged(
        told.model_copy(update={**ordered, "events": events}),
        _only(places, host),
        _through(moved, places),
        names,
    )


def _new_names(host: Bundle, guest: Bundle, visit: Visit) -> dict[str, str]:
    """New id of each record of the guest that comes along."""
    return {
        one.id: record_id(host.id, f"{visit.name}-{one.id.partition('/')[2]}")
        for kind in _COMES_ALONG
        for one in getattr(guest, kind)
    }


def _adopt(host: Bundle, guest: Bundle, visit: Visit, names: Mapping[str, str]) -> Bundle:
    """The guest with the host's name in its records, and with its speakers' new ids."""
    bundle = guest.model_copy(update={"personas": []})
    return rename_bundle(bundle, host.id, names, visit.speakers)


def rename_bundle(
    bundle: Bundle, to: str, names: Mapping[str, str], speakers: Mapping[str, str]
) -> Bundle:
    """A bundle whose records belong to a conversation of another id; its own keeps its id.

    Args:
        bundle: The bundle.
        to: Id of the other conversation.
        names: New id by old one of its records.
        speakers: The same of its speakers; others keep theirs.
    """
    document = _rename(bundle.model_dump(mode="json"), names, speakers, bundle.id, to)
    return Bundle.model_validate(document)


_SPEAKER_KEYS: Final = frozenset({"speaker"})
_CONVERSATION_KEYS: Final = frozenset({"conversation"})


def _rename(
    part: Any, names: Mapping[str, str], speakers: Mapping[str, str], old: str, new: str
) -> Any:
    """A document in which ids of records, speakers and the conversation are the new ones."""
    if isinstance(part, list):
        return [_rename(one, names, speakers, old, new) for one in part]
    if isinstance(part, str):
        return names.get(part, part)
    if not isinstance(part, dict):
        return part
    made: dict[str, JsonValue] = {}
    for key, value in part.items():
        if key in _SPEAKER_KEYS and isinstance(value, str):
            made[key] = speakers.get(value, value)
        elif key in _CONVERSATION_KEYS and value == old:
            made[key] = new
        else:
            made[names.get(key, key)] = _rename(value, names, speakers, old, new)
    return made


def _together(host: Conversation, guest: Conversation, visit: Visit) -> Conversation:
    """The host's conversation with the guest's sessions in it, still under ids of their own."""
    visitors = [
        session.model_copy(update={"date": date, "arc": visit.arc, "origin": visit.name})
        for session, date in zip(guest.sessions, visit.dates, strict=True)
    ]
    known = {one.id for one in host.speakers}
    spoken = {turn.speaker for turn in guest.turns()}
    joining = [one for one in guest.speakers if one.id in spoken - known]
    return host.model_copy(
        update={
            "speakers": [*host.speakers, *joining],
            "sessions": [
                *host.sessions[: visit.after],
                *visitors,
                *host.sessions[visit.after :],
            ],
            "checkpoints": [_with(visitors, host, point, visit) for point in host.checkpoints],
        }
    )


def _with(
    visitors: Sequence[Session], host: Conversation, point: Checkpoint, visit: Visit
) -> Checkpoint:
    """A checkpoint that covers the guests too, if it covers what comes after them."""
    later = {one.id for one in host.sessions[visit.after :]}
    if later.isdisjoint(point.covered_sessions):
        return point
    covered = [*point.covered_sessions, *(one.id for one in visitors)]
    return point.model_copy(update={"covered_sessions": covered})


def _moves_of_unresolved(host: Bundle, guest: Bundle, visit: Visit) -> dict[str, str]:
    """What the host names that is no place moves as its session would: it names none still."""
    by = len(guest.conversation.sessions)
    return {
        place: session_id(number + by) + place.removeprefix(session_id(number))
        for place, number in _citations(host).items()
        if number > visit.after
    }


def _citations(host: Bundle) -> dict[str, int]:
    """Places that questions of a conversation name, each with the number of its session."""
    parsed = {
        place: parse_place(place)
        for item in host.questions
        for group in [*item.evidence.groups, item.evidence.canonical, item.decoys, answers_of(item)]
        for place in group
    }
    return {
        place: int(found.session[1:])
        for place, found in parsed.items()
        if found is not None and found.session != "Q"
    }


def _only(places: Places, host: Bundle) -> Places:
    """The part of a map that is about the host."""
    sessions = {one.id for one in host.conversation.sessions}
    return Places(
        {old: new for old, new in places.sessions.items() if old in sessions},
        {old: new for old, new in places.others.items() if old.partition(":")[0] in sessions},
    )


def _through(first: Places, then: Places) -> Places:
    """Two maps, one after the other."""
    return Places(
        {
            old: [last for new in between for last in then.of(new)]
            for old, between in first.sessions.items()
        },
        {old: then.one(new) for old, new in first.others.items()},
    )


def _moment(event: TimelineEvent, when: str | None) -> str:
    """When an event comes up in a session that is on another day now; on its own it stays."""
    return event.date if when is None or event.date.startswith(when) else when


def _events(host: Bundle, guest: Bundle, visit: Visit) -> list[TimelineEvent]:
    """Events of both in the order of time, in the sessions where they come up now."""
    by = len(guest.conversation.sessions)
    moved = [
        *(
            one.model_copy(update={"session": one.session + by})
            if one.session > visit.after
            else one
            for one in host.events
        ),
        *(
            one.model_copy(
                update={
                    "session": one.session + visit.after,
                    "date": _moment(one, visit.dates[one.session - 1]),
                }
            )
            for one in guest.events
        ),
    ]
    if not guest.events:
        return moved
    order = sorted(moved, key=lambda one: (one.date, one.position))
    numbers = {one.id: at for at, one in enumerate(order, start=1)}
    placed = [one.model_copy(update={"position": numbers[one.id]}) for one in moved]
    return sorted(placed, key=lambda one: natural_key(one.id))

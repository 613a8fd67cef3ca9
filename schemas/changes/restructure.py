"""What becomes of a conversation, and of all that hangs on it, when a person changes the history.

A pure function of records: sessions, rounds and turns are moved under their old ids, numbered
again by position, and everything that cites them follows the map. A mention whose words are gone
is gone; a fact that nothing shows any more is unsaid, and stays in the world behind the history.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memassay.schemas.changes.history_lists import days_moved, rearrange, session_of, shift_days
from memassay.schemas.changes.operations import (
    EditTurn,
    MergeSessions,
    MoveImage,
    MoveSession,
    Operation,
    PlaceImage,
    Redact,
    RemoveImage,
    SplitSession,
)
from memassay.schemas.changes.relocating import relocate
from memassay.schemas.changes.renumbering import Places, cites, moved_bundle, renumber
from memassay.schemas.ids import conversation_of, natural_key, record_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, FactStatus, Mention
from memassay.schemas.records.question import QAItem


@dataclass(frozen=True)
class Restructured:
    """A history after an operation.

    Attributes:
        bundle: The conversation and all that belongs to it, as they are then.
        places: Where every place went.
        notes: What a person should know before saving, a sentence each.
    """

    bundle: Bundle
    places: Places
    notes: tuple[str, ...]


def restructure(operation: Operation, bundle: Bundle) -> Restructured:
    """A history after an operation; the bundle that is given stays as it is.

    Raises:
        UsageError: A place that the operation names is not there, nothing would change, or
            sessions would no longer be in the order of time.
    """
    arranged = rearrange(operation, bundle)
    found = _with_mentions(operation, bundle, arranged)
    gone = [operation.attachment] if isinstance(operation, RemoveImage) else []
    told, places = renumber(arranged, _merged_into(operation, bundle), gone)
    moved = moved_bundle(found, told, places)
    moved = moved.model_copy(
        update={
            "events": _events(operation, bundle, moved),
            "facts": _unsaid(bundle, moved),
        }
    )
    return Restructured(moved, places, tuple(_notes(operation, bundle, moved)))


def _merged_into(operation: Operation, bundle: Bundle) -> dict[str, str]:
    if not isinstance(operation, MergeSessions):
        return {}
    sessions = bundle.conversation.sessions
    at = sessions.index(session_of(bundle, operation.session))
    return {operation.session: sessions[at - 1].id}


def _with_mentions(operation: Operation, bundle: Bundle, arranged: Conversation) -> Bundle:
    """The bundle with mentions found again in words that changed, and of an image shown again."""
    facts = {fact.id: fact for fact in bundle.facts}
    mentions = list(bundle.mentions)
    if isinstance(operation, EditTurn | Redact):
        before = bundle.turn_by_id[operation.turn]
        after = next(turn for turn in arranged.turns() if turn.id == operation.turn)
        found = relocate(mentions, before, after, facts)
        kept = [found.get(one.id, one) for one in mentions]
        mentions = [one for one in kept if one is not None]
    if isinstance(operation, PlaceImage):
        mentions += _seen_again(operation, bundle, arranged)
    if isinstance(operation, MoveImage):
        mentions = [
            _at_turn(one, operation.turn) if one.attachment == operation.attachment else one
            for one in mentions
        ]
    return bundle.model_copy(update={"mentions": mentions})


def _at_turn(mention: Mention, turn: str) -> Mention:
    """A mention in an image that is shown with another turn now."""
    named = turn if mention.turn is not None else None
    return mention.model_copy(update={"round": turn.rpartition(".")[0], "turn": named})


def _seen_again(operation: PlaceImage, bundle: Bundle, arranged: Conversation) -> Iterator[Mention]:
    """What can be read in an image can be read wherever it is shown."""
    known = bundle.attachment_by_id
    turn, shown = next(
        (turn, one)
        for turn, one in arranged.attachments()
        if one.asset == operation.asset and one.id not in known
    )
    seen: set[str] = set()
    for mention in bundle.mentions:
        if mention.asset != operation.asset or mention.fact in seen:
            continue
        seen.add(mention.fact)
        local = f"{mention.id.partition('/')[2]}-{shown.id}"[:120]
        yield mention.model_copy(
            update={
                "id": record_id(conversation_of(mention.id), local),
                "round": turn.id.rpartition(".")[0],
                "turn": turn.id,
                "attachment": shown.id,
                "speaker": turn.speaker if mention.speaker is not None else None,
            }
        )


def _events(operation: Operation, before: Bundle, after: Bundle) -> list[TimelineEvent]:
    """Events in the sessions that speak of them now, on the days on which they come up now."""
    told: dict[str, int] = {}
    was: dict[str, int] = {}
    for where, bundle in ((was, before), (told, after)):
        for session in bundle.conversation.sessions:
            for one in session.rounds:
                where.setdefault(one.event or "", session.index)
    by = _days_moved(operation, before)
    moved = [
        event.model_copy(
            update={
                # Plans and histories may number sessions differently: only what moves is moved.
                "session": event.session + told[event.id] - was[event.id],
                "date": shift_days(event.date, by[event.id]) if event.id in by else event.date,
            }
        )
        if event.id in told and event.id in was
        else event
        for event in before.events
    ]
    if moved == before.events:
        return moved
    order = sorted(moved, key=lambda one: (one.date, one.position))
    positions = {event.id: at for at, event in enumerate(order, start=1)}
    return [one.model_copy(update={"position": positions[one.id]}) for one in moved]


def _days_moved(operation: Operation, before: Bundle) -> dict[str, timedelta]:
    """By event, how far it moves with a session that is given another date."""
    if not isinstance(operation, MoveSession | SplitSession) or operation.date is None:
        return {}
    name = operation.session if isinstance(operation, MoveSession) else operation.round
    session = session_of(before, name.partition(":")[0])
    moved = {one.id for one in session.rounds}
    if isinstance(operation, SplitSession):
        names = [one.id for one in session.rounds]
        moved = set(names[names.index(operation.round) :])
    first: dict[str, str] = {}
    for one in before.conversation.rounds():
        first.setdefault(one.event or "", one.id)
    by = days_moved(session.date, operation.date)
    return {event: by for event, place in first.items() if place in moved}


def _unsaid(before: Bundle, after: Bundle) -> list[Fact]:
    """The facts; one that was shown and no longer is has no place in the history."""
    shown = {one.fact for one in before.mentions}
    kept = {one.fact for one in after.mentions}
    return [
        fact.model_copy(update={"status": FactStatus.UNSAID, "session": None})
        if fact.id in shown - kept and not fact.entailed_by
        else fact
        for fact in after.facts
    ]


def _notes(operation: Operation, before: Bundle, after: Bundle) -> Iterator[str]:
    yield from _no_longer_said(before, after)
    yield from _resolving_now(before, after)
    if isinstance(operation, RemoveImage):
        citing = [one for one in before.questions if cites(one, [operation.attachment])]
        if citing:
            yield f"{operation.attachment} is evidence or answer of {_names_of(citing)}"
    if isinstance(operation, Redact):
        yield from _still_there(operation, before)
    if isinstance(operation, MergeSessions):
        sessions = before.conversation.sessions
        first = sessions[sessions.index(session_of(before, operation.session)) - 1].id
        points = {
            point.id
            for point in before.conversation.checkpoints
            if first in point.covered_sessions and operation.session not in point.covered_sessions
        }
        between = [
            one
            for one in before.questions
            if one.asked_at.session == first or one.asked_at.checkpoint in points
        ]
        if between:
            yield f"asked between the two sessions, and now behind both: {_names_of(between)}"


def _resolving_now(before: Bundle, after: Bundle) -> Iterator[str]:
    """Evidence that led nowhere must not come to mean a place by chance."""
    was = {*before.session_by_id, *before.round_by_id, *before.turn_by_id}
    new = {*after.session_by_id, *after.round_by_id, *after.turn_by_id} - was
    for one in before.questions:
        if cites(one, new):
            yield f"{one.id} cited a place that was none before and is one now; look at it"


def _no_longer_said(before: Bundle, after: Bundle) -> Iterator[str]:
    kept = {one.id for one in after.mentions}
    gone = {one.fact for one in before.mentions if one.id not in kept}
    still = {one.fact: one.round for one in reversed(after.mentions)}
    for fact in before.facts:
        if fact.id not in gone:
            continue
        unit = f" {fact.value.unit}" if fact.value.unit else ""
        said = f"{fact.attribute} of {fact.subject}: {fact.value.text}{unit} ({fact.id})"
        resting = [one for one in before.questions if fact.id in one.evidence.facts]
        where = f"; it still is in {still[fact.id]}" if fact.id in still else ""
        yield f"{said} is no longer said here{where}{_resting(resting)}"


def _resting(questions: Sequence[QAItem]) -> str:
    if not questions:
        return ""
    verb = "questions rest" if len(questions) > 1 else "question rests"
    return f"; {len(questions)} {verb} on it: {_names_of(questions)}"


def _names_of(questions: Iterable[QAItem]) -> str:
    names = sorted((one.id for one in questions), key=natural_key)
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"


def _still_there(operation: Redact, before: Bundle) -> Iterator[str]:
    """Where the words that are taken out can still be read."""
    words = before.turn_by_id[operation.turn].text[operation.start : operation.end].strip()
    if not words:
        return
    places = [
        turn.id
        for turn in before.conversation.turns()
        if turn.id != operation.turn and words in turn.text
    ]
    places += [
        one.id
        for _, one in before.conversation.attachments()
        if one.caption is not None and words in one.caption
    ]
    if places:
        more = f" and {len(places) - 5} more places" if len(places) > 5 else ""
        yield f"the same words are still in {', '.join(places[:5])}{more}"

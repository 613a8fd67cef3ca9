"""Operations on the lists of a conversation: places move under the ids that they had before."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import pairwise

from memassay.schemas.changes.operations import (
    REDACTED,
    EditTurn,
    MergeSessions,
    MoveImage,
    MoveRound,
    MoveSession,
    Operation,
    PlaceImage,
    Redact,
    RemoveImage,
    SplitSession,
)
from memassay.schemas.changes.renumbering import next_attachment
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation, Round, Session, Turn
from memassay.schemas.values.civil_time import is_when, start, strictly_after


def rearrange(operation: Operation, bundle: Bundle) -> Conversation:
    """A conversation after an operation, its places still under their old ids.

    Raises:
        UsageError: A place or asset that the operation names is not there, nothing would change,
            or sessions would no longer be in the order of time.
    """
    talk = bundle.conversation
    match operation:
        case EditTurn():
            after = _with_text(bundle, operation.turn, operation.text)
        case Redact():
            after = _redaction(bundle, operation)
        case PlaceImage():
            after = _placement(bundle, operation)
        case RemoveImage():
            after = _without_image(bundle, operation.attachment)
        case MoveImage():
            after = _image_moved(bundle, operation)
        case MergeSessions():
            after = _merge_sessions(bundle, operation.session)
        case SplitSession():
            after = _split_session(bundle, operation)
        case MoveSession():
            after = _session_moved(bundle, operation)
        case MoveRound():
            after = _round_moved(bundle, operation)
    if after == talk:
        raise UsageError(f"{talk.id}: expected a change, got the history as it is")
    _refuse_disorder(talk, after)
    return after


_TO_MINUTE = "2024-01-01T00:00"


def session_of(bundle: Bundle, name: str) -> Session:
    """A session of a bundle.

    Raises:
        UsageError: It has none of this id.
    """
    if name not in bundle.session_by_id:
        raise _missing(bundle, "session", name)
    return bundle.session_by_id[name]


def days_moved(before: str | None, after: str | None) -> timedelta:
    """How far a date moves; nothing where one of them names no day."""
    if before is None or after is None or min(len(before), len(after)) < len("2024-01-01"):
        return timedelta()
    return start(after[:10]) - start(before[:10])


def shift_days(when: str, by: timedelta) -> str:
    """A `When` some days later; one that names no day stays."""
    if len(when) < len("2024-01-01") or not is_when(when):
        return when
    return (start(when[:10]) + by).date().isoformat() + when[10:]


def _missing(bundle: Bundle, kind: str, name: str) -> UsageError:
    return UsageError(
        f"{bundle.id}: expected the {kind} {name!r} in its history, got none; open it again"
    )


def _turn_of(bundle: Bundle, name: str) -> Turn:
    if name not in bundle.turn_by_id:
        raise _missing(bundle, "turn", name)
    return bundle.turn_by_id[name]


def _with_turns(talk: Conversation, names: Mapping[str, Callable[[Turn], Turn]]) -> Conversation:
    """A conversation with some turns made again."""

    def of_round(one: Round) -> Round:
        if not names.keys() & {turn.id for turn in one.turns}:
            return one
        turns = [names[turn.id](turn) if turn.id in names else turn for turn in one.turns]
        return one.model_copy(update={"turns": turns})

    sessions = [
        session.model_copy(update={"rounds": [of_round(one) for one in session.rounds]})
        for session in talk.sessions
    ]
    return talk.model_copy(update={"sessions": sessions})


def _with_text(bundle: Bundle, name: str, text: str) -> Conversation:
    turn = _turn_of(bundle, name)
    if not text.strip() and not turn.attachments:
        raise UsageError(
            f"{name}.text: expected some words, got none; a turn that shows nothing says something"
        )
    update = {"text": text}
    return _with_turns(bundle.conversation, {name: lambda turn: turn.model_copy(update=update)})


def _redaction(bundle: Bundle, operation: Redact) -> Conversation:
    text = _turn_of(bundle, operation.turn).text
    if not operation.start < operation.end <= len(text):
        raise UsageError(
            f"{operation.turn}.text: expected a span inside 0 to {len(text)}, "
            f"got {operation.start} to {operation.end}; select the words again"
        )
    kept = f"{text[: operation.start]}{REDACTED}{text[operation.end :]}"
    return _with_text(bundle, operation.turn, kept)


def _placement(bundle: Bundle, operation: PlaceImage) -> Conversation:
    asset = bundle.asset_by_id.get(operation.asset)
    if asset is None:
        raise _missing(bundle, "asset", operation.asset)
    turn = _turn_of(bundle, operation.turn)
    if any(one.asset == asset.id for one in turn.attachments):
        raise UsageError(f"{turn.id}: expected an image it does not show, got {asset.id!r}")
    session = turn.id.partition(":")[0]
    known = [one.id for _, one in bundle.conversation.attachments()]
    kind = "DOC" if asset.page is not None else "IMG"
    shown = Attachment(
        id=next_attachment(known, f"{session}:{kind}_001"),
        asset=asset.id,
        caption=operation.caption or None,
        page=asset.page,
    )
    return _with_turns(bundle.conversation, {turn.id: lambda one: _showing(one, shown)})


def _showing(turn: Turn, shown: Attachment) -> Turn:
    return turn.model_copy(update={"attachments": [*turn.attachments, shown]})


def _hiding(turn: Turn, name: str) -> Turn:
    kept = [one for one in turn.attachments if one.id != name]
    if not kept and not turn.text.strip():
        raise UsageError(
            f"{turn.id}: expected words or an image to stay, got neither; edit its text first"
        )
    return turn.model_copy(update={"attachments": kept})


def _without_image(bundle: Bundle, name: str) -> Conversation:
    if name not in bundle.attachment_by_id:
        raise _missing(bundle, "attachment", name)
    turn, _ = bundle.attachment_by_id[name]
    return _with_turns(bundle.conversation, {turn.id: lambda one: _hiding(one, name)})


def _image_moved(bundle: Bundle, operation: MoveImage) -> Conversation:
    if operation.attachment not in bundle.attachment_by_id:
        raise _missing(bundle, "attachment", operation.attachment)
    source, shown = bundle.attachment_by_id[operation.attachment]
    target = _turn_of(bundle, operation.turn)
    if target.id == source.id:
        return bundle.conversation
    return _with_turns(
        bundle.conversation,
        {
            source.id: lambda one: _hiding(one, shown.id),
            target.id: lambda one: _showing(one, shown),
        },
    )


def _merge_sessions(bundle: Bundle, name: str) -> Conversation:
    session, sessions = session_of(bundle, name), bundle.conversation.sessions
    at = sessions.index(session)
    if at == 0:
        raise UsageError(f"{name}: expected a session with one before it, got the first")
    first = sessions[at - 1]
    whole = first.model_copy(update={"rounds": [*first.rounds, *session.rounds]})
    made = [*sessions[: at - 1], whole, *sessions[at + 1 :]]
    return bundle.conversation.model_copy(update={"sessions": made})


def _split_session(bundle: Bundle, operation: SplitSession) -> Conversation:
    session = session_of(bundle, operation.round.partition(":")[0])
    names = [one.id for one in session.rounds]
    if operation.round not in names:
        raise _missing(bundle, "round", operation.round)
    at = names.index(operation.round)
    if at == 0:
        raise UsageError(
            f"{operation.round}: expected a round with one before it in its session, got the first"
        )
    second = session.model_copy(update={"rounds": session.rounds[at:]})
    parts = [
        session.model_copy(update={"rounds": session.rounds[:at]}),
        move_session(second, operation.date),
    ]
    where = bundle.conversation.sessions.index(session)
    sessions = bundle.conversation.sessions
    made = [*sessions[:where], *parts, *sessions[where + 1 :]]
    return bundle.conversation.model_copy(update={"sessions": made})


def _session_moved(bundle: Bundle, operation: MoveSession) -> Conversation:
    session = session_of(bundle, operation.session)
    rest = [one for one in bundle.conversation.sessions if one.id != session.id]
    if operation.position > len(rest) + 1:
        raise UsageError(
            f"{session.id}: expected a position from 1 to {len(rest) + 1}, got {operation.position}"
        )
    rest.insert(operation.position - 1, move_session(session, operation.date))
    return bundle.conversation.model_copy(update={"sessions": rest})


def move_session(session: Session, date: str | None) -> Session:
    """A session at another time; the dates of its rounds and the times of its turns move along."""
    if date is None:
        return session
    before = session.date

    def shift(when: str) -> str:
        if before is None or not all("T" in each for each in (before, date, when)):
            return shift_days(when, days_moved(before, date))
        moment = start(when) + (start(date) - start(before))
        return moment.isoformat(timespec="minutes" if len(when) == len(_TO_MINUTE) else "seconds")

    rounds = [
        one.model_copy(
            update={
                "date": shift(one.date) if one.date else None,
                "turns": [
                    turn.model_copy(update={"time": shift(turn.time)}) if turn.time else turn
                    for turn in one.turns
                ],
            }
        )
        for one in session.rounds
    ]
    return session.model_copy(update={"date": date, "rounds": rounds})


def _round_moved(bundle: Bundle, operation: MoveRound) -> Conversation:
    if operation.round not in bundle.round_by_id:
        raise _missing(bundle, "round", operation.round)
    target = session_of(bundle, operation.session)
    moved = bundle.round_by_id[operation.round]
    made = []
    for session in bundle.conversation.sessions:
        rounds = [one for one in session.rounds if one.id != moved.id]
        if session.id == target.id:
            if operation.position > len(rounds) + 1:
                raise UsageError(
                    f"{moved.id}: expected a position from 1 to {len(rounds) + 1} in "
                    f"{target.id}, got {operation.position}"
                )
            rounds.insert(operation.position - 1, moved)
        if not rounds:
            raise UsageError(
                f"{session.id}: expected a round to stay, got none; merge the session instead"
            )
        made.append(session.model_copy(update={"rounds": rounds}))
    return bundle.conversation.model_copy(update={"sessions": made})


def _refuse_disorder(before: Conversation, after: Conversation) -> None:
    """Sessions stay in the order of time; what was out of order before may stay so.

    Raises:
        UsageError: They do not.
    """
    known = {(one, other) for one, other, _ in _turned_back(before)}
    for earlier, later, session in _turned_back(after):
        if (earlier, later) not in known:
            raise UsageError(
                f"{after.id}.{session.id}.date: expected a date not before {earlier}, got "
                f"'{later}' (rule time.session_order); give it a date that fits its new place"
            )


def _turned_back(talk: Conversation) -> list[tuple[str, str, Session]]:
    dated = [
        (date, session)
        for session in talk.sessions
        for date in (session.date, *(round_.date for round_ in session.rounds))
        if date is not None and is_when(date)
    ]
    return [
        (earlier, later, session)
        for (earlier, _), (later, session) in pairwise(dated)
        if strictly_after(earlier, later)
    ]

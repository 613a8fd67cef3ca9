"""The time line of a conversation: its sessions, rounds and images in order, and moments of it."""

from dataclasses import dataclass
from functools import cached_property

from memassay.schemas.errors import MalformedQueryError
from memassay.schemas.ids import parse_place
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import AskedAt


@dataclass(frozen=True)
class Moment:
    """What has been stated by some point of a conversation.

    Attributes:
        sessions: Ids of the sessions seen.
        date: `When` the last of them was; None if it has none.
        since: `When` the last of them that has a date was: what was over then is over.
    """

    sessions: frozenset[str]
    date: str | None
    since: str | None


class Timeline:
    """Positions of the places of a conversation, and what had been seen by its points."""

    def __init__(self, conversation: Conversation) -> None:
        """Index the sessions and rounds."""
        self._conversation = conversation
        self._place = {round_.id: at for at, round_ in enumerate(conversation.rounds(), start=1)}
        self._session_of = {
            round_.id: session.id for session in conversation.sessions for round_ in session.rounds
        }
        self._dates = {session.id: session.date for session in conversation.sessions}
        self._ends = {session.id: session.ends_on() for session in conversation.sessions}
        self._round_dates = {
            round_.id: session.date_of(round_)
            for session in conversation.sessions
            for round_ in session.rounds
        }
        self._moments: dict[tuple[str | None, str | None], Moment] = {}

    def moment(self, asked_at: AskedAt) -> Moment:
        """What has been stated when a question is asked.

        Raises:
            MalformedQueryError: There is no such checkpoint or session.
        """
        key = (asked_at.checkpoint, asked_at.session)
        if key not in self._moments:
            self._moments[key] = self._moment(asked_at)
        return self._moments[key]

    def _moment(self, asked_at: AskedAt) -> Moment:
        seen = list(self._dates)
        if asked_at.checkpoint is not None:
            points = {point.id: point for point in self._conversation.checkpoints}
            if asked_at.checkpoint not in points:
                raise _unknown_point(asked_at.checkpoint)
            covered = set(points[asked_at.checkpoint].covered_sessions)
            seen = [session for session in seen if session in covered]
        if asked_at.session is not None:
            until = self.session_position(asked_at.session)
            seen = [session for session in seen if self.session_position(session) <= until]
        dates = [self._ends[session] for session in seen]
        since = next((date for date in reversed(dates) if date is not None), None)
        return Moment(frozenset(seen), dates[-1] if dates else None, since)

    def point(self, name: str) -> Moment:
        """The moment after a session, or at a checkpoint.

        Raises:
            MalformedQueryError: There is neither a session nor a checkpoint of this name.
        """
        if name in self._dates:
            return self.moment(AskedAt(session=name))
        return self.moment(AskedAt(checkpoint=name))

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {session: at for at, session in enumerate(self._dates, start=1)}

    def session_position(self, session: str) -> int:
        """1-based position of a session in the conversation.

        Raises:
            MalformedQueryError: There is no such session.
        """
        if session not in self._positions:
            raise _unknown_point(session)
        return self._positions[session]

    @cached_property
    def ordinals(self) -> dict[str, int]:
        """By id of an image attachment, its 1-based position among all; documents are none."""
        shown = (attachment.id for _, attachment in self._conversation.attachments())
        # An image that is attached again under its id keeps its first position.
        images = dict.fromkeys(name for name in shown if _is_image(name))
        return {name: at for at, name in enumerate(images, start=1)}

    def place(self, round_: str) -> int:
        """1-based position of a round in the whole conversation."""
        return self._place[round_]

    def places(self) -> list[str]:
        """Ids of all sessions and rounds, in time order, a session before its rounds."""
        return [
            place
            for session in self._conversation.sessions
            for place in (session.id, *(round_.id for round_ in session.rounds))
        ]

    def session_of(self, round_: str) -> str:
        """Id of the session of a round."""
        return self._session_of[round_]

    def round_date(self, round_: str) -> str | None:
        """`When` a round was: its own date, else its session's; None if neither has one."""
        return self._round_dates[round_]


def _is_image(attachment: str) -> bool:
    place = parse_place(attachment)
    return place is not None and (place.attachment or "").startswith("IMG_")


def _unknown_point(name: str) -> MalformedQueryError:
    return MalformedQueryError(
        f"query: expected a session or checkpoint of the conversation, got {name!r}; "
        "correct the name, or leave it out for the end"
    )

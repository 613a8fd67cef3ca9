"""Sessions as LoCoMo's files and M2A's hold them: `session_N` beside `session_N_date_time`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from memassay.exports.foreign.reading import extras_for, own_extras, restore
from memassay.schemas.records.conversation import Conversation, Session, Turn
from memassay.schemas.values.civil_time import is_when, to_locomo

_KNOWN: Final = frozenset({"date_time"})


def has_day(session: Session) -> bool:
    """Whether the date of a session can be written in these files."""
    date = session.date or ""
    return len(date) >= len("2023-05-08") and is_when(date)


def date_json(session: Session) -> dict[str, Any]:
    """The date of a session as LoCoMo writes it; one without a day stays as it is."""
    date = session.date or ""
    return {"date_time": to_locomo(date) if has_day(session) else date}


@dataclass(frozen=True)
class DatedSessions:
    """How one format names its sessions.

    Attributes:
        name: Of the format, under which extras are kept.
        key: Key of a session.
    """

    name: str
    key: Callable[[Session], str]

    def write_sessions(
        self, talk: Conversation, turn_json: Callable[[Turn], dict[str, Any]], known: frozenset[str]
    ) -> Iterator[tuple[str, Any]]:
        """Keys and values of all sessions, with what was kept of their files.

        Args:
            talk: The conversation.
            turn_json: A turn as the format writes it.
            known: Keys of a turn that we read.
        """
        for session in talk.sessions:
            date = restore(date_json(session), own_extras(session.extras, self.name), _KNOWN)
            if "date_time" in date:
                yield f"{self.key(session)}_date_time", date["date_time"]
            yield (
                self.key(session),
                [
                    restore(turn_json(turn), own_extras(turn.extras, self.name), known)
                    for round_ in session.rounds
                    for turn in round_.turns
                ],
            )

    def with_extras(
        self, talk: Conversation, raw: dict[str, Any], turn_with: Callable[[Turn], Turn]
    ) -> list[Session]:
        """Sessions of one-turn rounds with what we have no field for; their keys leave `raw`.

        Args:
            talk: The conversation that was read.
            raw: The object that holds its sessions.
            turn_with: A turn with its own extras.
        """
        sessions = []
        for session in talk.sessions:
            key = self.key(session)
            del raw[key]
            date = f"{key}_date_time"
            given = {"date_time": raw.pop(date)} if date in raw else {}
            extras = self.extras(extras_for(given, date_json(session), _KNOWN))
            rounds = [
                each.model_copy(update={"turns": [turn_with(each.turns[0])]})
                for each in session.rounds
            ]
            sessions.append(session.model_copy(update={"rounds": rounds, **extras}))
        return sessions

    def extras(self, extras: dict[str, Any]) -> dict[str, Any]:
        """The field of a record that keeps extras; none where there are none."""
        return {"extras": {self.name: extras}} if extras else {}

"""Dates of sessions in every layout; sessions beside their dates as in LoCoMo's files and M2A's."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, extras_for, own_extras, quote_value, restore
from memassay.exports.foreign.rules import DATE_NOTATION, DATE_UNREADABLE, DATE_WEEKDAY
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.records.conversation import Conversation, Session, Turn
from memassay.schemas.values.civil_time import (
    from_locomo,
    from_longmemeval,
    is_when,
    to_locomo,
    to_longmemeval,
)
from memassay.schemas.values.date_forms import read_date

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


@dataclass(frozen=True)
class Notation:
    """How a layout writes the date of a session.

    Attributes:
        expected: The notation, with an example.
        fix: What to do about a date that cannot be read.
        read: Gives the `When` of a text in this notation; None for another text.
        write: Writes a `When`; None if the notation needs more than it says.
    """

    expected: str
    fix: str
    read: Callable[[str], str | None]
    write: Callable[[str], str | None]


def _to_minute(when: str) -> str | None:
    return to_locomo(when) if "T" in when else None


LOCOMO_TIME: Final = Notation(
    "a time such as '1:56 pm on 8 May, 2023'", "Correct the date.", from_locomo, _to_minute
)
LONGMEMEVAL_TIME: Final = Notation(
    "a time such as '2023/05/20 (Sat) 02:21'",
    "Correct the date.",
    from_longmemeval,
    lambda when: to_longmemeval(when) if "T" in when else None,
)
ISO_DATE: Final = Notation(
    "a date such as '2024-06-17'",
    "Write the day; upstream shows this text to the model as it is.",
    lambda text: text if is_when(text) else None,
    lambda when: when,
)


def settle_date(reading: Reading, parts: Parts, written: Any, notation: Notation) -> str | None:
    """The date of a session as a `When`; None if it has none that can be read in one way only.

    Args:
        reading: Takes the findings.
        parts: Place of the date in the file.
        written: The date as it is there.
        notation: The layout's.
    """
    when = notation.read(written) if isinstance(written, str) else None
    if when is not None:
        return when
    number = isinstance(written, int) and not isinstance(written, bool)
    found = read_date(str(written)) if number or isinstance(written, str) else None
    target = reading.conversation

    def note(rule: Rule, expected: str, fix: str, own: str | None = None) -> None:
        got = f"{'the number ' if number else ''}{quote_value(written)}"
        message = f"{target}{pointer(*parts)}: expected {expected}, got {got}"
        instead = None if own is None else [own]
        reading.note(rule, target, "", message, fix, at=parts, instead=instead)

    if found is None:
        note(DATE_UNREADABLE, notation.expected, notation.fix)
        return None
    own = notation.write(found.when)
    if found.weekday is not None:
        day = found.when.partition("T")[0]
        note(DATE_WEEKDAY, f"{found.weekday}, which {day} was", "Correct the day or the weekday.")
    else:
        fix = f"It was read as {found.when}; write the time too."
        note(
            DATE_NOTATION, notation.expected, f"Write '{own}', as it was read." if own else fix, own
        )
    return found.when

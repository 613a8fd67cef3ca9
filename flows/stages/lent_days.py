"""The days of lent sessions: all of one lender move by the same weeks, so what they say stays true.

"Next Saturday" is followed by a Saturday, and what began in one session is not told before it.
"""

import re
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final

from memassay.schemas.changes.history_lists import shift_days
from memassay.schemas.changes.interpolation import gaps
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.values.civil_time import MONTHS, start

SEASON: Final = 45
"""Days by which the time of year of a session may move: Easter is not in June (our choice)."""
_WEEK: Final = 7
_YEAR: Final = 365
_TO_THE_DAY: Final = len("2023-05-01")
_NOON: Final = "T12:00:00"
_NAMED_DAY: Final = re.compile(
    rf"\b(?:[0-9]{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{'|'.join(MONTHS)})"
    rf"|(?:{'|'.join(MONTHS)}) [0-9]{{1,2}}(?:st|nd|rd|th)?)\b"
)


def days_to_move(lender: Bundle, host: Bundle, least: int, wanted: int) -> int | None:
    """By how many days all sessions of a lender move: whole weeks, and little in the year.

    Args:
        lender: Whose sessions they are.
        host: Where they are to be.
        least: Days from each to the sessions around it.
        wanted: How many sessions the host is to get; room for more counts no more.

    Returns:
        The days; None where either has no days, or nothing fits the time of year.
    """
    own, days = _dates(lender), _dates(host)
    if not own or not days:
        return None
    first = (start(days[0][:_TO_THE_DAY]) - start(own[-1][:_TO_THE_DAY])).days
    last = (start(days[-1][:_TO_THE_DAY]) - start(own[0][:_TO_THE_DAY])).days
    best: tuple[int, int] | None = None
    found = None
    for by in range(-(-first // _WEEK) * _WEEK, last + 1, _WEEK):
        moved = min(abs(by) % _YEAR, -abs(by) % _YEAR)
        if moved > SEASON:
            continue
        room = sum(place_of(each, by, host, least) is not None for each in own)
        if best is None or (min(room, wanted), -moved) > best:
            best, found = (min(room, wanted), -moved), by
    return found


def place_of(date: str, by: int, host: Bundle, least: int) -> tuple[int, str] | None:
    """After how many sessions of a host a date moved by some days is, and the date as written.

    None where it is not between two sessions, so many days from each.
    """
    around = timedelta(days=least)
    moved = shift_days(date, timedelta(days=by))
    for gap in gaps(host.conversation, 2 * around):
        size = min(len(gap.start), len(gap.end))
        when = (moved if len(moved) >= size else moved[:_TO_THE_DAY] + _NOON)[:size]
        if _from(gap.start, size) + around <= start(when) <= _from(gap.end, size) - around:
            return gap.after, when
    return None


def names_day(session: Session) -> bool:
    """Whether a turn names a day of the calendar: `1 March`, `March 1st`."""
    texts = (turn.text for one in session.rounds for turn in one.turns)
    return any(_NAMED_DAY.search(text) for text in texts)


def _dates(bundle: Bundle) -> list[str]:
    found = [one.date or "" for one in bundle.conversation.sessions if one.rounds]
    return list(takewhile(lambda one: len(one) >= _TO_THE_DAY, found))


def _from(when: str, size: int) -> datetime:
    return start(when[:size])

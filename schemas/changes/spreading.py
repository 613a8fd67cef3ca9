"""Dates for sessions that have none, or none that fits their place (M2A C; Mem-Gallery §3.1)."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final, NamedTuple

from memassay.schemas.changes.said_days import said_day
from memassay.schemas.records.conversation import Session
from memassay.schemas.values.civil_time import Precision, is_when, precision, start

_EXACT: Final = (Precision.DAY, Precision.MINUTE, Precision.SECOND)
_MORNING: Final = time(8)
_EVENING: Final = time(21)
"""Between these, sessions of one day are spoken where nothing says when (our choice)."""
_FARTHEST: Final = 400
"""Days that are looked through for one on which all holds that is said: a year and more."""

Fits = Callable[[date], bool]


class Calendar(NamedTuple):
    """How far apart sessions lie that nothing else dates.

    Attributes:
        first: The day of the first session where none has a date.
        least: Fewest days from one session to the next.
        most: Most days.
    """

    first: date
    least: int
    most: int


def spread(sessions: Sequence[Session], calendar: Calendar, random: Random) -> list[str]:
    """A `When` for each session in order, strictly increasing at minute precision.

    Dates that are in the order of time stay as they are; sessions of one day are told apart by the
    hour. The others lie evenly between their neighbours, or so many days apart as drawn, on days
    for which the weekday, month and season hold that their turns say.

    Raises:
        ValueError: Two dates leave no room for the sessions between them.
    """
    kept = _in_order([_day(one) for one in sessions])
    days = _days(kept, [said_day(one).fits for one in sessions], calendar, random)
    written = [one.date if day else None for one, day in zip(sessions, kept, strict=True)]
    return _hours(days, written)


def _day(session: Session) -> date | None:
    when = session.date
    known = when is not None and is_when(when) and precision(when) in _EXACT
    return start(when).date() if when is not None and known else None


def _in_order(days: Sequence[date | None]) -> list[date | None]:
    """The longest run of days none of which lies before another; the others are None."""
    ends: list[date] = []
    runs: list[list[int]] = []
    for at, day in enumerate(days):
        if day is None:
            continue
        place = bisect_right(ends, day)
        run = [*(runs[place - 1] if place else []), at]
        ends[place : place + 1] = [day]
        runs[place : place + 1] = [run]
    kept = set(runs[-1]) if runs else set()
    return [day if at in kept else None for at, day in enumerate(days)]


def _days(
    known: Sequence[date | None], fits: Sequence[Fits], calendar: Calendar, random: Random
) -> list[date]:
    """A day for each session; those that are known stay."""
    days: list[date | None] = list(known)
    anchors = [at for at, day in enumerate(days) if day is not None]
    if not anchors and days:
        days[0] = _near(calendar.first, fits[0], None, None)
        anchors = [0]
    for at in range(anchors[0] - 1, -1, -1) if anchors else ():
        later = days[at + 1] or calendar.first
        days[at] = _near(later - _gap(calendar, random), fits[at], None, later)
    for at in range(1, len(days)):
        if days[at] is not None:
            continue
        before = days[at - 1] or calendar.first
        after = next(((to, day) for to, day in enumerate(days[at:], at) if day is not None), None)
        wanted = (
            before + _gap(calendar, random)
            if after is None
            else before + (after[1] - before) / (after[0] - at + 1)
        )
        days[at] = _near(wanted, fits[at], before, after[1] if after else None)
    return [day for day in days if day is not None]


def _gap(calendar: Calendar, random: Random) -> timedelta:
    return timedelta(days=random.randint(calendar.least, calendar.most))


def _near(wanted: date, fits: Fits, after: date | None, before: date | None) -> date:
    """The day nearest to one on which all holds that is said; the day itself if none is near."""
    for away in range(_FARTHEST):
        for day in (wanted + timedelta(days=away), wanted - timedelta(days=away)):
            inside = (after is None or day > after) and (before is None or day < before)
            if inside and fits(day):
                return day
    return wanted


def _hours(days: Sequence[date], written: Sequence[str | None]) -> list[str]:
    """Days as `When`; sessions of one day get hours where those that they have do not order them.

    Raises:
        ValueError: There are more sessions between two moments than minutes.
    """
    told: list[str] = []
    at = 0
    while at < len(days):
        size = next((n for n, day in enumerate(days[at:]) if day != days[at]), len(days) - at)
        own = list(written[at : at + size])
        told += [own[0] or days[at].isoformat()] if size == 1 else _one_day(days[at], own)
        at += size
    return told


def _one_day(day: date, written: Sequence[str | None]) -> list[str]:
    """Different minutes of a day, those that are written kept as far as they increase."""
    fixed: list[datetime | None] = []
    for one in written:
        last = max((each for each in fixed if each), default=None)
        moment = start(one[:16]) if one is not None and len(one) > len("2024-01-01") else None
        fixed.append(moment if moment and (last is None or moment > last) else None)
    told: list[str] = []
    previous = datetime.combine(day, _MORNING) - timedelta(minutes=1)
    first = next((each for each in fixed if each), None)
    if first is not None:
        previous = min(previous, first - timedelta(minutes=len(fixed) + 1))
    for at, moment in enumerate(fixed):
        if moment is None:
            rest = fixed[at:]
            number = next((n for n, each in enumerate(rest) if each), len(rest))
            evening = max(datetime.combine(day, _EVENING), previous + timedelta(hours=1))
            end = next((each for each in rest if each), evening)
            step = (end - previous) // timedelta(minutes=1) // (number + 1)
            if step < 1:
                raise ValueError(f"{day}: expected room for {number} sessions, got none")
            moment = previous + timedelta(minutes=step)
            told.append(moment.isoformat(timespec="minutes"))
        else:
            told.append(written[at] or moment.isoformat(timespec="minutes"))
        previous = moment
    return told

"""Where extension sessions come in, and when."""

from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from memassay.schemas.changes.interpolation import Gap, interpolate
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.civil_time import Precision, is_when, precision, start

_BEHIND: Final = (2, 9)
"""Fewest and most days from the last session to one behind it (our choice)."""
_EXACT: Final = (Precision.DAY, Precision.MINUTE, Precision.SECOND)


class Room(NamedTuple):
    """Where a session comes in.

    Attributes:
        after: How many sessions lie before it.
        when: Its date; None where the life has none there.
    """

    after: int
    when: str | None


def room_for(bundle: Bundle, wanted: int, random: Random) -> Room:
    """The first place, from so many sessions on, where the dates leave a day for one more.

    No two sessions are as many days apart as two others because of it.
    """
    sessions = bundle.conversation.sessions
    taken = {_days(one.ends_on(), other.date) for one, other in pairwise(sessions)}
    for after, (before, behind) in list(enumerate(pairwise(sessions), start=1))[wanted - 1 :]:
        begin, end = before.ends_on(), behind.date
        if begin is None or end is None:
            return Room(after, None)
        if not (_is_exact(begin) and _is_exact(end)):
            continue
        for when in _moments(Gap(after, begin, end), random):
            sides = {_days(begin, when), _days(when, end)}
            if len(sides) == 2 and taken.isdisjoint(sides):
                return Room(after, when)
    last = sessions[-1].ends_on()
    if last is None or not _is_exact(last):
        return Room(len(sessions), None)
    fewest, most = _BEHIND
    free = [days for days in range(fewest, most + len(taken) + 1) if days not in taken]
    day = start(last[:10]) + timedelta(days=random.choice(free[: most - fewest + 1]))
    return Room(len(sessions), day.date().isoformat() + last[10:])


def _moments(gap: Gap, random: Random) -> list[str]:
    """A moment on each day of a gap, in an order that is drawn."""
    found = interpolate(gap, gap.length.days - 1) if gap.length.days > 1 else []
    return random.sample(found, len(found))


def _days(one: str | None, other: str | None) -> int | None:
    if one is None or other is None or not (_is_exact(one) and _is_exact(other)):
        return None
    return (start(other[:10]) - start(one[:10])).days


def _is_exact(when: str) -> bool:
    return is_when(when) and precision(when) in _EXACT

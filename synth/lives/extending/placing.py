"""Where extension sessions come in, and when."""

from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from memassay.schemas.changes.interpolation import Gap, interpolated
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
    """The first place, from so many sessions on, where the dates leave a day for one more."""
    sessions = bundle.conversation.sessions
    for after, (before, behind) in list(enumerate(pairwise(sessions), start=1))[wanted - 1 :]:
        begin, end = before.ends_on(), behind.date
        if begin is None or end is None:
            return Room(after, None)
        if not (_is_exact(begin) and _is_exact(end)):
            continue
        try:
            return Room(after, interpolated(Gap(after, begin, end), 1)[0])
        except ValueError:
            continue
    last = sessions[-1].ends_on()
    if last is None or not _is_exact(last):
        return Room(len(sessions), None)
    day = start(last[:10]) + timedelta(days=random.randint(*_BEHIND))
    return Room(len(sessions), day.date().isoformat() + last[10:])


def _is_exact(when: str) -> bool:
    return is_when(when) and precision(when) in _EXACT

"""Gaps between the sessions of a conversation, and moments inside one (M2A C, eq. 7)."""

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from memassay.schemas.records.conversation import Conversation
from memassay.schemas.values.civil_time import Precision, precision, start

_STEP: Final = {
    Precision.DAY: timedelta(days=1),
    Precision.MINUTE: timedelta(minutes=1),
    Precision.SECOND: timedelta(seconds=1),
}
"""The shortest time between two moments that are written differently."""


class Gap(NamedTuple):
    """The time between two neighbouring sessions.

    Attributes:
        after: How many sessions lie before it.
        start: `When` the last of them ends.
        end: `When` the next one begins.
    """

    after: int
    start: str
    end: str

    @property
    def length(self) -> timedelta:
        """From the one moment to the other, both to the coarser precision of the two."""
        size = min(len(self.start), len(self.end))
        return start(self.end[:size]) - start(self.start[:size])


def gaps(conversation: Conversation, least: timedelta) -> list[Gap]:
    """The gaps between neighbouring sessions that are at least so long; sessions need a day."""
    sessions = conversation.sessions
    found = []
    for number, (before, after) in enumerate(pairwise(sessions), start=1):
        begin, end = before.ends_on(), after.date
        if begin is None or end is None or not {precision(begin), precision(end)} <= _STEP.keys():
            continue
        gap = Gap(number, begin, end)
        if gap.length >= least:
            found.append(gap)
    return found


def interpolate(gap: Gap, number: int) -> list[str]:
    """Moments that cut a gap into equal parts, as exact as its ends are (M2A C, eq. 7).

    Written to whole minutes (or days), they still increase strictly, from after the start of the
    gap to before its end.

    Raises:
        ValueError: The gap has no room for so many different moments.
    """
    size = min(len(gap.start), len(gap.end))
    begin, step = start(gap.start[:size]), _STEP[precision(gap.start[:size])]
    if gap.length // step <= number:
        raise ValueError(
            f"{gap.start} to {gap.end}: expected room for {number} moments between them, "
            f"got {max(gap.length // step - 1, 0)}"
        )
    whole = gap.length // step
    return [
        _moment_text(begin + whole * nth // (number + 1) * step, size)
        for nth in range(1, number + 1)
    ]


def _moment_text(moment: datetime, size: int) -> str:
    return moment.isoformat(timespec="seconds")[:size]

"""At what time of day each event comes up."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Final

from memassay.synth.world.grammar import Randoms
from memassay.synth.world.processes.cast_card import CastCard

_EARLIEST: Final = 7 * 60
_LATEST: Final = 19 * 60
_PACE: Final = 45
"""Minutes of a day between which a session begins, and an event's mean minutes (our choice)."""


def event_times(cards: Sequence[CastCard], randoms: Randoms) -> list[datetime]:
    """When each card comes up: strictly one after another (M3Exam §2.2), in the order given."""
    times: list[datetime] = []
    for session, day in sorted({(one.session, one.told) for one in cards}):
        random = randoms("times", str(session))
        together = [one for one in cards if one.session == session]
        opens = max((one.opens for one in together if one.happened == day), default=0)
        begin = max(random.randint(_EARLIEST, _LATEST), opens)
        count = len(together)
        end = min(begin + _PACE * count, 24 * 60)
        midnight = datetime.combine(day, time())
        minutes = sorted(random.sample(range(begin, end), count))
        times += [midnight + timedelta(minutes=minute) for minute in minutes]
    return times

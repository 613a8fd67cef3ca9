"""At what time of day each event comes up."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Final, NamedTuple

from memassay.synth.world.grammar import Randoms
from memassay.synth.world.processes.cast_card import CastCard

_EARLIEST: Final = 7 * 60
_LATEST: Final = 19 * 60
_PACE: Final = 45
_END: Final = 23 * 60
"""Minutes of a day between which a session begins, an event's mean minutes, and the minute by which
what the first edition brings has come up (our choice)."""


class Turn(NamedTuple):
    """A card in its place: when it comes up, what is noted, whether its day is said beside it."""

    position: int
    cast: CastCard
    when: datetime
    logs: list[str]
    notes_day: bool


def event_times(cards: Sequence[CastCard], randoms: Randoms) -> list[datetime]:
    """When each card comes up: strictly one after another (M3Exam §2.2), in the order given.

    What later editions bring comes up after the rest of its session, which keeps its minutes.
    """
    first = min(one.card.edition for one in cards)
    times: list[datetime] = []
    for session, day in sorted({(one.session, one.told) for one in cards}):
        random = randoms("times", str(session))
        together = [one for one in cards if one.session == session]
        old = [one for one in together if one.card.edition == first] or together
        opens = max((one.opens for one in old if one.happened == day), default=0)
        begin = max(random.randint(_EARLIEST, _LATEST), opens)
        count = len(old)
        end = max(min(begin + _PACE * count, _END), begin + count)
        minutes = sorted(random.sample(range(begin, end), count))
        for one in together[count:]:
            left = 24 * 60 - 1 - minutes[-1]
            wait = randoms("times", one.card.key).randint(1, max(min(_PACE, left // 2), 1))
            minutes.append(minutes[-1] + wait)
        midnight = datetime.combine(day, time())
        times += [midnight + timedelta(minutes=minute) for minute in minutes]
    return times

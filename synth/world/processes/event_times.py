"""At what time of day each event comes up, and what the user notes beside it."""

import itertools
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import Final, NamedTuple

from memassay.synth.world.grammar import Randoms
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.processes.phrases import asks_last, names_time, says_day

_EARLIEST: Final = 7 * 60
_LATEST: Final = 19 * 60
_PACE: Final = 45
_END: Final = 23 * 60
"""Minutes of a day between which a session begins, an event's mean minutes, and the minute by which
what the first edition brings has come up (our choice)."""
_WAIT: Final = 90
"""Most minutes from the last time of day that a session names to its begin (our choice)."""


class Turn(NamedTuple):
    """A card in its place: whether entries of logs are noted, and its day said beside it."""

    position: int
    cast: CastCard
    logs: bool
    notes_day: bool


def turns_of(cards: Sequence[CastCard]) -> Iterator[Turn]:
    """The cards in their places, 1-based.

    In each session one event at most has its day said beside it, and another the entries of logs.
    A later edition is told last in its sessions: what comes first stays as it is.
    """
    position = 0
    for _, group in itertools.groupby(cards, key=lambda one: one.session):
        together = list(group)
        dated = next((at for at, one in enumerate(together) if _leaves_day(one, at)), None)
        logs = _at_logs(together, dated)
        for at, one in enumerate(together):
            position += 1
            yield Turn(position, one, at == logs, at == dated != logs)


def _leaves_day(one: CastCard, at: int) -> bool:
    """Whether an event, the `at`-th of its session, leaves its day to words at its very end.

    Nothing is asked there, no other words name a time, and a session does not open with them.
    """
    named = says_day(one.card) or names_time(one.card)
    return not named and not asks_last(one.card.rounds) and at + len(one.card.rounds) > 1


def _at_logs(together: Sequence[CastCard], dated: int | None) -> int:
    """Where logs get entries: with the last event that ends without a question, else the first."""
    edition = min(one.card.edition for one in together)
    ended = [
        at
        for at, one in enumerate(together)
        if one.card.edition == edition and at != dated and not asks_last(one.card.rounds)
    ]
    return ended[-1] if ended else 0


def event_times(
    cards: Sequence[CastCard], clocks: Sequence[int], randoms: Randoms
) -> list[datetime]:
    """When each card comes up: strictly one after another (M3Exam §2.2), in the order given.

    What later editions bring comes up after the rest of its session, which keeps its minutes.

    Args:
        cards: What is told, in order.
        clocks: Of each card, the latest minute of its day that the user names; 0 for none.
        randoms: Gives the generator of a purpose.
    """
    first = min(one.card.edition for one in cards)
    times: list[datetime] = []
    for session, day in sorted({(one.session, one.told) for one in cards}):
        random = randoms("times", str(session))
        together = [at for at, one in enumerate(cards) if one.session == session]
        old = [at for at in together if cards[at].card.edition == first] or together
        same_day = [at for at in old if cards[at].happened == day]
        opens = max((max(cards[at].opens, clocks[at]) for at in same_day), default=0)
        begin, opens = random.randint(_EARLIEST, _LATEST), min(opens, _END)
        if begin < opens:
            begin = random.randint(opens, max(opens, min(opens + _WAIT, _END - _PACE)))
        count = len(old)
        end = max(min(begin + _PACE * count, _END), begin + count)
        minutes = sorted(random.sample(range(begin, end), count))
        for at in together[count:]:
            left = 24 * 60 - 1 - minutes[-1]
            wait = randoms("times", cards[at].card.key).randint(1, max(min(_PACE, left // 2), 1))
            minutes.append(minutes[-1] + wait)
        midnight = datetime.combine(day, time())
        times += [midnight + timedelta(minutes=minute) for minute in minutes]
    return times

"""Windows of a conversation that questions of each type are written from (M3Exam A.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.schemas.records.conversation import Conversation, Round, Session

_SHORT: Final = (3, 5)
_MIDDLE: Final = (5, 8)
_WIDE: Final = (8, 16)
"""Fewest and most rounds of a window; the paper's numbers are lost (our choice)."""


@dataclass(frozen=True)
class Window:
    """Some rounds, in time order."""

    rounds: tuple[Round, ...]

    @property
    def places(self) -> frozenset[str]:
        """Ids of its rounds."""
        return frozenset(one.id for one in self.rounds)

    @property
    def images(self) -> list[str]:
        """Ids of its attachments, in the order shown."""
        turns = (turn for one in self.rounds for turn in one.turns)
        return [item.id for turn in turns for item in turn.attachments]


def window_of(code: str, talk: Conversation, random: Random) -> Window | None:
    """A window of a type drawn anew; None if the conversation has none."""
    return _MAKERS[code](talk, random)


def _one(least: int, most: int) -> Callable[[Conversation, Random], Window | None]:
    """A contiguous window of one session."""

    def draw(talk: Conversation, random: Random) -> Window | None:
        session = random.choice(talk.sessions)
        return Window(_slice(session, (least, most), random)) if session.rounds else None

    return draw


def _several(
    least: int, most: int, size: tuple[int, int]
) -> Callable[[Conversation, Random], Window | None]:
    """Windows of several sessions, in time order."""

    def draw(talk: Conversation, random: Random) -> Window | None:
        told = [session for session in talk.sessions if session.rounds]
        if len(told) < least:
            return None
        count = random.randint(least, min(most, len(told)))
        chosen = sorted(random.sample(range(len(told)), count))
        return Window(tuple(one for at in chosen for one in _slice(told[at], size, random)))

    return draw


def _seen(images: int) -> Callable[[Conversation, Random], Window | None]:
    """A window around rounds of one session that show so many images."""

    def draw(talk: Conversation, random: Random) -> Window | None:
        windows = [
            Window(tuple(session.rounds[max(at - 2, 0) : at + 3]))
            for session in talk.sessions
            for at, round_ in enumerate(session.rounds)
            if any(turn.attachments for turn in round_.turns)
        ]
        fit = [window for window in windows if len(window.images) >= images]
        return random.choice(fit) if fit else None

    return draw


def _slice(session: Session, size: tuple[int, int], random: Random) -> tuple[Round, ...]:
    count = min(random.randint(*size), len(session.rounds))
    first = random.randint(0, len(session.rounds) - count)
    return tuple(session.rounds[first : first + count])


_MAKERS: Final = {
    "ss": _one(*_MIDDLE),
    "ms": _several(2, 4, _SHORT),
    "tr": _several(2, 4, _SHORT),
    "mr": _seen(1),
    "fm": _seen(2),
    "th": _one(*_WIDE),
    "fj": _several(2, 4, _SHORT),
    "ii": _several(2, 5, _SHORT),
}

"""Lessons that fill what is left of a conversation: how many pictures, rounds and sessions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from memassay.schemas.records.conversation import Conversation

NAMES: Final = "TTL"
"""Mem-Gallery's code of questions for the name of a class."""
_CLUES: Final = 4.1
"""Pictures that teach a class, on average (Mem-Gallery, Table 6: clues of TTL)."""
_ASKED: Final = 4.5
"""Questions of a class, on average (our choice)."""
_FEWEST: Final = 2
"""Classes of a lesson, and pictures of a class, at least."""
_MOST: Final = 6
"""Pictures of a class at most."""
_CLASSES: Final = 6
"""Classes of a lesson at most, where there are sessions enough (our choice)."""
_SHARE: Final = 0.5
"""Most of the images of a conversation that lessons show (our choice)."""
_LONG: Final = 8
"""Pictures from which on lessons go over two sessions (our choice)."""
_SESSION: Final = 14
"""Pictures of a session of a lesson, at most where there are sessions enough (our choice)."""
_FRAME: Final = 2
"""Rounds with which a session of a lesson begins and ends."""
_TALK: Final = 0.3
"""Exchanges without a picture for each picture (our choice)."""


@dataclass(frozen=True)
class Room:
    """How large a conversation is with its lessons, and how much these ask.

    Attributes:
        sessions: Sessions.
        rounds: Rounds of them together.
        images: Images of them together.
        asked: How many questions show a new picture of what lessons teach, by Mem-Gallery's code.
        bare: How many questions for names show no picture.
    """

    sessions: int
    rounds: int
    images: int
    asked: Mapping[str, int]
    bare: int = 0

    @property
    def names(self) -> int:
        """How many questions ask for a name."""
        return self.asked.get(NAMES, 0) + self.bare

    @property
    def questions(self) -> int:
        """How many questions there are of what lessons teach."""
        return sum(self.asked.values()) + self.bare


@dataclass(frozen=True)
class Shape:
    """What a lesson is made of.

    Attributes:
        exemplars: By class, pictures that teach it.
        talks: By session, exchanges without a picture beside opening and closing.
        asked: New pictures of a class that questions may show.
    """

    exemplars: tuple[int, ...]
    talks: tuple[int, ...]
    asked: int


def lessons_need(room: Room) -> tuple[int, int, int]:
    """Sessions, rounds and images that lessons will take, for who plans the rest."""
    if not room.questions:
        return 0, 0, 0
    classes = max(_FEWEST, round(room.names / _ASKED))
    shown = min(round(_CLUES * classes), max(round(_SHARE * room.images), _FEWEST * _FEWEST))
    sessions = max(-(-shown // _SESSION), 1 + (shown >= _LONG))
    return sessions, shown + _FRAME * sessions + round(_TALK * shown), shown


def shapes_for(room: Room, talk: Conversation) -> list[Shape]:
    """Lessons by which a conversation becomes as large as it shall be, as far as they can.

    Args:
        room: How large it shall be.
        talk: The conversation without them.
    """
    if not room.questions:
        return []
    sessions = max(room.sessions - len(talk.sessions), 1)
    shown = max(room.images - len(talk.attachments()), _FEWEST * _FEWEST)
    talks = max(room.rounds - len(talk.rounds()) - shown - _FRAME * sessions, 0)
    classes = max(_FEWEST, round(room.names / _ASKED), -(-shown // _MOST))
    classes = min(classes, shown // _FEWEST)
    lessons = max(1, min(-(-classes // _CLASSES), sessions, classes // _FEWEST))
    each = _parts(shown, classes)
    told = _parts(talks, sessions)
    asked = -(-room.questions // classes) + 1
    shapes: list[Shape] = []
    for some, days in zip(_runs(each, lessons), _runs(told, lessons), strict=True):
        shapes.append(Shape(tuple(some), tuple(days), asked))
    return shapes


def _parts(whole: int, number: int) -> list[int]:
    """A number in so many parts that differ by one at most."""
    return [whole // number + (at < whole % number) for at in range(number)]


def _runs(numbers: Sequence[int], count: int) -> Iterator[Sequence[int]]:
    """Numbers in so many runs of nearly the same length."""
    ends = list(accumulate(_parts(len(numbers), count)))
    for begin, end in zip([0, *ends], ends, strict=False):
        yield numbers[begin:end]

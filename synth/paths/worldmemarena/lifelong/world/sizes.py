"""How large a world is, and the generators of its draws."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from memassay.schemas.values.keyed_random import KeyedRandom, keyed_random

_T = TypeVar("_T")


@dataclass(frozen=True)
class Sizes:
    """Sizes of one sample; those of points are of each session (WorldMemArena §4.3).

    Attributes:
        sessions: Sessions, the first one (S00) among them.
        points: Points that append.
        updates: Points that revise, delete or merge; none in the first session.
        interference: Points of interference; none in the first session.
        images: Images.
        checkpoints: Where questions are asked.
    """

    sessions: int = 20
    points: int = 10
    updates: int = 3
    interference: int = 2
    images: int = 4
    checkpoints: int = 5


@dataclass(frozen=True)
class Draws:
    """Generators of a sample, each by what it draws: no draw depends on how many came before."""

    seed: str
    sample: str

    def random(self, *purpose: object) -> KeyedRandom:
        """The generator of a purpose."""
        return keyed_random(self.seed, self.sample, *map(str, purpose))

    def rank(self, items: Iterable[_T], *purpose: object) -> list[_T]:
        """Items by a number of their own: one more does not change the order of the others."""
        return sorted(items, key=lambda item: self.random(*purpose, item).random())

    def chance(self, share: float, *purpose: object) -> bool:
        """Whether something comes true that does in a share of cases."""
        return self.random(*purpose).random() < share

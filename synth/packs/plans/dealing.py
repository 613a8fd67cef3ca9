"""Dealing: what the n-th dialogue of a pack gets, evenly and without counting the others."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from memassay.schemas.values.keyed_random import KeyedRandom, keyed_random

_T = TypeVar("_T")


def random_of(*key: object) -> KeyedRandom:
    """The generator of a key of texts and numbers."""
    return keyed_random(*map(str, key))


@lru_cache(maxsize=1 << 14)
def permutation(size: int, *key: object) -> tuple[int, ...]:
    """The numbers below `size` in the order of a key."""
    order = list(range(size))
    random_of(*key).shuffle(order)
    return tuple(order)


def deal(items: Sequence[_T], ordinal: int, *key: object) -> _T:
    """The item of a dialogue: each comes once among so many dialogues as there are items."""
    block, at = divmod(ordinal, len(items))
    return items[permutation(len(items), *key, block)[at]]


def deal_order(items: Sequence[_T], ordinal: int, *key: object) -> list[_T]:
    """All items, the one that is dealt first, the others in an order of the dialogue's own."""
    first = deal(items, ordinal, *key)
    rest = [each for each in items if each is not first]
    random_of(*key, "rest", ordinal).shuffle(rest)
    return [first, *rest]

"""Caches of what follows from a text alone, emptied together when a unit of work is done."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

Function = TypeVar("Function", bound=Callable[..., object])

_CACHES: Final[list[Callable[[], None]]] = []
"""What empties each cache."""


def text_cache(size: int) -> Callable[[Function], Function]:
    """Decorator: keep the results of a pure function of texts until `clear_text_caches`.

    Args:
        size: How many results are kept, at most.
    """

    def keep(function: Function) -> Function:
        cached = lru_cache(maxsize=size)(function)
        _CACHES.append(cached.cache_clear)
        return cached  # type: ignore[return-value]

    return keep


def clear_text_caches() -> None:
    """Forget what all text caches hold: the texts of the next conversation are other ones."""
    for clear in _CACHES:
        clear()

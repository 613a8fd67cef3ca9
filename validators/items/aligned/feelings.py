"""Whether a text speaks well or ill, by words that judge or feel."""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from memassay.schemas.values.text import tokens

OTHER: Final = {"good": "ill", "ill": "good"}
_DENIES: Final = frozenset({"not", "never", "no", "without", "hardly", "less", "nothing", "cannot"})
_BEFORE: Final = 3
"""So many words in front of one that judges may deny it: "not very happy"."""


@lru_cache(maxsize=1 << 14)
def feelings(text: str) -> Mapping[str, frozenset[str]]:
    """The words that speak well or ill in a text; a denied one speaks the other way."""
    found: dict[str, set[str]] = {}
    line = tokens(text)
    for at, word in enumerate(line):
        side = _sides().get(word)
        if side is None:
            continue
        near = line[max(0, at - _BEFORE) : at]
        denied = any(each in _DENIES or each.endswith("n't") for each in near)
        found.setdefault(OTHER[side] if denied else side, set()).add(word)
    return {side: frozenset(some) for side, some in found.items()}


@cache
def _sides() -> Mapping[str, str]:
    lines = files(__package__).joinpath("feelings.txt").read_text("utf-8").splitlines()
    rows = [line.partition(":") for line in lines if not line.startswith("#")]
    return {word: side for side, _, some in rows for word in some.split()}

"""Where two records differ: the place in them, what was expected, what is there."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

_SHOWN: Final = 120
"""Characters of a text that a difference quotes."""
_BEFORE: Final = 30
"""Of these, how many stand before the first that differs."""


class Difference(NamedTuple):
    """One place at which a record differs.

    Attributes:
        place: Keys and positions that lead there.
        within: Id of the innermost part with an id that holds it, such as a turn; empty if none.
        expected: What a record has there.
        got: What the other one has.
    """

    place: tuple[str | int, ...]
    within: str
    expected: str
    got: str


def differences(
    wanted: Any, got: Any, place: tuple[str | int, ...] = (), within: str = ""
) -> Iterator[Difference]:
    """Every place at which two JSON values differ, as deep in them as they are of one form."""
    if wanted == got:
        return
    if isinstance(wanted, dict) and isinstance(got, dict):
        inner = str(wanted["id"]) if place and wanted.get("id") else within
        for name in [*wanted, *(each for each in got if each not in wanted)]:
            yield from differences(wanted.get(name), got.get(name), (*place, name), inner)
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for at, (one, other) in enumerate(zip(wanted, got, strict=True)):
            yield from differences(one, other, (*place, at), within)
    elif _has_ids(wanted) and _has_ids(got):
        yield from _of_parts(wanted, got, place, within)
    else:
        yield Difference(place, within, *shorten_pair(wanted, got))


def _has_ids(value: Any) -> bool:
    """Whether a value is a list of parts that have ids."""
    return isinstance(value, list) and all(isinstance(one, dict) and "id" in one for one in value)


def _of_parts(
    wanted: list[dict[str, Any]],
    got: list[dict[str, Any]],
    place: tuple[str | int, ...],
    owner: str,
) -> Iterator[Difference]:
    there = {str(one["id"]): one for one in got}
    for at, one in enumerate(wanted):
        name = str(one["id"])
        if name in there:
            yield from differences(one, there.pop(name), (*place, at), owner)
        else:
            yield Difference((*place, at), owner, name, "no such part")
    for name in there:
        yield Difference(place, owner, "no such part", name)


def shorten_pair(wanted: Any, got: Any) -> tuple[str, str]:
    """Two values in short: of long texts the part in which they begin to differ."""
    one, other = str(wanted), str(got)
    pairs = enumerate(zip(one, other, strict=False))
    start = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    start = 0 if max(len(one), len(other)) <= _SHOWN else max(0, start - _BEFORE)
    return one[start : start + _SHOWN], other[start : start + _SHOWN]

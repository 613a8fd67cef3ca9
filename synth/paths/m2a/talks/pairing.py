"""Choices that belong together in neighbouring turns: an answer and its question."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import Final, NamedTuple

from memassay.synth.paths.m2a.talks.beats import Turn

_OPEN: Final = "["
_CLOSE: Final = "]"


class _Choice(NamedTuple):
    """A choice of a pattern: where it is, and its alternatives."""

    start: int
    end: int
    alternatives: tuple[str, ...]


def pairings(turns: Sequence[Turn]) -> list[list[Turn]]:
    """The turns once for each way to make the choices that belong together; others are left.

    Of two neighbouring turns, the last choice of the one and the first of the other belong together
    if they have as many alternatives.
    """
    said = [next(iter(turn.items())) for turn in turns]
    found = [choices(pattern) for _, pattern in said]
    groups = _groups(found)
    made = []
    for taken in product(*(range(len(_first(group, found).alternatives)) for group in groups)):
        at = {place: nth for group, nth in zip(groups, taken, strict=True) for place in group}
        made.append(
            [
                {who: _chosen(pattern, found[turn], turn, at)}
                for turn, (who, pattern) in enumerate(said)
            ]
        )
    return made


@cache
def choices(pattern: str) -> tuple[_Choice, ...]:
    """The choices of a pattern that are in no other one, in order."""
    found: list[_Choice] = []
    depth, begin, cuts = 0, 0, list[int]()
    for at, letter in enumerate(pattern):
        if letter == _OPEN:
            if depth == 0:
                begin, cuts = at, [at]
            depth += 1
        elif letter == "|" and depth == 1:
            cuts.append(at)
        elif letter == _CLOSE:
            depth -= 1
            if depth == 0:
                cuts.append(at)
                parts = tuple(pattern[left + 1 : right] for left, right in pairwise(cuts))
                found.append(_Choice(begin, at + 1, parts))
    return tuple(found)


def _groups(found: Sequence[Sequence[_Choice]]) -> list[list[tuple[int, int]]]:
    """Places (turn, number of the choice) of choices that are made together."""
    groups: list[list[tuple[int, int]]] = []
    for turn, (before, after) in enumerate(pairwise(found)):
        if not before or not after:
            continue
        if len(before[-1].alternatives) != len(after[0].alternatives):
            continue
        left, right = (turn, len(before) - 1), (turn + 1, 0)
        known = next((group for group in groups if left in group), None)
        if known is None:
            groups.append([left, right])
        else:
            known.append(right)
    return groups


def _first(group: Sequence[tuple[int, int]], found: Sequence[Sequence[_Choice]]) -> _Choice:
    turn, number = group[0]
    return found[turn][number]


def _chosen(
    pattern: str, found: Sequence[_Choice], turn: int, at: Mapping[tuple[int, int], int]
) -> str:
    """A pattern in which the choices that belong to others are made."""
    for number in reversed(range(len(found))):
        if (turn, number) in at:
            one = found[number]
            said = one.alternatives[at[turn, number]]
            pattern = pattern[: one.start] + said + pattern[one.end :]
    return pattern

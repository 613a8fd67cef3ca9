"""The order that keeps what must come first and reads best: a small search, always the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from memassay.synth.lives.ordering.cues import Cue

LEANING: Final = 1.0
"""What a standard deviation of how late members sound counts, in units of a cue."""
_GAIN: Final = 1e-9
_PASSES: Final = 60
_BLOCK: Final = 4
"""Members that are moved at once, at most."""


@dataclass(frozen=True)
class Constraints:
    """What must come before what.

    Attributes:
        kept: Cues that all hold in some order.
        given_up: Cues that contradict heavier ones.
        before: By place, whether one must come before another, what follows from others too.
    """

    kept: list[Cue]
    given_up: list[Cue]
    before: Any


def constraints(size: int, cues: Iterable[Cue]) -> Constraints:
    """The heaviest cues that do not contradict each other; of a cycle the weakest gives way."""
    before = np.zeros((size, size), dtype=bool)
    kept: list[Cue] = []
    given_up: list[Cue] = []
    for cue in sorted(cues, key=lambda one: (-one.weight, one.before, one.after, one.why)):
        if cue.before == cue.after or before[cue.after, cue.before]:
            given_up.append(cue)
            continue
        kept.append(cue)
        above = np.append(np.flatnonzero(before[:, cue.before]), cue.before)
        below = np.append(np.flatnonzero(before[cue.after]), cue.after)
        before[np.ix_(above, below)] = True
    return Constraints(kept, given_up, before)


def positions(cues: Sequence[Cue], lean: Sequence[float]) -> Any:
    """The position of each member on a line, by least squares.

    A cue wants its members one unit apart, each member wants to stay near its leaning, so reasons
    add up along chains and a wrong one bends the line a little.

    Args:
        cues: With their weights.
        lean: For each member, how late it sounds, in any unit.
    """
    size = len(lean)
    wanted = np.asarray(lean, dtype=float)
    spread = float(wanted.std())
    wanted = LEANING * (wanted - wanted.mean()) / spread if spread > _GAIN else np.zeros(size)
    pulls = np.eye(size)
    for cue in cues:
        one, other = cue.before, cue.after
        pulls[[one, other], [one, other]] += cue.weight
        pulls[[one, other], [other, one]] -= cue.weight
        wanted[other] += cue.weight
        wanted[one] -= cue.weight
    return np.linalg.solve(pulls, wanted).round(6)


def arrange(before: Any, position: Any, next_to: Any) -> list[int]:
    """Places in the best order that moves can find among those that keep the constraints.

    Args:
        before: `before[a, b]`: a must come before b; without cycles, closed under what follows.
        position: Of each on a line; a pair in that order gains its distance.
        next_to: `next_to[a, b]`: gain of b right after a.
    """
    # A pair gains the distance by which one is later than the other.
    lead = position[None, :] - position[:, None]
    order = _sort_by_position(before, position)
    for _ in range(_PASSES):
        moved = _best_move(order, before, lead, next_to)
        if moved is None:
            break
        order = moved
    return order


def _sort_by_position(before: Any, position: Any) -> list[int]:
    """By position as far as the constraints allow."""
    left = list(range(len(position)))
    order = []
    while left:
        free = [at for at in left if not before[left, at].any()]
        chosen = min(free, key=lambda at: (float(position[at]), at))
        order.append(chosen)
        left.remove(chosen)
    return order


def _best_move(order: list[int], before: Any, lead: Any, next_to: Any) -> list[int] | None:
    """The order with one run of members moved to where it gains most; None if none gains."""
    size = len(order)
    best, found = _GAIN, None
    # A last row and column of 0 are what is before the first and after the last member.
    joint = np.pad(next_to, (0, 1)).tolist()
    leads, must = lead.tolist(), before.tolist()
    at = [*order, size]
    for start in range(size):
        for end in range(start + 1, min(size, start + _BLOCK) + 1):
            run = order[start:end]
            # Moving a run back is moving the run before it forward.
            gain = 0.0
            for to in range(end, size):
                passed = order[to]
                if any(must[one][passed] for one in run):
                    break
                gain += sum(leads[passed][one] for one in run)
                total = gain + _joints(joint, at, start, end, to + 1)
                if total > best:
                    best = total
                    found = order[:start] + order[end : to + 1] + run + order[to + 1 :]
            gain = 0.0
            for to in range(start - 1, -1, -1):
                passed = order[to]
                if any(must[passed][one] for one in run):
                    break
                gain += sum(leads[one][passed] for one in run)
                total = gain + _joints(joint, at, to, start, end)
                if total > best:
                    best = total
                    found = order[:to] + run + order[to:start] + order[end:]
    return found


def _joints(
    joint: list[list[float]], at: Sequence[int], start: int, middle: int, end: int
) -> float:
    """Gain at the joints of two neighbouring runs that change places."""
    left = at[start - 1] if start else at[-1]
    first, second, right = (at[start], at[middle - 1]), (at[middle], at[end - 1]), at[end]
    now = joint[left][first[0]] + joint[first[1]][second[0]] + joint[second[1]][right]
    then = joint[left][second[0]] + joint[second[1]][first[0]] + joint[first[1]][right]
    return then - now

"""Means of scores with their 95 % intervals, per question type."""

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from memassay.schemas.errors import UsageError

Z_95: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """The mean of scores in [0, 1].

    Attributes:
        count: Items that were scored.
        excluded: Items to which the metric does not apply; they are not in the mean.
        mean: Arithmetic mean over the scored items; None when there are none.
        low: Lower end of the 95 % interval of the mean; None when there are none.
        high: Upper end of the 95 % interval of the mean; None when there are none.
    """

    count: int
    excluded: int
    mean: float | None
    low: float | None
    high: float | None


def wilson_interval(mean: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a mean of scores in [0, 1].

    Exact in its assumptions for scores of 0 and 1. For fractional scores (F1, BLEU-1, recall) it
    is conservative, because no variable in [0, 1] varies more than a yes/no variable of the same
    mean. Unlike a bootstrap it needs no random draws and keeps a width when all scores are equal.

    Raises:
        UsageError: `count` is below 1.
    """
    if count < 1:
        raise UsageError(f"count: expected at least 1 score, got {count}; leave the interval out")
    centre = mean + Z_95**2 / (2 * count)
    spread = Z_95 * math.sqrt(mean * (1 - mean) / count + (Z_95 / (2 * count)) ** 2)
    scale = 1 + Z_95**2 / count
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


class ScoreTally:
    """The mean of scores that come one by one and are not kept.

    The sum is exact, as that of `math.fsum`: so the order of the scores has no influence.
    """

    def __init__(self) -> None:
        self._count = self._excluded = 0
        self._partials: list[float] = []

    def add(self, score: float | None) -> None:
        """Take one score in [0, 1]; None counts as excluded.

        Raises:
            UsageError: It is not a number from 0 to 1.
        """
        if score is None:
            self._excluded += 1
            return
        if not 0.0 <= score <= 1.0:
            raise UsageError(f"score: expected a number from 0 to 1, got '{score}'")
        self._count += 1
        self._partials = _add_exactly(self._partials, float(score))

    def summary(self) -> ScoreSummary:
        """Mean, 95 % interval and counts."""
        if not self._count:
            return ScoreSummary(0, self._excluded, None, None, None)
        mean = math.fsum(self._partials) / self._count
        return ScoreSummary(self._count, self._excluded, mean, *wilson_interval(mean, self._count))


def _add_exactly(partials: list[float], number: float) -> list[float]:
    """Numbers that do not overlap, with the same sum as those given (Shewchuk, 1997)."""
    kept = []
    for one in partials:
        large, small = (number, one) if abs(number) >= abs(one) else (one, number)
        number = large + small
        if rest := small - (number - large):
            kept.append(rest)
    return [*kept, number]


class TypeTallies:
    """One tally per question type."""

    def __init__(self) -> None:
        self._tallies: defaultdict[str, ScoreTally] = defaultdict(ScoreTally)

    def add(self, kind: str, score: float | None) -> None:
        """Take the score of a question; None counts as excluded."""
        self._tallies[kind].add(score)

    def summaries(self) -> dict[str, ScoreSummary]:
        """One summary per question type, in the order of the type names."""
        return {kind: self._tallies[kind].summary() for kind in sorted(self._tallies)}

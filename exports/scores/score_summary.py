"""Means of scores with their 95 % intervals, per question type."""

import math
from collections import defaultdict
from collections.abc import Iterable
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


def summarise(scores: Iterable[float | None]) -> ScoreSummary:
    """Mean, 95 % interval and counts of scores; the order of the scores has no influence.

    Args:
        scores: One score in [0, 1] per item; None excludes the item and counts it as excluded.

    Raises:
        UsageError: A score is not a number from 0 to 1.
    """
    every = list(scores)
    scored = [score for score in every if score is not None]
    for score in scored:
        if not 0.0 <= score <= 1.0:
            raise UsageError(f"score: expected a number from 0 to 1, got '{score}'")
    excluded = len(every) - len(scored)
    if not scored:
        return ScoreSummary(0, excluded, None, None, None)
    mean = math.fsum(scored) / len(scored)
    low, high = wilson_interval(mean, len(scored))
    return ScoreSummary(len(scored), excluded, mean, low, high)


def summarise_by_type(scored: Iterable[tuple[str, float | None]]) -> dict[str, ScoreSummary]:
    """One summary per question type, in the order of the type names.

    Args:
        scored: (question type, score) per item; None as score excludes the item.
    """
    groups: defaultdict[str, list[float | None]] = defaultdict(list)
    for kind, score in scored:
        groups[kind].append(score)
    return {kind: summarise(groups[kind]) for kind in sorted(groups)}

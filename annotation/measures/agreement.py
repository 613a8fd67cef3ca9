"""How far reviewers agree: percent, Cohen's kappa, Krippendorff's alpha, of names and of scores.

Ratings are given as one mapping a unit, from reviewer to their rating; a reviewer who rated
nothing of a unit is not in it.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

Ratings = Sequence[Mapping[str, Hashable]]
Metric = Callable[[Any, Any], float]
"""How far two ratings are apart; 0 for alike."""


def nominal(first: Hashable, second: Hashable) -> float:
    """Names are alike or not."""
    return float(first != second)


def interval(first: str, second: str) -> float:
    """Scores are apart by the square of their difference (Krippendorff 2011, section E)."""
    return (float(first) - float(second)) ** 2


@dataclass(frozen=True)
class PairAgreement:
    """How far two reviewers agree.

    Attributes:
        pair: Their names, in order.
        units: Units that both rated.
        percent: Share of them that they rated alike.
        kappa: Cohen's kappa; None where chance alone would make them agree.
    """

    pair: tuple[str, str]
    units: int
    percent: float
    kappa: float | None


@dataclass(frozen=True)
class Agreement:
    """How far all reviewers agree.

    Attributes:
        units: Units with two ratings or more.
        percent: Share of the pairs of ratings of one unit that are alike; None without a unit.
        alpha: Krippendorff's alpha; None where all ratings are the same, or no unit counts.
        pairs: Every pair that has rated the same unit.
    """

    units: int
    percent: float | None
    alpha: float | None
    pairs: list[PairAgreement]


def agreement(ratings: Ratings, metric: Metric = nominal) -> Agreement:
    """How far reviewers agree on units, all together and by pair; the metric is alpha's alone."""
    shared = [unit for unit in ratings if len(unit) > 1]
    alike = [a == b for unit in shared for a, b in combinations(unit.values(), 2)]
    return Agreement(
        units=len(shared),
        percent=sum(alike) / len(alike) if alike else None,
        alpha=krippendorff_alpha(shared, metric),
        pairs=_pairs(shared),
    )


def _pairs(shared: Ratings) -> list[PairAgreement]:
    rated: dict[tuple[str, str], list[tuple[Hashable, Hashable]]] = {}
    for unit in shared:
        for first, second in combinations(sorted(unit), 2):
            rated.setdefault((first, second), []).append((unit[first], unit[second]))
    return [
        PairAgreement(pair, len(both), sum(a == b for a, b in both) / len(both), cohen_kappa(both))
        for pair, both in sorted(rated.items())
    ]


def cohen_kappa(both: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Agreement of two reviewers beyond chance (Cohen 1960).

    None without units, or where both gave one and the same rating to all.
    """
    if not both:
        return None
    observed = sum(a == b for a, b in both) / len(both)
    first, second = Counter(a for a, _ in both), Counter(b for _, b in both)
    expected = sum(first[name] * second[name] for name in first) / len(both) ** 2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(
    ratings: Iterable[Mapping[str, Hashable]], metric: Metric = nominal
) -> float | None:
    """Agreement of any number of reviewers beyond chance, with gaps (Krippendorff 2011).

    None where nothing can be compared, or all ratings are the same.
    """
    weights: dict[tuple[Hashable, Hashable], float] = {}
    for unit in ratings:
        values = Counter(unit.values())
        rated = sum(values.values())
        if rated < 2:
            continue
        for a, of_a in values.items():
            for b, of_b in values.items():
                ways = of_a * (of_b - 1) if a == b else of_a * of_b
                weights[a, b] = weights.get((a, b), 0.0) + ways / (rated - 1)
    totals: dict[Hashable, float] = {}
    for (a, _), weight in weights.items():
        totals[a] = totals.get(a, 0.0) + weight
    number = sum(totals.values())
    if number == 0:
        return None
    observed = sum(weight * metric(a, b) for (a, b), weight in weights.items())
    expected = sum(totals[a] * totals[b] * metric(a, b) for a in totals for b in totals)
    return None if expected == 0 else 1 - (number - 1) * observed / expected

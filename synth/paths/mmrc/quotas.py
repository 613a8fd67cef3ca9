"""Quotas that come out exact: shares of a whole, and in any first part of it in proportion."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

_T = TypeVar("_T")


def largest_shares(weights: Mapping[_T, float], total: int) -> dict[_T, int]:
    """So many units in proportion to weights, by largest remainders."""
    whole = sum(weights.values())
    exact = {name: total * weight / whole for name, weight in weights.items()}
    shares = {name: int(share) for name, share in exact.items()}
    names = sorted(weights, key=lambda name: shares[name] - exact[name])
    for name in names[: total - sum(shares.values())]:
        shares[name] += 1
    return shares


def is_due(number: int, quota: int, of: int, shift: int = 0) -> bool:
    """Whether the unit of a number is one of `quota` that are spread evenly over `of` of them.

    Args:
        number: Number of the unit, from 0.
        quota: How many of them are due.
        of: How many there are.
        shift: Moves them along, so that two quotas of one row need not meet.
    """
    at = (number + shift) % of
    return (at + 1) * quota // of > at * quota // of


def bit_reversed(size: int) -> list[int]:
    """The numbers below a size in an order of which every first part is spread evenly."""
    bits = max(size - 1, 0).bit_length()
    turned = (int(f"{number:0{bits}b}"[::-1], 2) for number in range(1 << bits))
    return [number for number in turned if number < size]


def interleave(counts: Mapping[_T, int]) -> list[_T]:
    """Names as often as they are counted, each spread evenly over the whole."""
    places = [
        ((at + 0.5) / count, rank, name)
        for rank, (name, count) in enumerate(counts.items())
        for at in range(count)
    ]
    return [name for *_, name in sorted(places, key=lambda place: place[:2])]


def in_order(pattern: Sequence[int], number: int, least: int, most: int) -> int:
    """The value of a pattern that is gone through in turn, between two bounds."""
    return max(least, min(most, pattern[number % len(pattern)]))

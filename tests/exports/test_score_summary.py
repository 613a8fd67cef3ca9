"""Means and intervals against values computed by hand."""

import math
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.exports.scores.score_summary import (
    ScoreSummary,
    ScoreTally,
    TypeTallies,
    wilson_interval,
)
from memassay.schemas.errors import UsageError


def summarise(scores: Iterable[float | None]) -> ScoreSummary:
    """The summary of scores that come one by one."""
    tally = ScoreTally()
    for score in scores:
        tally.add(score)
    return tally.summary()


def test_wilson_interval_by_hand() -> None:
    """8 of 10: mean 0.8, interval 0.490 to 0.943 (Wilson 1927)."""
    summary = summarise([1.0] * 8 + [0.0] * 2)
    assert summary.count == 10
    assert summary.mean == pytest.approx(0.8)
    assert summary.low == pytest.approx(0.4902, abs=1e-4)
    assert summary.high == pytest.approx(0.9433, abs=1e-4)


def test_excluded_items_are_counted_and_not_averaged() -> None:
    """None is no zero; a type without any score has no mean."""
    tallies = TypeTallies()
    for kind, score in (("b", 1.0), ("a", None), ("b", None)):
        tallies.add(kind, score)
    by_type = tallies.summaries()
    assert list(by_type) == ["a", "b"]
    assert by_type["a"] == ScoreSummary(0, 1, None, None, None)
    assert (by_type["b"].count, by_type["b"].excluded, by_type["b"].mean) == (1, 1, 1.0)


@given(scores=st.lists(st.floats(0, 1), min_size=1))
def test_the_interval_holds_the_mean_in_any_order(scores: list[float]) -> None:
    """The interval lies in [0, 1] around the exact mean, and order has no influence."""
    summary = summarise(scores)
    assert summary.mean is not None
    assert summary.low is not None
    assert summary.high is not None
    assert 0 <= summary.low <= summary.mean + 1e-12
    assert summary.mean - 1e-12 <= summary.high <= 1
    assert summary == summarise(sorted(scores))
    assert summary.mean == math.fsum(scores) / len(scores)


@pytest.mark.parametrize("score", [1.5, -0.1, math.nan])
def test_a_score_out_of_range_is_an_error(score: float) -> None:
    """Percentages and NaN do not enter a mean unseen."""
    with pytest.raises(UsageError, match="from 0 to 1"):
        summarise([score])


def test_an_interval_of_nothing_is_an_error() -> None:
    """Without scores there is no interval."""
    with pytest.raises(UsageError, match="at least 1 score"):
        wilson_interval(0.0, 0)

"""Gaps between sessions, and the moments that cut one into equal parts (M2A C, eq. 7)."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fixtures import session, talk, utterance

from memassay.schemas.changes.interpolation import Gap, gaps, interpolate
from memassay.schemas.values.civil_time import start

DAYS = st.datetimes().map(lambda moment: moment.date().isoformat())
MINUTES = st.datetimes().map(lambda moment: moment.isoformat(timespec="minutes"))


def _dated(*dates: str | None) -> list[Gap]:
    told = [
        session(at, utterance(f"D{at}:1", "Hi.")).model_copy(update={"date": date})
        for at, date in enumerate(dates, 1)
    ]
    return gaps(talk(sessions=told), timedelta(days=6))


def test_gap_is_cut_into_equal_parts() -> None:
    """Five sessions cut six hours into hours."""
    found = interpolate(Gap(1, "2023-05-08T12:00", "2023-05-08T18:00"), 5)
    assert found == [f"2023-05-08T{hour}:00" for hour in (13, 14, 15, 16, 17)]


@given(st.one_of(DAYS, MINUTES), st.one_of(DAYS, MINUTES), st.integers(1, 8))
def test_moments_increase_strictly_inside_their_gap(begin: str, end: str, number: int) -> None:
    """As they are written, no two are the same, and none is an end of the gap."""
    gap = Gap(1, begin, end)
    try:
        found = interpolate(gap, number)
    except ValueError:
        return
    size = min(len(begin), len(end))
    assert len(found) == number
    assert all(before < after for before, after in pairwise([begin[:size], *found, end[:size]]))


@given(MINUTES, st.integers(2, 20_000), st.integers(1, 8))
def test_room_for_every_moment_is_enough(begin: str, minutes: int, number: int) -> None:
    """A gap takes as many moments as whole minutes lie inside it, and refuses more."""
    try:
        end = (start(begin) + timedelta(minutes=minutes)).isoformat(timespec="minutes")
    except OverflowError:
        return
    if minutes > number:
        assert len(interpolate(Gap(1, begin, end), number)) == number
    else:
        with pytest.raises(ValueError, match="expected room"):
            interpolate(Gap(1, begin, end), number)


def test_short_gaps_are_left_out() -> None:
    """A gap of five days is none where six are asked for."""
    assert _dated("2024-01-01", "2024-01-06", "2024-01-12") == [Gap(2, "2024-01-06", "2024-01-12")]


@pytest.mark.parametrize("date", [None, "2024", "2024-02"])
def test_sessions_without_a_day_bound_no_gap(date: str | None) -> None:
    """Nothing lies provably between two sessions of which one has no day."""
    assert _dated("2024-01-01", date, "2024-12-01") == []

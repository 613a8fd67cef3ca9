"""Dates some years, months, weeks, days, hours or minutes later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.values.durations import precise_enough, shift_date, time_unit


@pytest.mark.parametrize(
    ("when", "amount", "unit", "later"),
    [
        ("2024-03-16", 24, "month", "2026-03-16"),
        ("2024-01-31", 1, "month", "2024-02-29"),
        ("2023-01-31", 1, "month", "2023-02-28"),
        ("2024-02-29", 1, "year", "2025-02-28"),
        ("2024-02-29", 4, "year", "2028-02-29"),
        ("2024-03-31", -1, "month", "2024-02-29"),
        ("2024-12-31", 1, "day", "2025-01-01"),
        ("2024-02-20", 2, "week", "2024-03-05"),
        ("2024-03-10T23:30", 45, "minute", "2024-03-11T00:15"),
        ("2024-03-10T23:30:10", 2, "hour", "2024-03-11T01:30:10"),
        ("2024-01-31T08:00", 1, "month", "2024-02-29T08:00"),
        ("2023-11", 3, "month", "2024-02"),
        ("2023", -3, "year", "2020"),
        ("2023-11", 0, "year", "2023-11"),
    ],
)
def test_a_date_moves_by_the_calendar(when: str, amount: int, unit: str, later: str) -> None:
    """Months and years keep the day or give the last of the month; the precision stays."""
    assert shift_date(when, amount, unit) == later


@pytest.mark.parametrize(("amount", "unit"), [(8000, "year"), (-3000, "year"), (10**12, "day")])
def test_no_date_leaves_the_calendar(amount: int, unit: str) -> None:
    """Years before 1 and after 9999 are an error, however far they are."""
    with pytest.raises(ValueError, match="year from 1 to 9999"):
        shift_date("2024-01-01", amount, unit)


@pytest.mark.parametrize(
    ("when", "unit", "enough"),
    [
        ("2023", "year", True),
        ("2023", "month", False),
        ("2023-05", "month", True),
        ("2023-05", "week", False),
        ("2023-05-08", "day", True),
        ("2023-05-08", "hour", False),
        ("2023-05-08T10:00", "minute", True),
    ],
)
def test_a_duration_finer_than_its_date_is_known_as_such(
    when: str, unit: str, enough: bool
) -> None:
    """Two weeks after "in May" is no date that anybody knows."""
    assert precise_enough(when, unit) is enough


def test_units_are_read_in_singular_and_plural() -> None:
    """And in capitals; other words are no units of time."""
    assert [time_unit(word) for word in ("month", "Months", " weeks", "kg", "dayss")] == [
        "month",
        "month",
        "week",
        None,
        None,
    ]


@given(
    st.dates().map(str),
    st.integers(-500, 500),
    st.sampled_from(["week", "day"]),
)
def test_a_shift_back_returns(when: str, amount: int, unit: str) -> None:
    """Days and weeks have one length, so there and back is the same day."""
    try:
        there = shift_date(when, amount, unit)
    except ValueError:
        return
    assert shift_date(there, -amount, unit) == when

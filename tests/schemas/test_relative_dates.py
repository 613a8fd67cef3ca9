"""Relative dates: what an expression means on the day it is said."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.values.civil_time import weekday
from memassay.schemas.values.relative_dates import DayRange, relative_dates

# May 2023: the 8th is a Monday, the 13th a Saturday, the 14th a Sunday.
MONDAY, WEDNESDAY = date(2023, 5, 8), date(2023, 5, 10)
SATURDAY, SUNDAY = date(2023, 5, 13), date(2023, 5, 14)


def _readings(text: str, spoken: date) -> list[str]:
    (found,) = relative_dates(text, spoken)
    return [
        f"{each.first}" if each.first == each.last else f"{each.first}..{each.last}"
        for each in found.readings
    ]


@pytest.mark.parametrize(
    ("text", "spoken", "expected"),
    [
        ("yesterday", MONDAY, ["2023-05-07"]),
        ("the day before yesterday", MONDAY, ["2023-05-06"]),
        ("Day before yesterday", MONDAY, ["2023-05-06"]),
        ("tomorrow", SUNDAY, ["2023-05-15"]),
        ("the day after tomorrow", SUNDAY, ["2023-05-16"]),
        ("last Saturday", MONDAY, ["2023-05-06"]),
        ("last Saturday", WEDNESDAY, ["2023-05-06"]),
        ("last Saturday", SATURDAY, ["2023-05-06"]),
        ("last Saturday", SUNDAY, ["2023-05-06", "2023-05-13"]),
        ("last Monday", WEDNESDAY, ["2023-05-01", "2023-05-08"]),
        ("last Monday", MONDAY, ["2023-05-01"]),
        ("next Saturday", WEDNESDAY, ["2023-05-13", "2023-05-20"]),
        ("next Saturday", SATURDAY, ["2023-05-20"]),
        ("next Monday", SUNDAY, ["2023-05-15"]),
        ("two weeks ago", WEDNESDAY, ["2023-04-26"]),
        ("2 weeks ago", WEDNESDAY, ["2023-04-26"]),
        ("a week ago", SUNDAY, ["2023-05-07"]),
        ("an hour and three days ago", MONDAY, ["2023-05-05"]),
        ("twenty-one days ago", MONDAY, ["2023-04-17"]),
        ("twenty one days ago", MONDAY, ["2023-04-17"]),
        ("ninety-nine days ago", MONDAY, ["2023-01-29"]),
        ("one month ago", date(2023, 3, 31), ["2023-02-28"]),
        ("a year ago", date(2024, 2, 29), ["2023-02-28"]),
        ("in ten days", MONDAY, ["2023-05-18"]),
        ("in two months", MONDAY, ["2023-07-08"]),
        ("last week", WEDNESDAY, ["2023-05-01..2023-05-07", "2023-04-30..2023-05-06"]),
        ("last week", SUNDAY, ["2023-05-01..2023-05-07", "2023-04-30..2023-05-06"]),
        ("next week", MONDAY, ["2023-05-15..2023-05-21", "2023-05-14..2023-05-20"]),
        ("last month", date(2024, 3, 31), ["2024-02-01..2024-02-29"]),
        ("next month", date(2023, 12, 5), ["2024-01-01..2024-01-31"]),
        ("last year", MONDAY, ["2022-01-01..2022-12-31"]),
        ("next year", MONDAY, ["2024-01-01..2024-12-31"]),
        ("I painted it LAST  Saturday!", MONDAY, ["2023-05-06"]),
    ],
)
def test_reading_of_an_expression(text: str, spoken: date, expected: list[str]) -> None:
    """Each expression gives its days, two readings where people differ."""
    assert _readings(text, spoken) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("the week before", "the week before last week", "the day after next Monday"),
        *("half a year ago", "two or three days ago", "one to two weeks ago", "2-3 days ago"),
        *("1.5 years ago", "1,000 years ago", "last weekend", "a few days ago", "on Saturday"),
        *("long ago", "years ago", "the Saturday before last", "everlast Saturday", "weeks ago"),
        *("9999 years ago", "in 999 centuries", "yesterdays", ""),
    ],
)
def test_an_expression_without_one_agreed_reading_is_left_alone(text: str) -> None:
    """Where people would differ, or a number is only half seen, nothing is said."""
    assert relative_dates(text, MONDAY) == []


def test_expressions_come_in_the_order_of_the_text() -> None:
    """Several expressions are found, first said first."""
    found = relative_dates("Tomorrow I go where I was last week, and two days ago.", MONDAY)
    assert [each.expression for each in found] == ["tomorrow", "last week", "two days ago"]


def test_days_outside_the_calendar_are_left_alone() -> None:
    """An expression that leads before the year 1 or past 9999 says nothing."""
    assert relative_dates("300 years ago", date(100, 1, 1)) == []
    assert relative_dates("tomorrow, next year", date(9999, 12, 31)) == []


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(1, 99))
def test_counting_back_and_forth_agree(spoken: date, count: int) -> None:
    """So many days ago and in so many days lie equally far away."""
    (back,) = relative_dates(f"{count} days ago", spoken)
    (ahead,) = relative_dates(f"in {count} days", spoken)
    assert spoken - back.readings[0].first == ahead.readings[0].first - spoken
    assert back.readings[0].contains(spoken - timedelta(days=count))


@given(
    st.dates(date(1900, 1, 1), date(2100, 1, 1)),
    st.sampled_from(["Monday", "Wednesday", "Saturday", "Sunday"]),
)
def test_last_and_next_weekday_never_mean_today(spoken: date, name: str) -> None:
    """Every reading has the weekday named and lies within two weeks, on its own side."""
    for text, sign in ((f"last {name}", -1), (f"next {name}", 1)):
        (found,) = relative_dates(text, spoken)
        for reading in found.readings:
            assert weekday(reading.first) == name
            assert 1 <= sign * (reading.first - spoken).days <= 13


def test_a_range_contains_its_ends() -> None:
    """Both ends of a range of days belong to it."""
    week = DayRange(MONDAY, SUNDAY)
    assert week.contains(MONDAY)
    assert week.contains(SUNDAY)
    assert not week.contains(SUNDAY + timedelta(days=1))

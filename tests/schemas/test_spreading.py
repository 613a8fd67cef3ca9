"""Dates for sessions without one: in order, apart, on days for which their words hold."""

from datetime import date
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fixtures import session, utterance

from memassay.schemas.changes.said_days import said_day
from memassay.schemas.changes.spreading import Calendar, spread
from memassay.schemas.records.conversation import Session
from memassay.schemas.values.civil_time import start, weekday

MARCH = Calendar(date(2024, 3, 1), 3, 14)
DATES = st.one_of(
    st.none(),
    st.dates(date(2024, 4, 1), date(2024, 4, 9)).map(date.isoformat),
    st.datetimes(start("2024-04-01"), start("2024-04-09")).map(
        lambda moment: moment.isoformat(timespec="minutes")
    ),
    st.just("2024-04"),
)


def _sessions(*dates: str | None, told: dict[int, str] | None = None) -> list[Session]:
    return [
        session(1, utterance("D1:1", (told or {}).get(at, "Hi."))).model_copy(update={"date": day})
        for at, day in enumerate(dates, start=1)
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(DATES, max_size=12), st.integers(0, 99))
def test_dates_increase_strictly(dates: list[str | None], seed: int) -> None:
    """At minute precision, whatever dates there were; equal draws give equal dates."""
    found = spread(_sessions(*dates), MARCH, Random(seed))
    moments = [start(one) for one in found]
    assert len(found) == len(dates)
    assert all(one < other for one, other in pairwise(moments))
    assert len({one[:10] if len(one) == 10 else one for one in found}) == len(found)
    assert found == spread(_sessions(*dates), MARCH, Random(seed))


@given(st.lists(st.dates(date(2024, 1, 1), date(2025, 1, 1)), unique=True, max_size=8))
@settings(max_examples=30, deadline=None)
def test_dates_in_order_stay(days: list[date]) -> None:
    """Relative dates count from them."""
    given = [day.isoformat() for day in sorted(days)]
    assert spread(_sessions(*given), MARCH, Random(1)) == given


def test_sessions_without_dates_lie_as_far_apart_as_drawn() -> None:
    """The first on the day asked for, the others three to fourteen days later."""
    days = [start(one) for one in spread(_sessions(*[None] * 6), MARCH, Random(5))]
    assert days[0].date() == MARCH.first
    apart = [(other - one).days for one, other in pairwise(days)]
    assert all(3 <= one <= 14 for one in apart)


def test_sessions_of_one_day_are_told_apart_by_the_hour() -> None:
    """Their day stays, so that "yesterday" still means the same."""
    found = spread(_sessions("2024-05-01", "2024-05-01", "2024-05-02"), MARCH, Random(1))
    assert [one[:10] for one in found] == ["2024-05-01", "2024-05-01", "2024-05-02"]
    assert len(set(found)) == 3


def test_a_session_out_of_order_lies_between_its_neighbours() -> None:
    """The others keep their dates."""
    given = ("2024-04-30", "2024-05-01", "2024-02-01", "2024-05-11")
    found = spread(_sessions(*given), MARCH, Random(1))
    assert found == ["2024-04-30", "2024-05-01", "2024-05-06", "2024-05-11"]


def test_more_sessions_than_days_share_a_day() -> None:
    """Three sessions between two neighbouring days."""
    found = spread(_sessions("2024-05-01", None, None, None, "2024-05-02"), MARCH, Random(1))
    assert found[-1] == "2024-05-02"
    assert [one[:10] for one in found[:-1]] == ["2024-05-01"] * 4


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("Today is Monday, and it rains.", lambda day: weekday(day) == "Monday"),
        ("This Saturday morning I slept long.", lambda day: weekday(day) == "Saturday"),
        ("Merry Christmas to you!", lambda day: (day.month, day.day >= 15) == (12, True)),
        ("I am so busy this autumn.", lambda day: day.month in (9, 10, 11, 12)),
        ("It's already November.", lambda day: day.month == 11),
        ("Today is the 3rd of June.", lambda day: (day.month, day.day) == (6, 3)),
        ("Today is Friday, and winter is here.", lambda day: weekday(day) == "Friday"),
    ],
)
def test_what_is_said_of_the_day_holds(text: str, true: object) -> None:
    """Weekdays, months, seasons, feasts and days of the year."""
    for seed in range(5):
        found = spread(_sessions(None, None, None, told={2: text}), MARCH, Random(seed))
        assert callable(true)
        assert true(start(found[1]).date()), found


def test_what_others_days_are_called_asks_for_nothing() -> None:
    """Monday last week and the winter of long ago say nothing of today."""
    for text in ("On Monday we met.", "In the winter of 1999 it snowed.", "See you on Friday."):
        assert said_day(_sessions(None, told={1: text})[0]).fits(date(2024, 7, 4))

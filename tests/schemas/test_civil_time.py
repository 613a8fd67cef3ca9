"""Civil time: order, intervals, months and LoCoMo's way of writing it."""

from datetime import date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.values import civil_time
from memassay.schemas.values.civil_time import Interval, Precision

moments = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)).map(
    lambda moment: moment.replace(microsecond=0)
)
days = st.dates()
LENGTHS = (4, 7, 10, 16, 19)


@st.composite
def whens(draw: st.DrawFn) -> str:
    """A `When` of any precision."""
    return draw(moments).isoformat()[: draw(st.sampled_from(LENGTHS))]


@given(moments)
def test_intervals_nest(moment: datetime) -> None:
    """The interval of a coarser `When` contains that of a finer one of the same moment."""
    texts = [moment.isoformat()[:length] for length in LENGTHS]
    intervals = [civil_time.interval(text) for text in texts]
    for outer, inner in pairwise(intervals):
        assert outer.contains(inner)


@given(whens())
def test_a_when_lies_at_the_start_of_its_interval(when: str) -> None:
    """Every `When` is one, has a precision, and begins before it ends."""
    assert civil_time.is_when(when)
    assert civil_time.precision(when) in Precision
    found = civil_time.interval(when)
    assert found.start == civil_time.start(when) < found.end


@given(whens(), whens())
def test_strictly_after_is_a_strict_order(later: str, earlier: str) -> None:
    """Nothing is after itself, no two are after each other, and what is after begins later."""
    assert not civil_time.strictly_after(later, later)
    if civil_time.strictly_after(later, earlier):
        assert not civil_time.strictly_after(earlier, later)
        assert civil_time.start(later) > civil_time.start(earlier)


def test_a_time_is_not_after_its_own_day() -> None:
    """Which came first on one day is unknown when one of the two has no time."""
    assert not civil_time.strictly_after("2023-05-08T13:56", "2023-05-08")
    assert civil_time.strictly_after("2023-05-08T13:57", "2023-05-08T13:56")


@pytest.mark.parametrize(
    "text",
    [
        *("", "23", "2023-13", "2023-00", "2023-02-29", "2023-04-31", "0000", "2023-1-1"),
        *("2023-05-08T", "2023-05-08T24:00", "2023-05-08T13", "2023-05-08 13:56", "2023-05-08Z"),
        *("2023-05-08T13:56Z", "2023-05-08\n", "２０２３", "2023/05/08", "20230508"),
    ],
)
def test_what_is_no_when_is_refused(text: str) -> None:
    """Wrong forms and days that do not exist are no `When`, and say so."""
    assert not civil_time.is_when(text)
    with pytest.raises(ValueError, match="expected an ISO 8601 date"):
        civil_time.interval(text)


@pytest.mark.parametrize(
    ("when", "seconds"),
    [
        ("2024", 366 * 86400),
        ("2023", 365 * 86400),
        ("2024-02", 29 * 86400),
        ("1900-02", 28 * 86400),
        ("2000-02", 29 * 86400),
        ("2024-02-29", 86400),
        ("2024-12-31T23:59", 60),
        ("2024-12-31T23:59:59", 1),
    ],
)
def test_length_of_an_interval(when: str, seconds: int) -> None:
    """Years and months have their calendar's length, leap years included."""
    found = civil_time.interval(when)
    assert found.end - found.start == timedelta(seconds=seconds)


@pytest.mark.parametrize("when", ["9999", "9999-12", "9999-12-31", "9999-12-31T23:59"])
def test_the_last_year_ends(when: str) -> None:
    """The date that stands for "for ever" has an interval too."""
    assert civil_time.interval(when).end == datetime.max


def test_an_end_belongs_to_what_follows() -> None:
    """Neighbouring days share no instant."""
    monday, tuesday = civil_time.interval("2024-01-01"), civil_time.interval("2024-01-02")
    assert monday.end == tuesday.start
    assert not Interval(monday.start, monday.end).contains(tuesday)


@given(moments.filter(lambda moment: moment.year >= 1000))
def test_locomo_round_trips_to_the_minute(moment: datetime) -> None:
    """What is written as LoCoMo writes it is read back."""
    when = moment.isoformat()[:16]
    assert civil_time.from_locomo(civil_time.to_locomo(when)) == when


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("12:00 am on 29 February, 2024", "2024-02-29T00:00"),
        ("12:30 pm on 1 January, 2023", "2023-01-01T12:30"),
        ("12:30 pm on 29 February, 2023", None),
        ("13:30 pm on 1 May, 2023", None),
        ("1:56 PM on 8 May, 2023", None),
        ("1:56 pm on 8 Mai, 2023", None),
        ("1:56 pm on 8 May 2023", None),
        ("", None),
    ],
)
def test_reading_locomo(text: str, when: str | None) -> None:
    """Midnight and noon are told apart; anything else is None."""
    assert civil_time.from_locomo(text) == when


def test_writing_locomo_needs_a_day() -> None:
    """A missing time is written as midday; a missing day is refused."""
    assert civil_time.to_locomo("2023-05-08") == "12:00 pm on 8 May, 2023"
    with pytest.raises(ValueError, match="expected a date with a day"):
        civil_time.to_locomo("2023-05")


@given(days, st.integers(-2400, 2400))
def test_adding_months_moves_by_months(day: date, months: int) -> None:
    """The month moves by the number given; the day stays or becomes the month's last."""
    try:
        moved = civil_time.add_months(day, months)
    except ValueError as error:
        assert str(error).startswith("expected a year from 1 to 9999, got ")  # noqa: PT017
        return
    assert (moved.year - day.year) * 12 + moved.month - day.month == months
    assert moved.day == day.day or (moved + timedelta(days=1)).day == 1


@given(days, days)
def test_whole_months_fit_between_two_days(left: date, right: date) -> None:
    """So many months fit and not one more; the other way round is the negative."""
    earlier, later = sorted((left, right))
    months = civil_time.whole_months_between(earlier, later)
    assert civil_time.add_months(earlier, months) <= later
    assert civil_time.whole_months_between(later, earlier) == -months
    if later < date(9999, 11, 1):
        assert civil_time.add_months(earlier, months + 1) > later


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        (date(2024, 1, 31), 1, date(2024, 2, 29)),
        (date(2023, 1, 31), 1, date(2023, 2, 28)),
        (date(2024, 2, 29), 12, date(2025, 2, 28)),
        (date(2024, 3, 31), -1, date(2024, 2, 29)),
        (date(9999, 11, 30), 1, date(9999, 12, 30)),
        (date(1, 2, 1), -1, date(1, 1, 1)),
    ],
)
def test_months_end_where_the_calendar_ends_them(day: date, months: int, expected: date) -> None:
    """Leap days and the ends of the calendar."""
    assert civil_time.add_months(day, months) == expected


def test_names_of_weekdays() -> None:
    """The first of January 2024 was a Monday."""
    names = [civil_time.weekday(date(2024, 1, number)) for number in range(1, 8)]
    assert tuple(names) == civil_time.WEEKDAYS

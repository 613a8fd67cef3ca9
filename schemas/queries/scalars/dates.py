"""Dates as queries compare and subtract them: a `When` means all that its precision names."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.values.civil_time import (
    Interval,
    Precision,
    add_months,
    interval,
    precision,
    start,
    whole_months_between,
)


def stretch_of(when: str) -> Interval:
    """The half-open interval that a `When` covers.

    Raises:
        QueryTypeError: It names a day that does not exist, or one beyond the calendar.
    """
    try:
        return interval(when)
    except (ValueError, OverflowError) as error:
        raise QueryTypeError(f"query: expected a date that exists, got {when!r}") from error


def date_order(left: str, right: str) -> int | None:
    """-1, 0 or 1 for an earlier, equal or later `When`; None where their precision leaves it open.

    `2023-05` is before `2023-06-01`, but neither before nor after `2023-05-08`.
    """
    if left == right:
        return 0
    first, second = stretch_of(left), stretch_of(right)
    if first.end <= second.start:
        return -1
    return 1 if second.end <= first.start else None


def time_between(earlier: str, later: str, unit: str, rounding: str) -> int:
    """Units of time from one `When` to another; negative if the second comes first.

    Raises:
        AmbiguousError: They are too coarse for the unit.
        NoResultError: They are no whole number of units apart, and rounding is `exact`.
        QueryTypeError: They lie beyond the calendar.
    """
    if start(later) < start(earlier):
        return -time_between(later, earlier, unit, rounding)
    if unit in {"year", "month"} and precision(earlier) is precision(later) is Precision(unit):
        return _by_calendar(start(earlier).date(), start(later).date(), unit)[0]
    needed = 16 if unit in {"hour", "minute"} else 10
    if len(earlier) < needed or len(later) < needed:
        raise AmbiguousError(
            f"diff: expected dates precise enough for a number of {unit}s, got {earlier} and "
            f"{later}; state them more precisely, or use a coarser unit"
        )
    if unit in {"hour", "minute"}:
        seconds = (start(later) - start(earlier)) // timedelta(seconds=1)
        amount, rest = divmod(seconds, 3600 if unit == "hour" else 60)
    else:
        amount, rest = _by_calendar(start(earlier).date(), start(later).date(), unit)
    if rest and rounding == "exact":
        raise NoResultError(
            f"diff: expected a whole number of {unit}s between {earlier} and {later}; use a finer "
            "unit, or rounding down"
        )
    return amount


def _by_calendar(earlier: date, later: date, unit: str) -> tuple[int, int]:
    try:
        return _CALENDAR[unit](earlier, later)
    except OverflowError as error:
        raise QueryTypeError(f"diff: expected dates of the calendar, got {later}") from error


def _months(size: int) -> Callable[[date, date], tuple[int, int]]:
    def between(earlier: date, later: date) -> tuple[int, int]:
        amount = whole_months_between(earlier, later) // size
        return amount, (later - add_months(earlier, amount * size)).days

    return between


_CALENDAR: Final[dict[str, Callable[[date, date], tuple[int, int]]]] = {
    "year": _months(12),
    "month": _months(1),
    "week": lambda earlier, later: divmod((later - earlier).days, 7),
    "day": lambda earlier, later: ((later - earlier).days, 0),
}

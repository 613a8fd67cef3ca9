"""Durations in calendar terms: what a date is some months, weeks or minutes later or earlier."""

from datetime import datetime, timedelta
from typing import Final

from memassay.schemas.values.civil_time import Precision, add_months, precision, start

TIME_UNITS: Final = ("year", "month", "week", "day", "hour", "minute")
"""Units in which dates are subtracted and shifted; rendered with a plural s."""

_MONTHS: Final = {"year": 12, "month": 1}
_LENGTHS: Final = {
    "week": timedelta(weeks=1),
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
}
_COARSEST: Final = {
    "year": Precision.YEAR,
    "month": Precision.MONTH,
    "week": Precision.DAY,
    "day": Precision.DAY,
    "hour": Precision.MINUTE,
    "minute": Precision.MINUTE,
}
_FINENESS: Final = tuple(Precision)


def time_unit(name: str) -> str | None:
    """The unit of time that a word names, in the singular or the plural; None if it is none."""
    word = name.strip().casefold()
    return next((unit for unit in TIME_UNITS if word in {unit, f"{unit}s"}), None)


def precise_enough(when: str, unit: str) -> bool:
    """Whether a `When` is known so exactly that it can be moved by a number of a unit of time."""
    return _FINENESS.index(precision(when)) >= _FINENESS.index(_COARSEST[unit])


def shift_date(when: str, amount: int, unit: str) -> str:
    """A date some units of time later (earlier if negative), as precise as it was.

    Months and years keep the day of the month, or give the month's last day: a month after
    31 January is the end of February.

    Args:
        when: A `When` that is precise enough for the unit.
        amount: How many units.
        unit: One of `TIME_UNITS`.

    Raises:
        ValueError: The date would lie before the year 1 or after the year 9999.
    """
    begin = start(when)
    try:
        if unit in _MONTHS:
            moved = datetime.combine(add_months(begin.date(), amount * _MONTHS[unit]), begin.time())
        else:
            moved = begin + amount * _LENGTHS[unit]
    except OverflowError as error:
        raise ValueError(f"expected a year from 1 to 9999 after {amount} {unit}s") from error
    return moved.isoformat()[: len(when)]

"""Local civil time of any precision: `When`, its order, its intervals and its formats.

A `When` is an ISO 8601 prefix without a zone: ``2023``, ``2023-05``, ``2023-05-08``,
``2023-05-08T13:56`` or ``2023-05-08T13:56:30``. It means the whole interval it names.
Month and weekday names are our own, so that no locale can change what is read or written.
"""

import re
from calendar import monthrange
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final, NamedTuple

from memassay.schemas.base import matching

_MONTH: Final = "(?:0[1-9]|1[0-2])"
_DAY: Final = "(?:0[1-9]|[12][0-9]|3[01])"
_TIME: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?"
WHEN_PATTERN: Final = f"[0-9]{{4}}(?:-{_MONTH}(?:-{_DAY}(?:T{_TIME})?)?)?"

When = Annotated[
    str, matching(WHEN_PATTERN, "ISO 8601 local civil time of any precision, without a zone.")
]

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS: Final = (
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)


class Precision(StrEnum):
    """The smallest unit a `When` names."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    MINUTE = "minute"
    SECOND = "second"


_BY_LENGTH: Final = {
    4: Precision.YEAR,
    7: Precision.MONTH,
    10: Precision.DAY,
    16: Precision.MINUTE,
    19: Precision.SECOND,
}


class Interval(NamedTuple):
    """A half-open stretch of civil time: `start` belongs to it, `end` does not."""

    start: datetime
    end: datetime

    def contains(self, other: "Interval") -> bool:
        """Whether the other interval lies wholly inside this one."""
        return self.start <= other.start and other.end <= self.end


def precision(when: str) -> Precision:
    """The precision of a `When`.

    Raises:
        ValueError: The text is not a `When`.
    """
    if not is_when(when):
        raise ValueError(f"expected an ISO 8601 date of any precision, got {when!r}")
    return _BY_LENGTH[len(when)]


def is_when(text: str) -> bool:
    """Whether a text has the form of a `When` and names a day that exists."""
    if not re.fullmatch(WHEN_PATTERN, text):
        return False
    try:
        datetime.fromisoformat(_pad(text))
    except ValueError:
        return False
    return True


def is_day(text: str) -> bool:
    """Whether a text is a `When` that names a whole day."""
    return is_when(text) and precision(text) is Precision.DAY


def _pad(when: str) -> str:
    return when + {4: "-01-01", 7: "-01"}.get(len(when), "")


def start(when: str) -> datetime:
    """The first instant that a `When` covers.

    Raises:
        ValueError: The text is not a `When`, or names a day that does not exist.
    """
    precision(when)
    return datetime.fromisoformat(_pad(when))


def interval(when: str) -> Interval:
    """The half-open interval that a `When` covers; none ends after the year 9999.

    Raises:
        ValueError: The text is not a `When`, or names a day that does not exist.
    """
    begin = start(when)
    try:
        return Interval(begin, begin + _length(begin, precision(when)))
    except OverflowError:  # `9999-12-31` is a common way to write "for ever"
        return Interval(begin, datetime.max)


def _length(begin: datetime, unit: Precision) -> timedelta:
    if unit is Precision.YEAR:
        return timedelta(days=sum(monthrange(begin.year, month)[1] for month in range(1, 13)))
    if unit is Precision.MONTH:
        return timedelta(days=monthrange(begin.year, begin.month)[1])
    step = {Precision.DAY: timedelta(days=1), Precision.MINUTE: timedelta(minutes=1)}
    return step.get(unit, timedelta(seconds=1))


def strictly_after(later: str, earlier: str) -> bool:
    """Whether one `When` begins after another has begun, at the coarser precision of the two.

    A date without a time is not after a time on the same day: which came first is unknown.
    """
    size = min(len(later), len(earlier))
    return later[:size] > earlier[:size]


def weekday(day: date) -> str:
    """English name of the day of the week."""
    return WEEKDAYS[day.weekday()]


def add_months(day: date, months: int) -> date:
    """The same day some months later (earlier if negative), or the month's last day.

    Raises:
        ValueError: The day would lie before the year 1 or after the year 9999.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    if not 1 <= year <= 9999:
        raise ValueError(f"expected a year from 1 to 9999, got {year}")
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def whole_months_between(earlier: date, later: date) -> int:
    """Full calendar months from one day to another; negative if `later` comes first."""
    if later < earlier:
        return -whole_months_between(later, earlier)
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    return months if add_months(earlier, months) <= later else months - 1


_LOCOMO: Final = re.compile(
    r"(?P<hour>1[0-2]|0?[1-9]):(?P<minute>[0-5][0-9]) (?P<half>am|pm) on "
    r"(?P<day>3[01]|[12][0-9]|0?[1-9]) (?P<month>[A-Z][a-z]+), (?P<year>[0-9]{4})"
)


def from_locomo(text: str) -> str | None:
    """A LoCoMo time such as ``1:56 pm on 8 May, 2023`` as a `When`; None if it is none."""
    found = _LOCOMO.fullmatch(text)
    if found is None or found["month"] not in MONTHS:
        return None
    hour = int(found["hour"]) % 12 + (12 if found["half"] == "pm" else 0)
    when = (
        f"{found['year']}-{MONTHS.index(found['month']) + 1:02d}-{int(found['day']):02d}"
        f"T{hour:02d}:{found['minute']}"
    )
    return when if is_when(when) else None


def to_locomo(when: str) -> str:
    """A `When` of day precision or finer as LoCoMo writes it; a missing time becomes midday.

    Raises:
        ValueError: The `When` is coarser than a day.
    """
    moment = _moment(when)
    half = "pm" if moment.hour >= 12 else "am"
    return (
        f"{(moment.hour - 1) % 12 + 1}:{moment.minute:02d} {half} on "
        f"{moment.day} {MONTHS[moment.month - 1]}, {moment.year:04d}"
    )


_LONGMEMEVAL: Final = re.compile(
    r"(?P<day>[0-9]{4}/[0-9]{2}/[0-9]{2}) \((?P<name>[A-Z][a-z]{2})\) (?P<time>[0-9:]{5})"
)


def from_longmemeval(text: str) -> str | None:
    """A LongMemEval time such as ``2023/05/20 (Sat) 02:21`` as a `When`; None if it is none."""
    found = _LONGMEMEVAL.fullmatch(text)
    when = f"{found['day'].replace('/', '-')}T{found['time']}" if found is not None else ""
    right = is_when(when) and to_longmemeval(when) == text
    return when if right else None


def to_longmemeval(when: str) -> str:
    """A `When` of day precision or finer as LongMemEval writes it; a missing time becomes midday.

    Raises:
        ValueError: The `When` is coarser than a day.
    """
    moment = _moment(when)
    day = f"{moment.year:04d}/{moment.month:02d}/{moment.day:02d}"
    return f"{day} ({weekday(moment.date())[:3]}) {moment.hour:02d}:{moment.minute:02d}"


def _moment(when: str) -> datetime:
    if precision(when) in {Precision.YEAR, Precision.MONTH}:
        raise ValueError(f"expected a date with a day, got {when!r}")
    return start(when) if "T" in when else start(when).replace(hour=12)


_MILLISECONDS: Final = 10**11
"""Seconds from here on are of the year 5138; a larger number counts thousandths."""


def from_epoch(seconds: float) -> str | None:
    """Seconds or milliseconds since 1970 as a `When` in UTC; None where no year has them."""
    try:
        whole = int(seconds) // (1000 if abs(seconds) >= _MILLISECONDS else 1)
        return (datetime(1970, 1, 1) + timedelta(seconds=whole)).isoformat()
    except (OverflowError, ValueError):
        return None


def day_forms(day: str) -> list[str]:
    """The ways a day is written in running text, as the dialogues say it first.

    Args:
        day: A `When` of day precision.
    """
    moment = start(day)
    month = MONTHS[moment.month - 1]
    return [
        f"{moment.day} {month} {moment.year}",
        f"{month} {moment.day}, {moment.year}",
        f"{month[:3]} {moment.day} {moment.year}",
    ]

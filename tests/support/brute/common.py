"""What every part of the evaluator uses: kinds of error, texts, numbers and civil times."""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

Document = dict[str, Any]

T = TypeVar("T")
U = TypeVar("U")

NONE, HIDDEN, AMBIGUOUS = "NoResultError", "NotVisibleError", "AmbiguousError"
ENDED = "EndedError"
TYPE, MALFORMED = "QueryTypeError", "MalformedQueryError"


class WrongQuery(Exception):
    """A query that gives no value; several kinds where the page leaves open what is seen first."""

    def __init__(self, *kinds: str) -> None:
        """Keep the names of the error classes."""
        super().__init__(*kinds)
        self.kinds = frozenset(kinds)


def every(*parts: Callable[[], T]) -> list[T]:
    """What all parts give; if several fail, any of their errors may be reported."""
    given, kinds = [], set()
    for part in parts:
        try:
            given.append(part())
        except WrongQuery as wrong:
            kinds |= wrong.kinds
    if kinds:
        raise WrongQuery(*kinds)
    return given


def both(one: Callable[[], T], other: Callable[[], U]) -> tuple[T, U]:
    """What two parts give, each of its own type."""
    given = every(lambda: (one(), None), lambda: (None, other()))
    return given[0][0], given[1][1]


def plain(text: str) -> str:
    """A text without case, width and spacing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def listed(wanted: Any) -> list[Any]:
    """The members of a filter, which is one or a list."""
    return wanted if isinstance(wanted, list) else [wanted]


def number(text: str) -> Decimal | None:
    """A decimal number, or None."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def measure(text: str, unit: str | None) -> tuple[str, str | None]:
    """A text as a number with its unit; without one it has that of what stands beside it."""
    found = re.fullmatch(r"(-?[0-9][0-9,]*(?:\.[0-9]+)?)\s*(.*)", text.strip(), re.DOTALL)
    if found is None:
        raise WrongQuery(TYPE)
    return found[1].replace(",", ""), found[2] or unit


def span(when: str) -> tuple[datetime, datetime] | None:
    """First instant of a civil time and first instant after it; None if it is no date."""
    try:
        if len(when) == 4:
            return datetime(int(when), 1, 1), datetime(int(when) + 1, 1, 1)
        if len(when) == 7:
            year, month = int(when[:4]), int(when[5:])
            begin = datetime(year, month, 1)
            return begin, begin + timedelta(days=monthrange(year, month)[1])
        begin = datetime.fromisoformat(when)
    except ValueError:
        return None
    size = {10: timedelta(days=1), 16: timedelta(minutes=1), 19: timedelta(seconds=1)}
    return (begin, begin + size[len(when)]) if len(when) in size else None


def spans(*whens: str) -> list[tuple[datetime, datetime]]:
    """The stretches of dates; a day that does not exist is an error of type."""
    found = [span(when) for when in whens]
    if None in found:
        raise WrongQuery(TYPE)
    return [each for each in found if each]


def before(left: str, right: str) -> bool | None:
    """Whether a date is wholly before another; None where one covers a part of the other."""
    (_, left_end), (right_begin, right_end) = spans(left, right)
    left_begin = spans(left)[0][0]
    if left_end <= right_begin:
        return True
    if right_end <= left_begin or left == right:
        return False
    return None


def reached(when: str, now: str) -> bool | None:
    """Whether a date has come; a day comes with its first minute, a month or year is vague."""
    not_yet = before(now, when)
    inside_day = len(when) == 10 and now.startswith(when)
    return True if inside_day or not_yet is False else None if not_yet is None else False


def later_by_months(day: date, months: int) -> date:
    """The same day of the month some months later, or the month's last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def distance(a: str, b: str, unit: str, rounding: str) -> int:
    """`a` minus `b` by calendar, counted up from the earlier one."""
    (a_begin, _), (b_begin, _) = spans(a, b)
    if a_begin < b_begin:
        return -distance(b, a, unit, rounding)
    if (unit, len(a), len(b)) == ("month", 7, 7):
        return (a_begin.year - b_begin.year) * 12 + a_begin.month - b_begin.month
    if (unit, len(a), len(b)) == ("year", 4, 4):
        return a_begin.year - b_begin.year
    needed = 16 if unit in {"hour", "minute"} else 10
    if min(len(a), len(b)) < needed:
        raise WrongQuery(AMBIGUOUS)
    whole, even = _steps(a_begin, b_begin, unit)
    if not even and rounding == "exact":
        raise WrongQuery(NONE)
    return whole


def _steps(later: datetime, earlier: datetime, unit: str) -> tuple[int, bool]:
    if unit in {"hour", "minute"}:
        whole, rest = divmod(later - earlier, timedelta(**{f"{unit}s": 1}))
        return whole, not rest
    last, first = later.date(), earlier.date()
    if unit in {"day", "week"}:
        whole, left = divmod((last - first).days, 7 if unit == "week" else 1)
        return whole, not left
    size, whole = (12 if unit == "year" else 1), 0
    while later_by_months(first, (whole + 1) * size) <= last:
        whole += 1
    return whole, later_by_months(first, whole * size) == last


def all_same(items: Iterable[Any]) -> bool:
    """Whether no two items differ."""
    return len(set(items)) <= 1

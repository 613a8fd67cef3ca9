"""Stages of persona files: parts of a process that happen on days of their own."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.synth.world.persona_parts import Part

_SPAN: Final = re.compile(r"(?:(?P<least>\d+)-)?(?P<most>\d+) (?P<unit>hour|day|week|month)s?")
_OPEN: Final = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d")
_DAYS: Final = {"day": 1, "week": 7, "month": 30}
"""Days of a unit of which a process has several; a month of waiting is thirty days."""
_SHORT: Final = 3
"""Letters of a weekday or month."""
_DAY_NAMES: Final = tuple(name[:_SHORT] for name in WEEKDAYS)
_MONTH_NAMES: Final = tuple(name[:_SHORT] for name in MONTHS)
_WORKDAYS: Final = frozenset(range(5))
_USUAL_DELAY: Final = "6 days"
"""How long after it happened a stage is told at most, unless it says so (our choice)."""


def days_of(span: str) -> tuple[int, int]:
    """Least and most days of a span such as `9-14 days`, `2 weeks`, `20-30 hours`."""
    found = _SPAN.fullmatch(span)
    if found is None:
        raise ValueError(f"expected such as `9-14 days`, `2 weeks` or `1-2 months`, got {span!r}")
    least, most = int(found["least"] or found["most"]), int(found["most"])
    if found["unit"] == "hour":
        return least // 24, -(-most // 24)
    return least * _DAYS[found["unit"]], most * _DAYS[found["unit"]]


def _span(text: str) -> str:
    least, most = days_of(text)
    if least > most:
        raise ValueError(f"expected the shorter time first, got {text!r}")
    return text


def _hours(text: str) -> str:
    if not _OPEN.fullmatch(text):
        raise ValueError(f"expected such as `09:00-17:00`, got {text!r}")
    return text


def weekdays_of(names: str | list[str] | None) -> frozenset[int] | None:
    """Weekdays, Monday 0, of such as `workday` or `[Sat, Sun]`; None for every day."""
    if names is None:
        return None
    if names == "workday":
        return _WORKDAYS
    return frozenset(_DAY_NAMES.index(name) for name in names)


def _weekdays(names: str | list[str]) -> str | list[str]:
    known = names == "workday" if isinstance(names, str) else {*names} <= {*_DAY_NAMES}
    if not known or not names:
        raise ValueError(f"expected `workday` or such as `[Mon, Sat]`, got {names!r}")
    return names


def months_of(ends: list[str] | None) -> frozenset[int]:
    """Months, January 1, from the first to the last of `[Mar, Sep]`; none for the whole year."""
    if not ends:
        return frozenset()
    first, last = _MONTH_NAMES.index(ends[0]), _MONTH_NAMES.index(ends[-1])
    count = (last - first) % len(MONTHS) + 1
    return frozenset((first + n) % len(MONTHS) + 1 for n in range(count))


def _months(ends: list[str]) -> list[str]:
    if len(ends) not in (1, 2) or not {*ends} <= {*_MONTH_NAMES}:
        raise ValueError(f"expected such as `[Mar, Sep]`, got {ends!r}")
    return ends


Span = Annotated[str, AfterValidator(_span)]
"""Time in words: `9-14 days`."""
Months = Annotated[list[str], AfterValidator(_months)]
"""First and last month of a season."""


class StageSpec(Part):
    """One stage of a process: it happens on one day and is told in one session.

    Attributes:
        after: Least and most time since the stage before happened, or since `from`.
        from_: Stage of another card in `after`, as `card.stage`; none for the stage before.
        on: Weekdays on which it can happen: `workday` or `[Sat, Sun]`.
        open: Hours in which it can happen; it is told no sooner on that day.
        planned: How long after the telling a stage is planned for that is named `ahead`; none: for
            the day on which it happens.
        told: Most time from the day it happens to the session that tells it.
        what: Noun phrase for it: `the first cut of the garlic`.
        when: The outcomes with which it happens.
    """

    after: Span | None = None
    from_: Annotated[str | None, Field(alias="from")] = None
    on: Annotated[str | list[str], AfterValidator(_weekdays)] | None = None
    open: Annotated[str, AfterValidator(_hours)] | None = None
    planned: Span | None = None
    told: Span = _USUAL_DELAY
    what: str
    when: dict[str, str] = {}

    @property
    def opens(self) -> int:
        """Minute of the day from which on it can happen."""
        hours, minutes = (self.open or "00:00").partition("-")[0].split(":")
        return int(hours) * 60 + int(minutes)

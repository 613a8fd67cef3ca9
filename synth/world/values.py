"""Values of facts: how they are drawn, and how they are said."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_date as spoken_date
from memassay.schemas.changes.locating import spoken_value as spoken_value
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.world.persona_parts import ValueRange

CLOCK: Final = re.compile(r"\b(?:[01]?\d|2[0-3]):[0-5]\d\b")
"""A time of day in a text."""
_MONEY = frozenset({"EUR", "USD", "GBP", "CNY"})
"""Units of which a part is always written with two decimals."""


def draw_value(
    spec: ValueRange, random: Random, event_date: date, say: Callable[[str], str]
) -> FactValue:
    """A value within a range; numbers are decimal strings on the range's grid.

    Args:
        spec: The range.
        random: Draws it.
        event_date: Day that distances in days are counted from.
        say: Makes the choices of a text and fills its slots: a text may name somebody.
    """
    if spec.number is not None:
        least, greatest, step = decimals(spec)
        return number_value(spec, least + step * random.randint(0, int((greatest - least) / step)))
    if spec.days is not None:
        day = event_date + timedelta(days=random.randint(*spec.days))
        return FactValue(type=ValueType.DATE, text=day.isoformat())
    if spec.clock is not None:
        first, last, step_minutes = clock_minutes(spec)
        return clock_value(first + step_minutes * random.randint(0, (last - first) // step_minutes))
    if spec.one_of is not None:
        return FactValue(type=ValueType.TEXT, text=say(random.choice(spec.one_of)), unit=spec.unit)
    return FactValue(type=ValueType.TEXT, text=say(spec.text or ""))


def decimals(spec: ValueRange) -> tuple[Decimal, Decimal, Decimal]:
    """Least, greatest and step of a range of numbers."""
    assert spec.number is not None
    # Whole numbers came as floats; `g` writes them without the `.0` nobody would say.
    least, greatest, step = (Decimal(f"{number:.12g}") for number in spec.number)
    return least, greatest, step


def number_value(spec: ValueRange, number: Decimal) -> FactValue:
    """A number of a range, with its unit."""
    if spec.unit in _MONEY and decimals(spec)[2] % 1:
        number = number.quantize(Decimal("0.01"))
    return FactValue(type=ValueType.NUMBER, text=f"{number:f}", unit=spec.unit)


def clock_minutes(spec: ValueRange) -> tuple[int, int, int]:
    """Earliest and latest minute of the day of a range of times, and its step in minutes."""
    assert spec.clock is not None
    earliest, latest, step = spec.clock
    return minutes(earliest), minutes(latest), step


def clock_value(minute: int) -> FactValue:
    """A minute of the day as a time of day."""
    return FactValue(type=ValueType.TEXT, text=f"{minute // 60:02d}:{minute % 60:02d}")


def minutes(clock: str) -> int:
    """The minute of the day of a time of day, `08:15`."""
    hours, rest = clock.split(":")
    return int(hours) * 60 + int(rest)

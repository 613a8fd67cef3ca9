"""Values of facts: how they are drawn, and how they are said."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from random import Random

from memassay.schemas.changes.locating import spoken_date as spoken_date
from memassay.schemas.changes.locating import spoken_value as spoken_value
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.world.persona_file import ValueRange

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
        # Whole numbers came as floats; `g` writes them without the `.0` nobody would say.
        least, greatest, step = (Decimal(f"{number:.12g}") for number in spec.number)
        steps = int((greatest - least) / step)
        number = least + step * random.randint(0, steps)
        if spec.unit in _MONEY and step % 1:
            number = number.quantize(Decimal("0.01"))
        return FactValue(type=ValueType.NUMBER, text=str(number), unit=spec.unit)
    if spec.days is not None:
        day = event_date + timedelta(days=random.randint(*spec.days))
        return FactValue(type=ValueType.DATE, text=day.isoformat())
    if spec.clock is not None:
        earliest, latest, step_minutes = spec.clock
        first, last = _minutes(earliest), _minutes(latest)
        minute = first + step_minutes * random.randint(0, (last - first) // step_minutes)
        return FactValue(type=ValueType.TEXT, text=f"{minute // 60:02d}:{minute % 60:02d}")
    if spec.one_of is not None:
        return FactValue(type=ValueType.TEXT, text=say(random.choice(spec.one_of)), unit=spec.unit)
    return FactValue(type=ValueType.TEXT, text=say(spec.text or ""))


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)

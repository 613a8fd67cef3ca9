"""Values of slots: the list of those that are lawful, and a draw from it."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Final

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.paths.worldmemarena.lifelong.files.parts import Attribute
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Slot
from memassay.synth.paths.worldmemarena.lifelong.world.cast import Cast

_EARLIER, _LATER = 20, 40
"""Days by which a date that is moved can move at most."""
_SOON: Final = 3
"""Fewest days from a session to a date that it tells."""
_STEPS: Final = 6
_DRIFT: Final = 0.4
"""How far a number can move: so many steps, or so much of it, whichever is more."""


def lawful(
    cast: Cast, slot: Slot, today: str, old: FactValue | None, used: Collection[str]
) -> list[FactValue]:
    """The values that a slot can take on a day, those left out that it ever had.

    Args:
        cast: The things of the world.
        slot: Whose value it is.
        today: Day of the session.
        old: The value that it has; None for its first.
        used: Texts of values that it cannot take.
    """
    spec = cast.spec(slot)
    if spec.number is not None:
        found = _numbers(spec, old)
    elif spec.date is not None:
        found = _dates(spec.date, date.fromisoformat(today), old)
    else:
        texts = cast.people if spec.person else spec.pool
        own = {slot.thing}
        found = [FactValue(type=ValueType.TEXT, text=text) for text in texts if text not in own]
    return [value for value in found if value.text not in used]


def _numbers(spec: Attribute, old: FactValue | None) -> list[FactValue]:
    assert spec.number is not None
    low, high, step = spec.number
    grid = range(low, high + 1, step)
    if old is not None:
        now = int(old.text)
        reach = max(_STEPS * step, _DRIFT * now)
        grid = [one for one in grid if 0 < abs(one - now) <= reach]  # type: ignore[assignment]
    return [FactValue(type=ValueType.NUMBER, text=str(one), unit=spec.unit) for one in grid]


def _dates(bounds: tuple[int, int], today: date, old: FactValue | None) -> list[FactValue]:
    if old is None:
        days = [today + timedelta(days=after) for after in range(bounds[0], bounds[1] + 1)]
    else:
        before = date.fromisoformat(old.text)
        moved = (before + timedelta(days=by) for by in range(-_EARLIER, _LATER + 1) if by)
        days = [day for day in moved if day > today + timedelta(days=_SOON)]
    return [FactValue(type=ValueType.DATE, text=day.isoformat()) for day in days]

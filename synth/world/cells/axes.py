"""Labels of the rows of a picture, those that are made of dates among them."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from memassay.schemas.values.civil_time import MONTHS, add_months, weekday
from memassay.synth.world.persona_pictures import LABELS, STEP, AxisSpec, ImageSpec

_SHORT: Final = 3
"""Letters of a weekday or month on an axis."""
_DAYS: Final = {"day": 1, "week": 7}
_MONTHS: Final = {"month": 1, "year": 12}
_SATURDAY: Final = 5


def row_labels(
    image: ImageSpec, day: date, say: Callable[[str], str], stages: Mapping[str, date]
) -> list[str]:
    """Labels of the rows of a picture that is shown on a day.

    Args:
        image: The picture.
        day: The day on which it is shown, which no row of an axis is after.
        say: Fills names into a label.
        stages: Days of the stages of its card.
    """
    if image.axis is None:
        return [say(row) for row in image.rows]
    days = axis_days(image.axis, day, stages)
    return [_label_of(image.axis, one, stages) for one in days]


def axis_days(axis: AxisSpec, last: date, stages: Mapping[str, date]) -> list[date]:
    """Days of the rows of an axis, the first first.

    Args:
        axis: The axis.
        last: Day that the last row is not after.
        stages: Days of the stages of its card.
    """
    found = STEP.fullmatch(axis.each)
    assert found is not None
    if axis.since is not None:
        first, step = stages[axis.since], int(found["count"]) * _DAYS[found["unit"]]
        count = (last - first).days // step + 1
        return [first + timedelta(days=step * row) for row in range(count)][-axis.most :]
    count, unit = int(found["count"]), found["unit"]
    back = range(axis.most - 1, -1, -1)
    if unit in _MONTHS:
        return [add_months(last.replace(day=1), -count * _MONTHS[unit] * row) for row in back]
    if unit in _DAYS:
        return [last - timedelta(days=count * _DAYS[unit] * row) for row in back]
    return [_workday(last, count * row) for row in back]


def _workday(last: date, back: int) -> date:
    """The day so many workdays before the last workday that is not after a day."""
    day = last - timedelta(days=max(last.weekday() - _SATURDAY + 1, 0))
    weeks, days = divmod(back, _SATURDAY)
    over = 2 if day.weekday() < days else 0
    return day - timedelta(days=7 * weeks + days + over)


def _label_of(axis: AxisSpec, day: date, stages: Mapping[str, date]) -> str:
    """What the row of a day is called."""
    if axis.label not in LABELS:
        return axis.label.replace("{n}", str((day - stages[axis.since or ""]).days))
    month = MONTHS[day.month - 1][:_SHORT]
    if axis.label == "weekday":
        return weekday(day)[:_SHORT]
    return {"month": month, "date": f"{day.day} {month}", "year": str(day.year)}[axis.label]

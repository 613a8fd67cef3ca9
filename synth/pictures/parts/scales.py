"""Numbers of a chart: what a cell says and where the ticks of an axis are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from memassay.synth.pictures.canvas.figures import Figure


def printed_numbers(figure: Figure) -> list[str]:
    """The number of each row as printed, without the unit that the axis states."""
    unit = figure.unit or ""
    return [cells[0].removesuffix(unit).strip() for cells in figure.cells]


def numbers_of(figure: Figure) -> list[float]:
    """The number of each row.

    Raises:
        ValueError: A cell is no number.
    """
    numbers = []
    for row, printed in zip(figure.rows, printed_numbers(figure), strict=True):
        try:
            numbers.append(float(printed.replace(",", "")))
        except ValueError:
            raise ValueError(
                f"{figure.kind} {figure.title!r}.{row}: expected a number with the unit "
                f"{figure.unit!r}, got {printed!r}; give the row a number"
            ) from None
    return numbers


@dataclass(frozen=True)
class Scale:
    """An axis: its lowest and highest tick and their distance."""

    low: float
    high: float
    step: float

    def share(self, number: float) -> float:
        """Where a number lies between the lowest tick (0) and the highest (1)."""
        return (number - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Position and label of each tick."""
        digits = next(places for places in range(12) if _whole(self.step * 10**places))
        count = round((self.high - self.low) / self.step)
        numbers = [self.low + self.step * at for at in range(count + 1)]
        return [(number, f"{number + 0.0:.{digits}f}") for number in numbers]


def scale_of(numbers: Sequence[float], from_zero: bool) -> Scale:
    """An axis of four to seven round ticks that holds all numbers with some air."""
    low, high = min(numbers), max(numbers)
    if from_zero or low < (high - low) * 0.6:
        low, high = min(low, 0.0), max(high, 0.0)
    span = (high - low) or abs(high) or 1.0
    high = high + span * 0.08 if high > 0 else high
    low = low - span * 0.12 if low != 0 else low
    if low == high:
        high = low + 1
    step = _round_step((high - low) / 5)
    return Scale(math.floor(low / step) * step, math.ceil(high / step) * step, step)


def _whole(number: float) -> bool:
    return abs(number - round(number)) < 1e-6


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * part for part in (1, 2, 2.5, 5, 10) if power * part >= rough * 0.999)

"""The laws of a picture as rules between its cells, in whole numbers of one unit."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Final

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.laws.grids import Grid, Group, Problem, Rule, Sum, trend_rules
from memassay.synth.laws.solving import Draws, Unsolvable
from memassay.synth.world.grammar import SLOT
from memassay.synth.world.persona_parts import ValueRange
from memassay.synth.world.persona_pictures import ImageSpec, LawSpec
from memassay.synth.world.values import clock_minutes, decimals, minutes

FactOf = Callable[[str], FactValue]
"""The value of a fact by the name that a card gives it."""

_FEWEST: Final = 2
"""Decimals that are told apart at least: those of facts that laws name."""
_MOST: Final = 6
"""Most decimals of a number of a picture."""


class LawCompiler:
    """Compiles the laws of one picture.

    Attributes:
        cells: By key, how each value that is drawn is drawn: `row`, `row/column` or a line's.
        scale: Units in 1 of a number; times are in minutes, dates in days.
        fixed: By key, what laws let only be one value, once the problem was made.
    """

    def __init__(
        self,
        image: ImageSpec,
        rows: list[str],
        day: date,
        fact: FactOf,
        measured: Mapping[str, Decimal] = MappingProxyType({}),
    ) -> None:
        """Take what the laws are about.

        Args:
            image: A picture.
            rows: Labels of its rows.
            day: Its day.
            fact: Values of the facts of its card.
            measured: What a quantity is on the day of each row.
        """
        self.measured = measured
        self.image, self.rows, self.day, self.fact = image, rows, day, fact
        self.cells = cells_of(image, rows)
        self._labels = dict(zip(image.rows, rows, strict=True)) if not image.axis else {}
        self._rows = {label: row for row, label in self._labels.items()}
        self.fixed: dict[str, int] = {}
        self._problem = Problem()
        self.scale = int(10 ** max([_FEWEST, *map(_places, self._numbers())]))

    def problem(self, draws: Draws) -> Problem:
        """Grids, rules, groups and sums.

        Args:
            draws: Draws where a peak or a dip turns.

        Raises:
            Unsolvable: A law names a cell that has no number.
        """
        grids = {key: self._grid(key, spec) for key, spec in self.cells.items()}
        self._problem.grids.update({key: grid for key, grid in grids.items() if grid is not None})
        for cell, amount in self.measured.items():
            self._fix(cell, self._nearest(cell, amount * self.scale), "as measured")
        for number, law in enumerate(self.image.laws):
            self._add(law, partial(draws, "turn", str(number)))
        if self.image.value is not None and self._problem.grids:
            self._problem.groups.append(Group(tuple(self._column(None)), strict=False))
        return self._problem

    def _add(self, law: LawSpec, draws: Draws) -> None:
        problem = self._problem
        if law.order is not None or law.bound is not None:
            problem.rules += self.orders(law)
        elif law.trend is not None:
            problem.rules += self.trend(law, law.trend, draws)
        elif law.ends is not None:
            cell = self._column(law.by)[-1]
            self._fix(cell, self._fact(law.ends, cell), "ends")
        elif law.same is not None:
            name, fact = law.same
            for cell in self._cells_of(name):
                amount = self._fact(fact, cell) * Decimal(str(law.times))
                self._fix(cell, self._nearest(cell, amount), fact)
        elif law.sum is not None:
            cells = tuple(cell for name in law.sum for cell in self._cells_of(name))
            problem.sums.append(Sum(cells, int(Decimal(str(law.to)) * self.scale)))
        else:
            problem.groups.append(Group(tuple(self._column(law.by))))

    def orders(self, law: LawSpec) -> Iterator[Rule]:
        """Rules of an order along columns or down the rows, or of a bound."""
        if law.order == "rows":
            begin, end = self._column(law.by), self._column(law.then or law.by)
            pairs = list(zip(end, begin[1:], strict=False))
        else:
            names = law.order or law.bound or []
            columns = [self._cells_of(name) for name in names]
            pairs = [
                pair for left, right in itertools.pairwise(columns) for pair in _pairs(left, right)
            ]
        for smaller, greater in pairs:
            least = 0 if law.bound is not None else 1
            self._compare(smaller, greater)
            gap = least if law.gap is None else self._units(law.gap, greater)
            yield Rule(smaller, greater, gap)

    def _compare(self, one: str, other: str) -> None:
        """Refuse to compare a number with a time or a date."""
        specs = [self.cells[cell] for cell in (one, other) if cell in self.cells]
        if len({(spec.number is None, spec.clock is None) for spec in specs}) > 1:
            raise Unsolvable(f"{one} and {other} are no values of one kind")

    def trend(self, law: LawSpec, shape: str, draws: Draws) -> list[Rule]:
        """Rules of a trend.

        Args:
            law: The law.
            shape: Its trend.
            draws: Draws where a peak or a dip turns.
        """
        cells = self.trend_cells(law)
        turn = draws().randint(1, len(cells) - 2) if shape in {"peak", "dip"} else 0
        return trend_rules(cells, self._problem.grids, shape, law.clear, turn)

    def trend_cells(self, law: LawSpec) -> list[str]:
        """Cells from the first to the last of a trend."""
        cells = self._column(law.by)
        if law.over is None:
            return cells
        count = int(law.over[-1])
        return cells[-count:] if law.over.startswith("last") else cells[:count]

    def _column(self, column: str | None) -> list[str]:
        """Cells of a column from row to row, or of a chart."""
        keys = [row if column is None else f"{row}/{column}" for row in self.rows]
        return [self._check(key) for key in keys]

    def _cells_of(self, name: str | float) -> list[str]:
        """Cells that a law names: a column's, a row, a line, or a number as a cell of its own."""
        if not isinstance(name, str):
            return [self._constant(int(Decimal(str(name)) * self.scale))]
        if name in self.image.columns:
            return self._column(name)
        line = self.image.lines.get(name)
        slot = SLOT.fullmatch(line if isinstance(line, str) else name)
        if slot is not None:
            return [self._constant(int(self._number(self.fact(slot[1]))))]
        return [self._check(self._labels.get(name, name))]

    def _check(self, key: str) -> str:
        if key not in self._problem.grids:
            raise Unsolvable(f"{key} has no number, time or date that laws could hold for")
        return key

    def _constant(self, value: int) -> str:
        self._problem.grids[f"={value}"] = Grid(value, value)
        return f"={value}"

    def _nearest(self, cell: str, amount: Decimal) -> int:
        """The value of a cell's grid that is nearest to an amount."""
        grid = self._problem.grids[cell]
        return grid.low + round((amount - grid.low) / grid.step) * grid.step

    def _fix(self, cell: str, value: Decimal | int, what: str) -> None:
        """Give a cell one value, if its range has it."""
        grid = self._problem.grids[cell]
        if value % 1 or not grid.low <= value <= grid.high or (value - grid.low) % grid.step:
            raise Unsolvable(f"{cell} cannot be {what}: its range has no {value / self.scale}")
        self._problem.grids[cell] = Grid(int(value), int(value), grid.step)
        self.fixed[cell] = int(value)

    def _fact(self, name: str, cell: str) -> Decimal:
        if cell not in self._problem.grids:
            raise Unsolvable(f"{cell} has no number, time or date that laws could hold for")
        return self._number(self.fact(name))

    def _number(self, value: FactValue) -> Decimal:
        """A value of a fact in the units of the problem."""
        if value.type is ValueType.NUMBER:
            return Decimal(value.text) * self.scale
        if value.type is ValueType.DATE:
            return Decimal((date.fromisoformat(value.text) - self.day).days)
        return Decimal(minutes(value.text))

    def _units(self, gap: float, cell: str) -> int:
        spec = self.cells.get(cell)
        counts = spec is None or spec.number is not None
        return int(Decimal(str(gap)) * self.scale) if counts else int(gap)

    def _grid(self, key: str, spec: ValueRange) -> Grid | None:
        if spec.days is not None:
            return Grid(*spec.days)
        if spec.number is not None:
            grid = Grid(*(int(number * self.scale) for number in decimals(spec)))
        elif spec.clock is not None:
            grid = Grid(*clock_minutes(spec))
        else:
            return None
        ends = spec.rows.get(self._rows.get(key.partition("/")[0], ""))
        least, most = (self._end(end) for end in ends) if ends else (grid.low, grid.high)
        return Grid(grid.up(max(least, grid.low)), min(most, grid.high), grid.step)

    def _end(self, end: str | float) -> int:
        """An end of a range in units: a time of day or a number."""
        return minutes(end) if isinstance(end, str) else int(Decimal(str(end)) * self.scale)

    def _numbers(self) -> Iterator[Decimal]:
        """Every number that decides how fine the units are."""
        for spec in self.cells.values():
            yield from decimals(spec) if spec.number is not None else ()
        for law in self.image.laws:
            named = [law.gap, law.to, *(law.bound or [])]
            yield from (Decimal(str(one)) for one in named if isinstance(one, float))


def cells_of(image: ImageSpec, rows: list[str]) -> Mapping[str, ValueRange]:
    """By key, how each value of a picture is drawn that is not a fact of its card."""
    if image.columns:
        return {f"{row}/{name}": spec for row in rows for name, spec in image.columns.items()}
    series = {row: image.value for row in rows if image.value is not None}
    lines = {key: one for key, one in image.lines.items() if isinstance(one, ValueRange)}
    return {**series, **lines}


def _pairs(left: list[str], right: list[str]) -> list[tuple[str, str]]:
    """Cells of one row each; what is named once belongs to every row."""
    count = max(len(left), len(right))
    many = [one * count if len(one) == 1 else one for one in (left, right)]
    return list(zip(*many, strict=True))


def _places(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return min(max(-int(exponent), 0), _MOST)

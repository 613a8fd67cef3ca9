"""Cells and what holds between them, in whole numbers of the smallest unit."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Grid:
    """The values that a cell can have: from `low` by `step` to `high`."""

    low: int
    high: int
    step: int = 1

    def up(self, value: int) -> int:
        """The least value of the grid, past its end too, that is not below a number."""
        return -(-(value - self.low) // self.step) * self.step + self.low

    def down(self, value: int) -> int:
        """The greatest value of the grid, past its end too, that is not above a number."""
        return (value - self.low) // self.step * self.step + self.low


@dataclass(frozen=True)
class Rule:
    """The cell `greater` is at least the cell `smaller` and `by`."""

    smaller: str
    greater: str
    by: int = 0


@dataclass(frozen=True)
class Group:
    """Cells that all differ; if not `strict`, only as far as their values suffice."""

    cells: tuple[str, ...]
    strict: bool = True


@dataclass(frozen=True)
class Sum:
    """Cells of one step that add up to a number."""

    cells: tuple[str, ...]
    total: int


@dataclass
class Problem:
    """What a solver is given.

    Attributes:
        grids: By cell.
        rules: Between two cells each.
        groups: Of cells that differ.
        sums: Of cells that add up.
    """

    grids: dict[str, Grid] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    sums: list[Sum] = field(default_factory=list)


def trend_rules(
    cells: Sequence[str], grids: Mapping[str, Grid], shape: str, clear: float, turn: int
) -> list[Rule]:
    """Rules that give cells a shape.

    Args:
        cells: In order, three or more for a peak and a dip.
        grids: By cell; the first cell's range is that of all.
        shape: `rising`, `falling`, `peak`, `dip` or `level`.
        clear: Least change from end to turn, as a share of the range.
        turn: 0-based cell at which a peak or a dip turns.
    """
    grid = grids[cells[0]]
    last = len(cells) - 1
    if shape == "level":
        flat = (grid.high - grid.low) // 10
        return [Rule(one, other, -flat) for one in cells for other in cells if one != other]
    rising = {"rising": (0, last), "peak": (0, turn), "dip": (turn, last)}.get(shape)
    falling = {"falling": (0, last), "peak": (turn, last), "dip": (0, turn)}.get(shape)
    least = max(grid.step, int((grid.high - grid.low) * clear))
    rules: list[Rule] = []
    for run, upward in ((rising, True), (falling, False)):
        if run is not None:
            part = cells[run[0] : run[1] + 1] if upward else cells[run[0] : run[1] + 1][::-1]
            rules += [Rule(a, b, grid.step) for a, b in itertools.pairwise(part)]
            rules.append(Rule(part[0], part[-1], least))
    return rules

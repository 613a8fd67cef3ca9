"""Values for cells under laws, without a step that is undone.

Every law but sums and differing cells says that one cell is at least another and a distance. Such
rules have one closure: after all bounds are tightened, every value between those of a cell extends
to a solution. So cells are drawn one by one, each by a generator of its own, and bounds are
tightened after each. A cell without laws has the same value whatever other cells there are.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.synth.laws.grids import Grid, Group, Problem, Rule, Sum

Draws = Callable[..., Random]
"""Gives the generator of a purpose: ``draws("Mon", "1")``."""

_TRIES: Final = 32
"""Orders in which cells that must differ are tried."""


class Unsolvable(UsageError):
    """No values fit the laws; the message says which rule failed."""


def solve(problem: Problem, draws: Draws) -> dict[str, int]:
    """A value for every cell.

    Raises:
        Unsolvable: The laws contradict each other, a sum is out of reach, or cells that must
            differ have too few values.
    """
    low, high = bounds(problem)
    for attempt in range(_TRIES):
        drawn = _draw(problem, low, high, draws, str(attempt))
        if drawn is not None:
            for total in problem.sums:
                drawn = _walk(drawn, low, high, problem, total, draws)
            return drawn
    cells = ", ".join(cell for group in problem.groups if group.strict for cell in group.cells)
    raise Unsolvable(f"too few values for cells that differ: {cells}")


def bounds(problem: Problem) -> tuple[dict[str, int], dict[str, int]]:
    """Least and greatest value of each cell under the rules: proof that there is a solution.

    Raises:
        Unsolvable: There is none.
    """
    low = {cell: grid.low for cell, grid in problem.grids.items()}
    high = {cell: grid.down(grid.high) for cell, grid in problem.grids.items()}
    broken = tighten(low, high, problem.rules, problem.grids)
    if broken is not None:
        raise Unsolvable(f"{broken.greater} cannot be {broken.by} above {broken.smaller}")
    for one in problem.sums:
        least, most = sum(low[cell] for cell in one.cells), sum(high[cell] for cell in one.cells)
        if not least <= one.total <= most:
            raise Unsolvable(f"{', '.join(one.cells)} add up to {least}..{most}, not {one.total}")
    return low, high


def tighten(
    low: dict[str, int], high: dict[str, int], rules: Iterable[Rule], grids: Mapping[str, Grid]
) -> Rule | None:
    """Narrow bounds in place until every rule holds at both ends; a rule that cannot, or None."""
    changed = True
    while changed:
        changed = False
        for rule in rules:
            least, most = low[rule.smaller] + rule.by, high[rule.greater] - rule.by
            if low[rule.greater] < least:
                low[rule.greater], changed = grids[rule.greater].up(least), True
            if high[rule.smaller] > most:
                high[rule.smaller], changed = grids[rule.smaller].down(most), True
            if any(low[cell] > high[cell] for cell in (rule.smaller, rule.greater)):
                return rule
    return None


def _draw(
    problem: Problem,
    lowest: Mapping[str, int],
    highest: Mapping[str, int],
    draws: Draws,
    attempt: str,
) -> dict[str, int] | None:
    """A value for each cell, in an order drawn by chance; None if none is left for one."""
    low, high = dict(lowest), dict(highest)
    randoms = {cell: draws(cell, attempt) for cell in sorted(problem.grids)}
    ranks = {cell: random.random() for cell, random in randoms.items()}
    done: set[str] = set()
    for cell in sorted(ranks, key=lambda cell: (ranks[cell], cell)):
        grid = problem.grids[cell]
        taken, strict = _values_gone(cell, problem.groups, low, done)
        value = _free(low[cell], high[cell], grid.step, taken, randoms[cell])
        if value is None and not strict:
            value = _free(low[cell], high[cell], grid.step, set(), randoms[cell])
        if value is None:
            return None
        low[cell] = high[cell] = value
        done.add(cell)
        if tighten(low, high, problem.rules, problem.grids) is not None:
            return None
    return low


def _values_gone(
    cell: str, groups: Iterable[Group], values: Mapping[str, int], done: set[str]
) -> tuple[set[int], bool]:
    """Values that other cells of its groups have, and whether a group is strict."""
    mine = [group for group in groups if cell in group.cells]
    taken = {values[other] for group in mine for other in group.cells if other in done}
    return taken, any(group.strict for group in mine)


def _free(low: int, high: int, step: int, taken: set[int], random: Random) -> int | None:
    """A value of a range that is not taken, each as likely; None if there is none."""
    skipped = sorted(value for value in taken if low <= value <= high and not (value - low) % step)
    count = (high - low) // step + 1 - len(skipped)
    if count <= 0:
        return None
    value = low + step * random.randrange(count)
    for one in skipped:
        value += step if one <= value else 0
    return value


def _walk(
    drawn: Mapping[str, int],
    low: Mapping[str, int],
    high: Mapping[str, int],
    problem: Problem,
    total: Sum,
    draws: Draws,
) -> dict[str, int]:
    """Move cells by single steps until they add up: with one step each sum in reach is reached."""
    values, random = dict(drawn), draws("sum", *total.cells)
    while missing := total.total - sum(values[cell] for cell in total.cells):
        sign = 1 if missing > 0 else -1
        open_ = [
            cell
            for cell in total.cells
            if problem.grids[cell].step <= abs(missing)
            and low[cell] <= values[cell] + sign * problem.grids[cell].step <= high[cell]
            and _holds(values, cell, values[cell] + sign * problem.grids[cell].step, problem)
        ]
        if not open_:
            raise Unsolvable(f"{', '.join(total.cells)} cannot add up to {total.total}")
        cell = random.choice(open_)
        values[cell] += sign * problem.grids[cell].step
    return values


def _holds(values: Mapping[str, int], cell: str, moved: int, problem: Problem) -> bool:
    """Whether every rule of a cell holds with another value of it."""
    after = {**values, cell: moved}
    return all(
        after[rule.smaller] + rule.by <= after[rule.greater]
        for rule in problem.rules
        if cell in (rule.smaller, rule.greater)
    ) and all(
        moved != after[other]
        for group in problem.groups
        if group.strict and cell in group.cells
        for other in group.cells
        if other != cell
    )

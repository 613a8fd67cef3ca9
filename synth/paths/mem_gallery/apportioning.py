"""How many questions of each type every conversation of a recipe gets, both sums exact."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Final

from memassay.schemas.errors import RecipeError

_AWAY: Final = (10.0, 20.0, 40.0)
"""What a question costs beyond the two numbers next to its share: the first, the second, all
others, so that no cell gets what many could take. Next to its share it costs 1 at most."""


def apportion(
    rows: Sequence[int],
    columns: Sequence[int],
    least: Sequence[Sequence[int]],
    most: Sequence[Sequence[int]],
) -> list[list[int]]:
    """Whole numbers with these sums, as near to proportional ones as their bounds let them be.

    Args:
        rows: Sum of each row.
        columns: Sum of each column; together as many as the rows.
        least: By row and column, the least of a cell.
        most: The most of a cell.

    Returns:
        By row and column, a number.

    Raises:
        RecipeError: No such numbers exist.
    """
    # It takes half a second to import.
    import numpy as np
    from scipy.optimize import linprog

    total = sum(rows)
    width, cells = len(columns), len(rows) * len(columns)
    # A cell is its least, and what is added in steps of which each costs more than the one before,
    # so that whole numbers are among the best.
    steps = [
        _steps(rows[at // width] * columns[at % width] / total if total else 0.0, low, high)
        for at, (low, high) in enumerate(
            zip(chain.from_iterable(least), chain.from_iterable(most), strict=True)
        )
    ]
    bounds, costs = np.array(steps).reshape(cells, -1, 2).transpose(2, 1, 0)
    sums = np.zeros((len(rows) + width, cells))
    for at in range(cells):
        sums[at // width, at] = sums[len(rows) + at % width, at] = 1
    start = np.array(least, dtype=float).ravel()
    found = linprog(
        costs.ravel(),
        A_eq=np.hstack([sums] * len(bounds)),
        b_eq=np.array([*rows, *columns]) - sums @ start,
        bounds=[(0, high) for high in bounds.ravel()],
        method="highs-ds",
    )
    if not found.success:
        raise RecipeError(
            "stories.scenarios: expected questions of each type that meet both `questions` of "
            "every row and `stories.questions`, got none; raise `at_most`, or move questions or "
            "question images to another row"
        )
    added = found.x.reshape(len(bounds), cells).sum(axis=0)
    whole = [round(float(one)) for one in start + added]
    return [whole[at : at + width] for at in range(0, cells, width)]


def _steps(share: float, low: int, high: int) -> list[tuple[int, float]]:
    """How a cell grows from its least to its most: size and cost of each step, in order."""
    below = math.floor(share)
    marks = [low, below - 2, below - 1, below, below + 1, below + 2, below + 3, high]
    across = 1 - 2 * (share - below)
    costs = [*(-cost for cost in reversed(_AWAY)), across, *_AWAY]
    inside = [min(max(mark, low), max(high, low)) for mark in marks]
    return [(b - a, cost) for (a, b), cost in zip(pairwise(inside), costs, strict=True)]


def question_matrix(
    questions: Sequence[int],
    pictures: Sequence[int],
    types: Mapping[str, int],
    with_picture: Mapping[str, int],
    brought: Sequence[Mapping[str, int]] = (),
    at_most: Sequence[Mapping[str, int]] = (),
) -> tuple[list[dict[str, int]], list[dict[str, int]]]:
    """Questions of each type, and those of them that show a picture, for every conversation.

    Args:
        questions: By conversation, its questions.
        pictures: By conversation, those that show a picture.
        types: By code, questions of a type over all conversations.
        with_picture: By code, those of a type that show a picture.
        brought: By conversation and code, those without a picture that it has in any case.
        at_most: By conversation and code, how many there can be, where there cannot be any number.

    Raises:
        RecipeError: The sums of the conversations and of the types do not fit.
    """
    codes = list(types)
    shown = [with_picture.get(code, 0) for code in codes]
    most = [[min(asked, number) for number in types.values()] for asked in questions]
    none = [[0] * len(codes) for _ in questions]
    for at, (asked, number) in enumerate(zip(questions, pictures, strict=True)):
        if number > asked:
            raise RecipeError(
                f"stories.scenarios.{at}.question_images: expected at most the {asked} of its "
                f"`questions`, got {number}; lower it"
            )
    _check_sum("questions", questions, types.values())
    _check_sum("question_images", pictures, shown)
    pictured = apportion(pictures, shown, none, most)
    # A type that is asked with pictures almost always is where pictures are; others share the rest.
    mostly = [2 * number > total for number, total in zip(shown, types.values(), strict=True)]
    fixed = [_with_bare(column, types[codes[at]]) for at, column in enumerate(_columns(pictured))]
    first = [
        [number if few else 0 for number, few in zip(row, mostly, strict=True)]
        for row in _columns(fixed)
    ]
    rest = [asked - sum(row) for asked, row in zip(questions, first, strict=True)]
    others = [0 if few else number for number, few in zip(types.values(), mostly, strict=True)]
    least = [
        [0 if few else number for number, few in zip(row, mostly, strict=True)] for row in pictured
    ]
    for row, own in zip(least, brought, strict=False):
        row[:] = [number + own.get(code, 0) for code, number in zip(codes, row, strict=True)]
    limits = [*at_most, *({} for _ in questions[len(at_most) :])]
    open_ = [
        [min(number, own.get(code, number)) for code, number in zip(codes, others, strict=True)]
        for own in limits
    ]
    added = apportion(rest, others, least, open_)
    every = [[a + b for a, b in zip(*both, strict=True)] for both in zip(first, added, strict=True)]
    named = [[dict(zip(codes, row, strict=True)) for row in each] for each in (every, pictured)]
    return named[0], named[1]


def _check_sum(name: str, rows: Iterable[int], types: Iterable[int]) -> None:
    """Refuse conversations and types that do not say the same number.

    Raises:
        RecipeError: They do not.
    """
    total, got = sum(rows), sum(types)
    if total != got:
        raise RecipeError(
            f"stories.{name}: expected {total} of all types, as many as `{name}` of all scenarios, "
            f"got {got}; change one of them"
        )


def _columns(rows: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    return list(zip(*rows, strict=True))


def _with_bare(pictured: Sequence[int], total: int) -> list[int]:
    """Questions of a type by conversation: those with a picture, and the others evenly."""
    found = list(pictured)
    order = sorted(range(len(found)), key=lambda at: -pictured[at])
    for at in range(total - sum(found)):
        found[order[at % len(order)]] += 1
    return found

"""Sums of lengths do not depend on the version of Python."""

import ast
from pathlib import Path

from support.places import REPOSITORY

from memassay.synth.pictures.canvas.totals import sum_in_order


def _builtin_sums(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [
        f"{path.name}:{call.lineno}"
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "sum"
    ]


def test_a_sum_is_the_plain_one() -> None:
    """Each addition is rounded, as the `sum` of Python 3.11 does and that of 3.12 does not."""
    assert sum_in_order([0.1] * 10) == 0.9999999999999999
    assert sum_in_order([1e16, 1.0, -1e16]) == 0.0
    assert sum_in_order(iter(())) == 0


def test_nothing_that_draws_uses_the_sum_of_its_python() -> None:
    """Every sum of lengths on a picture is `sum_in_order`."""
    drawing = list((REPOSITORY / "synth" / "pictures").rglob("*.py"))
    assert drawing
    assert [place for path in drawing for place in _builtin_sums(path)] == []

"""What making stages anew will likely cost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from memassay.flows.calls.call_tables import CALLS
from memassay.flows.edits.rebuild_costs import rebuild_cost
from memassay.flows.store.tables import UNITS
from memassay.flows.store.workspace import Workspace

CENT = 10_000_000


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace in which four shards of the dialogue cost twelve calls of five cents."""
    opened = Workspace(tmp_path)
    with opened.engine.begin() as connection:
        calls = [_call(f"{at:064x}", cost=5 * CENT) for at in range(12)]
        connection.execute(insert(CALLS), calls)
        units = [
            {"key": f"{stage}{at}", "stage": stage, "shard": f"p{at}", "outputs": "[]"}
            for stage in ("dialogue", "compare")
            for at in range(4)
        ]
        connection.execute(insert(UNITS), units)
    yield opened
    opened.close()


def _call(key: str, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(("input", "cached", "output", "images"), 1)
    row |= dict.fromkeys(("text", "raw"), "")
    said = {"stage": "dialogue", "task": "t", "model": "m", "day": "2024-03-04", "status": "ok"}
    return {"key": key, **row, **said, **more}


def test_a_stage_costs_what_its_units_cost_so_far(workspace: Workspace) -> None:
    """A unit of four that made twelve calls of five cents: three calls, fifteen cents."""
    cost = rebuild_cost(workspace.engine, [("dialogue", "p1"), ("compare", "p1")])
    assert (cost.calls, cost.dollars, cost.unpriced) == (3, "0.1500", False)


def test_what_no_model_makes_costs_nothing(workspace: Workspace) -> None:
    """Stages of the simulator, and those that only check."""
    cost = rebuild_cost(workspace.engine, [("compare", "p1"), ("release", "*")])
    assert (cost.calls, cost.unpriced) == (0, False)


def test_calls_without_a_price_are_told(workspace: Workspace) -> None:
    """Rather than taken to be free."""
    with workspace.engine.begin() as connection:
        connection.execute(insert(CALLS), [_call("f" * 64, cost=None)])
    assert rebuild_cost(workspace.engine, [("dialogue", "p1")]).unpriced

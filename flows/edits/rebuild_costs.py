"""What making stages again will likely cost, by what they have cost so far."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from sqlalchemy import Engine, func, select

from memassay.annotation.pages.content import RebuildCost
from memassay.flows.calls.call_tables import CALLS
from memassay.flows.calls.payments import BILLIONTHS
from memassay.flows.store.tables import UNITS, reading

_DIGITS: Final = Decimal("0.0001")
"""As the budget shows amounts: one call often costs less than a cent."""


def rebuild_cost(engine: Engine, stale: Sequence[tuple[str, str]]) -> RebuildCost:
    """The likely cost of some units, as (stage, shard).

    The calls of a stage and their price, by its units that are done: an estimate, since no unit
    needs what another did, and replies that are already paid for are not paid again.
    """
    calls, cost, unpriced = Decimal(0), Decimal(0), False
    for stage in dict.fromkeys(stage for stage, _ in stale):
        units = len({shard for name, shard in stale if name == stage})
        asked, paid, unknown, done = _so_far(engine, stage)
        if asked and done:
            calls += Decimal(asked * units) / done
            cost += Decimal(paid * units) / done
            unpriced = unpriced or bool(unknown)
    dollars = (cost / BILLIONTHS).quantize(_DIGITS)
    return RebuildCost(math.ceil(calls), f"{dollars}", unpriced)


def _so_far(engine: Engine, stage: str) -> tuple[int, int, int, int]:
    """Calls of a stage, their cost, how many have no price, and its units that are done."""
    unknown = func.count().filter(CALLS.c.cost.is_(None))
    spent = func.coalesce(func.sum(CALLS.c.cost), 0)
    bill = select(func.count(), spent, unknown).where(CALLS.c.stage == stage)
    units = select(func.count(UNITS.c.shard.distinct())).where(
        UNITS.c.stage == stage, UNITS.c.outputs.is_not(None)
    )
    with reading(engine) as connection:
        asked, paid, without = connection.execute(bill).one()
        done = connection.execute(units).scalar_one()
    return int(asked), int(paid), int(without), int(done)

"""How far a run is, kept where `memassay status` finds it."""

import threading
import time
from collections.abc import Mapping
from typing import Final

from memassay.flows.engine.units import Plan
from memassay.flows.store.records import StageProgress, Store
from memassay.schemas.contracts.protocols import Stage

TICK_SECONDS: Final = 1.0


class Reached:
    """What a run reached, stage by stage."""

    def __init__(self, store: Store, plan: Plan) -> None:
        """Bind a plan to a store; nothing is kept yet."""
        self._store, self._name = store, plan.name
        self._positions = {stage.name: at for at, stage in enumerate(plan.stages)}
        self._ticked = 0.0
        self._lock = threading.Lock()

    def keep(
        self, stage: Stage, total: int, finished: int, gate: Mapping[str, int] | None = None
    ) -> None:
        """Keep how many units of a stage are done, and records by standing once it has a gate."""
        reached = StageProgress(stage.name, total, finished, {**(gate or {})})
        self._store.record_progress(self._name, self._positions[stage.name], reached)

    def tick(self, stage: Stage, total: int, finished: int) -> None:
        """Keep how many units are done, without a write for every one of them."""
        with self._lock:
            now = time.monotonic()
            if now - self._ticked < TICK_SECONDS:
                return
            self._ticked = now
        self.keep(stage, total, finished)

"""How far a run is and how fast it goes, kept where `memassay status` finds it."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

from memassay.flows.engine.units import Plan
from memassay.flows.store.records import StageProgress, Store
from memassay.flows.store.sharing import Pace
from memassay.schemas.contracts.protocols import Stage

TICK_SECONDS: Final = 1.0


class Reached:
    """What a run reached, stage by stage.

    Attributes:
        held: Units of the stage that others have, as far as somebody looked.
        memory: Gives the bytes of the largest process of the run.
    """

    def __init__(
        self, store: Store, plan: Plan, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Bind a plan to a store; nothing is kept yet."""
        self.held = 0
        self.memory: Callable[[], int] = int
        self._store, self._name, self._clock = store, plan.name, clock
        self._positions = {stage.name: at for at, stage in enumerate(plan.stages)}
        self._began, self._before = clock(), 0
        self._ticked = 0.0
        self._lock = threading.Lock()

    def begin(self, before: int) -> None:
        """Count from here on what is done of a stage, of which some was done before."""
        self.held, self._began, self._before = 0, self._clock(), before

    def pace(self, total: int, finished: int) -> Pace:
        """How fast the stage goes that was begun."""
        done, seconds = finished - self._before, self._clock() - self._began
        rate = done / seconds if done > 0 and seconds > 0 else 0.0
        left = (total - finished) / rate if rate else None
        return Pace(min(self.held, total - finished), rate, left, self.memory())

    def keep(
        self, stage: Stage, total: int, finished: int, gate: Mapping[str, int] | None = None
    ) -> None:
        """Keep how many units of a stage are done, and records by standing once it has a gate."""
        pace = self.pace(total, finished) if gate is None else None
        reached = StageProgress(stage.name, total, finished, {**(gate or {})}, pace)
        self._store.record_progress(self._name, self._positions[stage.name], reached)

    def tick(self, stage: Stage, total: int, finished: int) -> None:
        """Keep how many units are done, without a write for every one of them."""
        with self._lock:
            now = time.monotonic()
            if now - self._ticked < TICK_SECONDS:
                return
            self._ticked = now
        self.keep(stage, total, finished)

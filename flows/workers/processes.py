"""The processes that share the units of a run, as the run sees them."""

import pickle
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from memassay.flows.store.leases import bury_the_dead
from memassay.flows.store.sharing import StageMessage, Team, UnitDone
from memassay.flows.store.workspace import Workspace
from memassay.flows.workers.child import DEATHS, Child, start_child
from memassay.flows.workers.messages import Failed, Ready, RunMessage
from memassay.schemas.errors import WorkerError

COMMAND: Final = (sys.executable, "-m", "memassay.flows.workers.process")


@contextmanager
def processes(size: int, workspace: Workspace, message: RunMessage) -> Iterator[Team | None]:
    """Processes beside a run while the block runs; None if there are to be none."""
    if size == 0:
        yield None
        return
    team = Processes(size, workspace, message)
    try:
        yield team
    finally:
        team.close()


class Processes:
    """Processes that do units of a run beside it; they are started when there is work for them.

    Attributes:
        size: How many there are at most.
    """

    def __init__(self, size: int, workspace: Workspace, message: RunMessage) -> None:
        """Bind processes to a run; none is started yet."""
        self.size = size
        self._workspace = workspace
        self._message = message
        self._processes: list[Child] = []
        self._stage: Path | None = None
        self._scratch = TemporaryDirectory(prefix="memassay-")
        self._offers = 0
        self._deaths: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def share(self, stage: StageMessage) -> None:
        """Offer units of a stage; at least one of them is left to the run."""
        # A long message would wait in the pipe for a process that is busy.
        with self._lock:
            self._offers += 1
            place = Path(self._scratch.name) / str(self._offers)
            place.write_bytes(pickle.dumps(stage))
            self._stage = place
            while len(self._processes) < min(self.size, len(stage.inputs) - 1):
                self._processes.append(self._start())
            for one in self._processes:
                one.tell(place)

    def is_deadly(self, stage: str, shard: str) -> bool:
        """Whether a unit has ended one of the processes: the run itself had better not try it."""
        return self._deaths[stage, shard] > 0

    def look(self, done: Callable[[UnitDone], None]) -> None:
        """Take reports, and replace processes that have died.

        Args:
            done: Called for each unit that a process finished.

        Raises:
            MemassayError: A process could not do a unit, or one unit has ended three of them.
        """
        with self._lock:
            for one in [*self._processes]:
                self._read(one, done)
                if one.process.poll() is not None:
                    self._replace(one)

    def _read(self, one: Child, done: Callable[[UnitDone], None]) -> None:
        with suppress(EOFError, ConnectionError):
            while one.connection.poll():
                report = one.connection.recv()
                if isinstance(report, Failed):
                    raise report.error
                if isinstance(report, Ready):
                    one.owner = report.owner
                else:
                    done(report)

    def _replace(self, one: Child) -> None:
        """Start another process in place of a dead one, whose unit is free again."""
        self._processes.remove(one)
        held = self._workspace.store.held_by(one.owner) if one.owner else []
        # One that dies before it can begin has no unit to blame.
        for place in held or [("", "")]:
            self._deaths[place] += 1
            if self._deaths[place] >= DEATHS:
                stage, shard = place
                what = (
                    f"{shard}: expected stage {stage} to make it"
                    if shard
                    else "workers: expected processes that start"
                )
                raise WorkerError(
                    f"{what}, got {DEATHS} that ended with {one.process.returncode} "
                    f"({one.last_words()}); look at its memory, or run with --workers 1"
                )
        one.end()
        bury_the_dead(self._workspace.store, self._workspace.owners)
        other = self._start()
        self._processes.append(other)
        if self._stage is not None:
            other.tell(self._stage)

    def _start(self) -> Child:
        started = start_child(COMMAND)
        started.tell(self._message)
        return started

    def close(self) -> None:
        """End every process, whatever it does; units that they held are free."""
        with self._lock:
            for one in self._processes:
                one.end()
                if one.owner:
                    # A database on a server may hear of its end a moment later than we do.
                    self._workspace.store.bury(one.owner)
            self._processes.clear()
        self._scratch.cleanup()
        bury_the_dead(self._workspace.store, self._workspace.owners)

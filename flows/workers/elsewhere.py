"""Units done by a process that others started, on this machine or another: a worker of a cluster.

It is sent the message of a run and some units, and gives nothing back: what is done is in the
store. It keeps a run open from one task to the next, as tasks of one run follow each other.
"""

import pickle
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

from memassay.flows.store.sharing import StageMessage
from memassay.flows.workers.messages import RunMessage
from memassay.flows.workers.opened import open_run
from memassay.flows.workers.parent import sendable

if TYPE_CHECKING:
    from memassay.flows.engine.run import Run


class _Desk:
    """The run that this process has open."""

    def __init__(self) -> None:
        # A worker with several threads does one unit after the other: they need a core each.
        self.lock = threading.Lock()
        self._message = b""
        self._open = ExitStack()
        self._run: Run | None = None

    def run(self, message: bytes) -> "Run":
        if self._run is None or message != self._message:
            self.close()
            opened: RunMessage = pickle.loads(message)
            self._run, self._message = self._open.enter_context(open_run(opened)), message
        return self._run

    def close(self) -> None:
        self._run = None
        self._open.close()


_DESK = _Desk()


def do_units(message: bytes, units: bytes) -> None:
    """Do units unless they are done or somebody does them.

    Args:
        message: The run, a pickled `RunMessage`.
        units: What to do of it, a pickled `StageMessage`.

    Raises:
        MemassayError: A unit could not be done.
    """
    with _DESK.lock:
        try:
            run = _DESK.run(message)
            shared: StageMessage = pickle.loads(units)
            stage = run.join(shared)
            for shard in shared.inputs:
                run.try_unit(stage, shard)
        except Exception as error:  # noqa: BLE001 - the run raises it, whatever it is
            raise sendable(error) from None


def leave() -> None:
    """Close the run that is open in this process, if any is: nothing of it is held any more."""
    with _DESK.lock:
        _DESK.close()

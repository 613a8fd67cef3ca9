"""Where Prefect's tasks do units of a run in other processes: a Dask cluster (extra `dask`)."""

import pickle
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from memassay.flows.store.sharing import StageMessage
from memassay.schemas.errors import UsageError


@dataclass(frozen=True)
class Cluster:
    """Processes that do units of a run when tasks bring them.

    Attributes:
        work: Does the units of a pickled `StageMessage`, in such a process; can be sent there.
        leave: Called in each of them at the end of the run.
        runner: Prefect's task runner over them.
    """

    work: Callable[[bytes], None]
    leave: Callable[[], None]
    runner: Any

    def end(self) -> None:
        """Have all processes close the run; for one that is lost, its locks end with it."""
        from prefect.context import FlowRunContext

        context = FlowRunContext.get()
        with suppress(Exception):
            context.task_runner.client.run(self.leave)  # type: ignore[union-attr]


def dask_runner(scheduler: str | None, size: int) -> Any:
    """Prefect's task runner over a Dask cluster.

    Args:
        scheduler: Address of a scheduler, `tcp://host:8786`; None for a cluster on this machine.
        size: Processes of that one.

    Raises:
        UsageError: prefect-dask is not installed.
    """
    try:
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError as error:
        raise UsageError(f"runner: {error}; install memassay[dask]") from error
    if scheduler is not None:
        return DaskTaskRunner(address=scheduler)
    # A process has one thread, as units need a core each; memory is the machine's to divide.
    here = {"n_workers": size, "threads_per_worker": 1, "memory_limit": 0}
    return DaskTaskRunner(cluster_kwargs={**here, "dashboard_address": None})


def is_deadly(error: BaseException) -> bool:
    """Whether an error says that a task ended every process that tried it."""
    from distributed.scheduler import KilledWorker

    return isinstance(error, KilledWorker)


def units_of(message: StageMessage) -> bytes:
    """A message as tasks bring it: Prefect looks into every list that it is given."""
    return pickle.dumps(message)

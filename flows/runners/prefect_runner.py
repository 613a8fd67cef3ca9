"""The Prefect driver: a flow per path, a task per stage and batch of shards.

Prefect orders and shows the work; what is done, and with what result, only our store knows.
Tasks get ids as arguments and give nothing back, so that Prefect stores none of our data.
"""

import itertools
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from memassay.flows.engine.run import Run
from memassay.flows.runners.prefect_server import prefect_api
from memassay.flows.runners.progress import ProgressReporter
from memassay.flows.runners.side_by_side import run_units
from memassay.flows.store.leases import heartbeat
from memassay.schemas.errors import MemassayError, ServerLost, StoppedError

if TYPE_CHECKING:
    from prefect import Task

WORKERS: Final = 2
"""Tasks at once: more would only wait for the one writer of the database."""
SHARDS_A_TASK: Final = 8
TASKS_A_STAGE: Final = 64
"""A task costs Prefect up to 20 ms, and a call to its server that it may lose."""


@dataclass
class _Session:
    """A run in progress, found by its token, and the errors of its stages."""

    run: Run
    progress: ProgressReporter
    lock: threading.Lock = field(default_factory=threading.Lock)
    errors: list[BaseException] = field(default_factory=list)

    def do(self, stage_name: str, shards: Sequence[str]) -> None:
        stage = next(stage for stage in self.run.plan.stages if stage.name == stage_name)
        with self.noting_errors():
            run_units(self.run, stage, shards, self.advance)

    def advance(self) -> None:
        with self.lock:
            self.progress.advance()

    @contextmanager
    def noting_errors(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self.errors.append(error)
            raise


_SESSIONS: dict[str, _Session] = {}


def run_with_prefect(run: Run, progress: ProgressReporter, workers: int = WORKERS) -> None:
    """Run every stage of a plan to its end, as a Prefect flow.

    Args:
        run: The run.
        progress: Who shows how far it is.
        workers: Tasks at once.

    Raises:
        WaitingError: A gate blocks.
        MemassayError: A stage failed, or Prefect's server did; what was finished before stays
            finished.
    """
    token = uuid.uuid4().hex
    session = _SESSIONS[token] = _Session(run, progress)
    lost = Event()
    try:
        home = run.workspace.folder / "prefect"
        with heartbeat(run.workspace.store, run.owner), prefect_api(home, run.stop) as lost:
            _run_flow(run.plan.path, token, workers, lost)
    except Exception as error:
        own = isinstance(error, MemassayError) or any(error is known for known in session.errors)
        if own and not (lost.is_set() and isinstance(error, StoppedError)):
            raise
        got = "its end" if lost.is_set() else f"'{' '.join(str(error).split())}'"
        raise ServerLost(
            f"prefect: expected its server to go on, got {got}; what is finished is kept: run "
            "again, or with --runner plain, which needs no server"
        ) from error
    finally:
        del _SESSIONS[token]


def _run_flow(path: str, token: str, workers: int, lost: Event) -> None:
    from prefect import flow
    from prefect.events.worker import EventsWorker
    from prefect.task_runners import ThreadPoolTaskRunner

    runner: Any = ThreadPoolTaskRunner(max_workers=workers)
    curate = flow(name=path, task_runner=runner, retries=0, persist_result=False)(_stages)
    try:
        curate(token)
    finally:
        # What tasks did is sent to the server in the background; it must not stop before.
        if not lost.is_set():
            EventsWorker.instance().drain()


def _stages(token: str) -> None:
    session = _SESSIONS[token]
    run = session.run
    for stage in run.plan.stages:
        with session.noting_errors():
            shards = run.start(stage)
        session.progress.begin(stage.name, len(shards))
        units = _task().with_options(name=stage.name)
        # Histories that wait for models stand side by side in one task: a task costs more.
        together = [list(shards)] if run.at_once(stage) > 1 and shards else batches(shards)
        try:
            futures = [units.submit(token, stage.name, batch) for batch in together]
            for future in futures:
                future.result()
        except BaseException as error:
            # Prefect waits for its tasks; those in the middle of a history should not go on.
            run.stop(error)
            raise
        with session.noting_errors():
            counts = run.close(stage).counts
        session.progress.end(stage.name, counts)


@cache
def _task() -> "Task[[str, str, list[str]], None]":
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    return task(retries=0, persist_result=False, cache_policy=NO_CACHE)(_units)


def _units(token: str, stage: str, shards: list[str]) -> None:
    _SESSIONS[token].do(stage, shards)


def batches(shards: Sequence[str], workers: int = WORKERS) -> list[list[str]]:
    """Shards in batches of nearly equal size, in order; one batch is one task.

    Enough batches for every worker, at most 64, and otherwise about 8 shards in each.
    """
    wanted = max(-(-len(shards) // SHARDS_A_TASK), workers)
    count = min(wanted, len(shards), TASKS_A_STAGE)
    edges = [position * len(shards) // count for position in range(count + 1)] if count else []
    return [list(shards[start:end]) for start, end in itertools.pairwise(edges)]

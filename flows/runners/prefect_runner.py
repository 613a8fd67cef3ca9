"""The Prefect driver: a flow per path, a task per stage and batch of shards.

Prefect orders and shows the work; what is done, and with what result, only our store knows.
Tasks get ids as arguments and give nothing back, so that Prefect stores none of our data.
"""

import itertools
import threading
import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from memassay.flows.engine.run import Run
from memassay.flows.runners.prefect_server import has_server_of_the_user, prefect_api
from memassay.flows.runners.prefect_shown import Shown, run_name, tags_of, task_name
from memassay.flows.runners.progress import ProgressReporter
from memassay.flows.runners.side_by_side import run_units
from memassay.flows.store.leases import heartbeat
from memassay.schemas.errors import (
    BudgetError,
    MemassayError,
    ServerLost,
    StoppedError,
    WaitingError,
)

if TYPE_CHECKING:
    from prefect import Task

WORKERS: Final = 2
"""Tasks at once: more would only wait for the one writer of the database."""
SHARDS_A_TASK: Final = 8
TASKS_A_STAGE: Final = 64
"""A task costs Prefect up to 20 ms, and a call to its server that it may lose."""


@dataclass
class _Session:
    """A run in progress, found by its token, and the errors of its stages.

    Attributes:
        left: Stages that are not closed; the first may have been begun.
        todo: Units of the first of them that are to be done; None before it is begun.
        shown: Who shows it to people, if anybody looks.
    """

    run: Run
    progress: ProgressReporter
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    lock: threading.Lock = field(default_factory=threading.Lock)
    errors: list[BaseException] = field(default_factory=list)
    todo: list[str] | None = None
    units: int = 0
    shown: Shown | None = None
    waiting: WaitingError | None = None

    def __post_init__(self) -> None:
        self.left = deque(self.run.plan.stages)

    def begin(self) -> list[str]:
        """Begin the first stage that is left, unless it was; gives its units that are to do."""
        if self.todo is None:
            stage = self.left[0]
            with self.noting_errors():
                shards = self.run.start(stage)
                self.progress.begin(stage.name, len(shards))
                self.todo = self.run.keep(stage, shards)
            self.units = len(shards)
            for _ in range(self.units - len(self.todo)):
                self.advance()
        return self.todo

    def close(self) -> None:
        """Close the stage that was begun."""
        stage = self.left[0]
        kept = self.units - len(self.todo or ())
        try:
            with self.noting_errors():
                counts = self.run.close(stage).counts
            self.progress.end(stage.name, counts)
        finally:
            if self.shown is not None and stage.name in self.run.outcomes:
                self.shown.stage(stage.name, self.units, kept)
        self.left.popleft()
        self.todo = None

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
    """Run every stage of a plan to its end, as a Prefect flow; where nothing is to do, without.

    Args:
        run: The run.
        progress: Who shows how far it is.
        workers: Tasks at once.

    Raises:
        WaitingError: A gate blocks.
        MemassayError: A stage failed, or Prefect's server did; what was finished before stays
            finished.
    """
    session = _Session(run, progress)
    lost = Event()
    try:
        with heartbeat(run.workspace.store, run.owner):
            while session.left and not session.begin():
                session.close()
            if session.left:
                watched = has_server_of_the_user()
                with prefect_api(run.workspace.folder / "prefect", run.stop) as lost:
                    _run_flow(session, workers, lost, watched=watched)
    except Exception as error:
        own = isinstance(error, MemassayError) or any(error is known for known in session.errors)
        if own and not (lost.is_set() and isinstance(error, StoppedError)):
            raise
        got = "its end" if lost.is_set() else f"'{' '.join(str(error).split())}'"
        raise ServerLost(
            f"prefect: expected its server to go on, got {got}; what is finished is kept: run "
            "again, or with --runner plain, which needs no server"
        ) from error


def run_in_flow(run: Run, progress: ProgressReporter) -> None:
    """Run every stage of a plan to its end, as tasks of the flow run that this is called in.

    Raises:
        WaitingError: A gate blocks.
        MemassayError: A stage failed; what was finished before stays finished.
    """
    from prefect import tags

    session = _Session(run, progress)
    with heartbeat(run.workspace.store, run.owner), _register(session), tags(*tags_of(run.plan)):
        _drive(session, watched=True)


@contextmanager
def _register(session: _Session) -> Iterator[None]:
    _SESSIONS[session.token] = session
    try:
        yield
    finally:
        del _SESSIONS[session.token]


def _run_flow(session: _Session, workers: int, lost: Event, *, watched: bool) -> None:
    from prefect import flow, tags
    from prefect.events.worker import EventsWorker
    from prefect.task_runners import ThreadPoolTaskRunner

    plan = session.run.plan
    runner: Any = ThreadPoolTaskRunner(max_workers=workers)
    curate = flow(
        name=plan.path,
        flow_run_name=partial(run_name, plan.path, plan.name, plan.seed),
        task_runner=runner,
        retries=0,
        persist_result=False,
    )(_stages)
    try:
        with _register(session), tags(*tags_of(plan)):
            curate(session.token, watched)
    finally:
        # What tasks did is sent to the server in the background; it must not stop before.
        if not lost.is_set():
            EventsWorker.instance().drain()
    if session.waiting is not None:
        raise session.waiting


def _stages(token: str, watched: bool) -> Any:
    """The flow: a gate that waits for people is no failure, and its message says what to do."""
    session = _SESSIONS[token]
    try:
        _drive(session, watched=watched)
    except WaitingError as error:
        from prefect.states import Completed

        session.waiting = error
        return Completed(name=waiting_name(error), message=str(error))
    return None


def waiting_name(error: WaitingError) -> str:
    """Name of the state of a flow run that waits."""
    return "AwaitingBudget" if isinstance(error, BudgetError) else "AwaitingReview"


def _drive(session: _Session, *, watched: bool) -> None:
    """The stages that are left, as tasks of the flow run that this is called in.

    Args:
        session: The run.
        watched: Whether the server is one at which people look.
    """
    session.shown = Shown(session.run) if watched else None
    try:
        while session.left:
            _submit(session, session.begin())
            session.close()
    finally:
        if session.shown is not None:
            session.shown.end()


def _submit(session: _Session, shards: list[str]) -> None:
    """Have tasks do units of the stage that was begun."""
    run, stage = session.run, session.left[0]
    # Histories that wait for models stand side by side in one task: a task costs more.
    together = [shards] if run.at_once(stage) > 1 and shards else batches(shards)
    try:
        futures = [
            _task()
            .with_options(name=stage.name, task_run_name=partial(task_name, stage.name, batch))
            .submit(session.token, stage.name, batch)
            for batch in together
        ]
        for future in futures:
            future.result()
    except BaseException as error:
        # Prefect waits for its tasks; those in the middle of a history should not go on.
        run.stop(error)
        raise


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

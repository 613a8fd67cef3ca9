"""The Prefect driver: a flow per path, a task per stage and batch of shards.

Prefect orders and shows the work; what is done, and with what result, only our store knows.
Tasks get ids as arguments and give nothing back, so that Prefect stores none of our data.
"""

import itertools
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from threading import Event
from typing import TYPE_CHECKING, Any, Final

from memassay.flows.engine.run import Run
from memassay.flows.runners.dask_cluster import Cluster, is_deadly, units_of
from memassay.flows.runners.prefect_server import has_server_of_the_user, prefect_api
from memassay.flows.runners.prefect_shown import Shown, run_name, tags_of, task_name
from memassay.flows.runners.process_memory import largest_process
from memassay.flows.runners.progress import ProgressReporter, ReportLines
from memassay.flows.runners.side_by_side import run_units
from memassay.flows.store.leases import heartbeat
from memassay.flows.store.sharing import UnitDone
from memassay.schemas.errors import (
    BudgetError,
    MemassayError,
    ServerLost,
    StoppedError,
    WaitingError,
    WorkerError,
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
        units: All units of it, and `done`, those that are done.
        lines: When the log of its flow says how far it is.
        shown: Who shows it to people, if anybody looks.
        cluster: Processes elsewhere that do its units, if any do.
    """

    run: Run
    progress: ProgressReporter
    cluster: Cluster | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    lock: threading.Lock = field(default_factory=threading.Lock)
    errors: list[BaseException] = field(default_factory=list)
    todo: list[str] | None = None
    units: int = 0
    done: int = 0
    lines: ReportLines = field(default_factory=ReportLines)
    shown: Shown | None = None
    waiting: WaitingError | None = None

    def __post_init__(self) -> None:
        self.left = deque(self.run.plan.stages)
        self.run.reached.memory = largest_process

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
                self.progress.advance()
            self.done = self.units - len(self.todo)
            self.run.reached.begin(self.done)
            self.lines.begin()
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
            pace = self.run.pace()
            self.progress.advance()
            self.progress.show(pace)
            self.done += 1
            line = self.lines.line(self.left[0].name, self.done, self.units, pace)
            if line is not None and self.shown is not None:
                self.shown.log.info(line)

    def submit(self, batch: list[str]) -> "Sent":
        """Have a task do units of the stage that was begun."""
        stage = self.left[0]
        named = partial(task_name, stage.name, batch)
        options: dict[str, Any] = {"name": stage.name, "task_run_name": named}
        if self.cluster is None:
            task = _task().with_options(**options)
            return Sent(batch, task.submit(self.token, stage.name, batch))
        made = self.run.workspace.store.was_made if self.run.ran_before else lambda *_: False
        counted = [UnitDone(stage.name, one, made(stage.name, one)) for one in batch]
        units = units_of(self.run.message(stage, batch))
        elsewhere = _task_elsewhere().with_options(**options)
        return Sent(batch, elsewhere.submit(self.cluster.work, units), counted)

    def settle(self, sent: "Sent") -> None:
        """Wait for a task; what a cluster did is found in the store, and the rest done here."""
        if self.cluster is None:
            sent.future.result()
            return
        stage = self.left[0]
        try:
            error = sent.future.result(raise_on_failure=False)
        except Exception as lost:  # noqa: BLE001 - a cluster that is lost costs time alone
            error = lost
        if isinstance(error, MemassayError):
            raise error
        if error is not None and is_deadly(error):
            raise WorkerError(
                f"{', '.join(sent.batch)}: expected stage {stage.name} to make it, got workers of "
                "the cluster that end; look at their memory, or run with --runner plain"
            )
        before = self.run.made[stage.name]
        self.do(stage.name, sent.batch)
        if error is None and self.run.made[stage.name] == before:
            for one in sent.counted:
                self.run.note(one)

    @contextmanager
    def noting_errors(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self.errors.append(error)
            raise


_SESSIONS: dict[str, _Session] = {}


@dataclass(frozen=True)
class Sent:
    """A task under way.

    Attributes:
        batch: Its units.
        future: What Prefect gave for it.
        counted: What to count for each of them, if it does them elsewhere.
    """

    batch: list[str]
    future: Any
    counted: Sequence[UnitDone] = ()


def run_with_prefect(
    run: Run, progress: ProgressReporter, workers: int = WORKERS, cluster: Cluster | None = None
) -> None:
    """Run every stage of a plan to its end, as a Prefect flow; where nothing is to do, without.

    Args:
        run: The run.
        progress: Who shows how far it is.
        workers: Tasks at once.
        cluster: Processes that do the units in its place, wherever they are.

    Raises:
        WaitingError: A gate blocks.
        MemassayError: A stage failed, or Prefect's server did; what was finished before stays
            finished.
    """
    session = _Session(run, progress, cluster)
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
    threads: Any = ThreadPoolTaskRunner(max_workers=workers)
    runner = threads if session.cluster is None else session.cluster.runner
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
        if session.cluster is not None:
            session.cluster.end()
        if session.shown is not None:
            session.shown.end()


def _submit(session: _Session, shards: list[str]) -> None:
    """Have tasks do units of the stage that was begun."""
    run, stage = session.run, session.left[0]
    # Histories that wait for models stand side by side in one task: a task costs more.
    if session.cluster is not None and len(shards) <= 1:
        # A release, say, is written where the run is.
        session.do(stage.name, shards)
        return
    many = WORKERS if session.cluster is None else TASKS_A_STAGE
    together = [shards] if run.at_once(stage) > 1 and shards else batches(shards, many)
    try:
        for sent in [session.submit(batch) for batch in together]:
            session.settle(sent)
    except BaseException as error:
        # Prefect waits for its tasks; those in the middle of a history should not go on.
        run.stop(error)
        raise


@cache
def _task() -> "Task[[str, str, list[str]], None]":
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    return task(retries=0, persist_result=False, cache_policy=NO_CACHE)(_units)


@cache
def _task_elsewhere() -> "Task[[Callable[[bytes], None], bytes], None]":
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    return task(retries=0, persist_result=False, cache_policy=NO_CACHE)(_units_elsewhere)


def _units_elsewhere(work: Callable[[bytes], None], units: bytes) -> None:
    work(units)


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

"""Resumes a recipe when people have decided what its gates asked.

`resume` looks once: while items of the run wait, or nothing was decided since it was last resumed
here, it does nothing. `watch` serves the recipe as a Prefect deployment, looks at an interval, and
has Prefect run the deployment when there is something to do. What was decided is recognised by a
hash in the workspace; should that be lost, the recipe runs once more and makes nothing again.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy.exc import DatabaseError

from memassay.annotation.voting.queue_reader import QueueReader
from memassay.flows.engine.interrupts import defer_interrupts, raise_if_asked_to_end
from memassay.flows.runners.prefect_server import prefect_api
from memassay.flows.runners.progress import progress_for_terminal
from memassay.flows.services.runs import run_recipe
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.places.address import Place, address_text, folder_of
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.schemas.errors import (
    BudgetError,
    MemassayError,
    ServerLost,
    Terminated,
    UsageError,
    WaitingError,
)
from memassay.schemas.hashing import content_hash, file_sha256

if TYPE_CHECKING:
    from uuid import UUID

    from prefect.client.schemas.objects import FlowRun

NAME: Final = "resume-when-decided"
"""Name of the flow and of its deployment."""
_ENDING_SECONDS: Final = 4.0
_STEP_SECONDS: Final = 0.5
PLACE: Final = "MEMASSAY_WATCHED"
"""Environment variable that tells the process which workspace: no list of processes shows it, and
Prefect keeps it nowhere."""
_SERVE: Final = """
import os, signal, sys
signal.signal(signal.SIGINT, lambda *_: os._exit(130))
from memassay.flows.services import watch_flow
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    watch_flow.serve(*sys.argv[1:])
except KeyboardInterrupt:
    sys.exit(130)
"""
"""The program that serves the deployment; while it imports, too, Ctrl-C ends it in silence.

What is being imported can turn an interrupt into an error of its own, so none is raised there.
"""
STOPPED: Final = "its budget stopped it; raise `budget` in the recipe, and it goes on"


@dataclass(frozen=True)
class Looked:
    """What a look at the queue gave.

    Attributes:
        state: `waiting` for people, `idle` as nothing was decided since, `due`, `resumed`, or
            `stopped` by the budget of the recipe, which is as it was then.
        waiting: Items that wait, before or after the run.
        decided: Hash of all that was decided, where nothing waits.
        release: Folder of the release, if the run made one.
    """

    state: str
    waiting: int
    decided: str = ""
    release: str = ""


def resume(recipe: Path, place: Place, runner: str = "plain") -> Looked:
    """Run a recipe again if people have decided all that it asked, and something since.

    Args:
        recipe: The recipe; it was run in the workspace before.
        place: The workspace.
        runner: Who drives the stages.

    Raises:
        UsageError: Recipe or workspace cannot be used, or the recipe was never run.
    """
    before = _look(recipe, place)
    if before.state != "due":
        return before
    release, state, followed = "", "resumed", before.decided
    budget = _stop(before.decided, recipe)
    try:
        release = run_recipe(recipe, place, progress_for_terminal(), runner=runner).release
    except BudgetError:
        state, followed = "stopped", budget
    except WaitingError:
        pass
    mark = _mark(recipe, place)
    mark.parent.mkdir(exist_ok=True)
    write_durably(mark, followed.encode())
    with open_workspace(place) as workspace:
        return Looked(state, _waiting(workspace, recipe.stem), release=release)


def _look(recipe: Path, place: Place) -> Looked:
    with open_workspace(place) as workspace:
        if recipe.stem not in workspace.store.progress():
            raise UsageError(
                f"{recipe}: expected a recipe that was run in {place}; `memassay run` it first"
            )
        waiting = _waiting(workspace, recipe.stem)
        if waiting:
            return Looked("waiting", waiting)
        # Taken before the run: what is decided meanwhile is new at the next look.
        decided = _decisions_hash(workspace, recipe.stem)
    mark = _mark(recipe, place)
    known = mark.read_text(encoding="utf-8") if mark.is_file() else _hash([], [])
    states = {decided: "idle", _stop(decided, recipe): "stopped"}
    return Looked(states.get(known, "due"), 0, decided)


def _stop(decided: str, recipe: Path) -> str:
    """What is marked where the budget of a recipe stopped it: another recipe is tried again."""
    return content_hash([decided, file_sha256(recipe)])


def _mark(recipe: Path, place: Place) -> Path:
    return folder_of(place) / "resumed" / f"{recipe.stem}.sha256"


def _waiting(workspace: Workspace, run: str) -> int:
    return QueueReader(workspace.queue.engine).waiting(run)


def _decisions_hash(workspace: Workspace, run: str) -> str:
    """A hash of all that people decided and wrote for a run."""
    return _hash(*QueueReader(workspace.queue.engine).decisions_and_edits(run))


def _hash(*parts: Sequence[Iterable[Any]]) -> str:
    return content_hash([[list(row) for row in part] for part in parts])


def watch(recipe: Path, place: Place, seconds: float) -> None:
    """Serve the recipe as a Prefect deployment, and run that when its queue has drained.

    The queue is looked at here every so many seconds; only where there is something to do a flow
    run is asked for, which Prefect shows. Prefect's own schedules are not used: its scheduler
    does not run with SQLAlchemy 2.1. Prefect's server is the one that `PREFECT_API_URL` names,
    else one of our own that lives as long as this. Ctrl-C is how it ends.

    Args:
        recipe: The recipe; it was run in the workspace before.
        place: The workspace.
        seconds: Between two looks.

    Raises:
        UsageError: Recipe or workspace cannot be used, or the recipe was never run.
        ServerLost: Our server ended.
        MemassayError: Our server did not start, or what serves the deployment ended.
        Terminated: SIGTERM ended it.
    """
    _look(recipe, place)
    try:
        with prefect_api(folder_of(place) / "prefect") as lost, _serve(recipe, place) as serving:
            follower = Follower(recipe, place)
            while True:
                # Within a connection that is closed, or a call of Prefect's, it would be swallowed.
                with defer_interrupts():
                    follower.follow(seconds)
                _pause(seconds, lost, serving)
    except Terminated:
        raise
    except KeyboardInterrupt:
        return


@contextmanager
def _serve(recipe: Path, place: Place) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that serves the deployment, and ends with the block within seconds.

    Prefect's runner takes Ctrl-C in many ways, and has flow runs of its own to end; here its
    processes are a group, which is asked to end and then killed. What a killed flow run had begun,
    the next one does again.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(recipe.resolve())],
        env={**os.environ, PLACE: address_text(place)},
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        for number in (signal.SIGINT, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_ENDING_SECONDS)


def _pause(seconds: float, lost: threading.Event, serving: "subprocess.Popen[bytes]") -> None:
    """Wait until the next look is due.

    Raises:
        MemassayError: Nobody serves the deployment any more.
    """
    due = time.monotonic() + seconds
    while (left := due - time.monotonic()) > 0:
        raise_if_asked_to_end()
        if lost.wait(min(left, _STEP_SECONDS)):
            raise ServerLost("prefect: expected its server to go on, got its end; watch again")
        if serving.poll() is not None:
            raise MemassayError(
                "prefect: expected the deployment to be served, got exit code "
                f"{serving.returncode} of the process that does; watch again"
            )


class Follower:
    """Asks for a run of the deployment whenever the queue has drained."""

    def __init__(self, recipe: Path, place: Place) -> None:
        """Follow a recipe in a workspace."""
        self.recipe = recipe
        self.place = place
        self._run: UUID | None = None

    def follow(self, seconds: float) -> None:
        """Look once; one that fails, as when a database does not answer, is only reported."""
        from httpx import HTTPError
        from prefect.exceptions import PrefectException

        try:
            self.look()
        except (MemassayError, DatabaseError, OSError, HTTPError, PrefectException) as error:
            sys.stderr.write(f"{self.recipe}: {error}; looked at again in {seconds:g} s\n")

    def look(self) -> None:
        """Ask for a flow run if there is something to do and none is under way."""
        from prefect.deployments import run_deployment
        from prefect.exceptions import ObjectNotFound

        looked = _look(self.recipe, self.place)
        if looked.state == "stopped":
            sys.stderr.write(f"{self.recipe}: {STOPPED}\n")
        if looked.state != "due" or self._is_under_way():
            return
        # Served a moment later than looked at, it is there at the next look.
        with suppress(ObjectNotFound):
            # Not waited for: this look must not outlive the server.
            asked = run_deployment(f"{NAME}/{self.recipe.stem}", timeout=0)
            self._run = cast("FlowRun", asked).id

    def _is_under_way(self) -> bool:
        """Whether the flow run that was asked for last has not ended."""
        from prefect.client.orchestration import get_client

        if self._run is None:
            return False
        with get_client(sync_client=True) as client:
            state = client.read_flow_run(self._run).state
        return state is None or not state.is_final()

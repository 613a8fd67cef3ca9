"""Resumes a recipe when people have decided what its gates asked.

`resume` looks once: while items of the run wait, or nothing was decided since it was last resumed
here, it does nothing. `watch` serves the recipe as a Prefect deployment, looks at an interval, and
has Prefect run the deployment when there is something to do. What was decided is told apart by a
hash in the workspace; should that be lost, the recipe runs once more and makes nothing anew.
"""

import contextlib
import sys
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.exc import DatabaseError

from memassay.annotation.storage.tables import EDITS, ITEMS
from memassay.flows.runners.prefect_server import prefect_api
from memassay.flows.runners.progress import progress_for_terminal
from memassay.flows.services.runs import open_workspace, run_recipe
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.tables import reading
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import BudgetError, MemassayError, UsageError, WaitingError
from memassay.schemas.hashing import content_hash, file_sha256

NAME: Final = "resume-when-decided"
"""Name of the flow and of its deployment."""
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


def resume(recipe: Path, folder: Path, runner: str = "plain") -> Looked:
    """Run a recipe again if people have decided all that it asked, and something since.

    Args:
        recipe: The recipe; it was run in the workspace before.
        folder: The workspace.
        runner: Who drives the stages.

    Raises:
        UsageError: Recipe or workspace cannot be used, or the recipe was never run.
    """
    before = _look(recipe, folder)
    if before.state != "due":
        return before
    release, state, followed = "", "resumed", before.decided
    budget = _stop(before.decided, recipe)
    try:
        release = run_recipe(recipe, folder, progress_for_terminal(), runner=runner).release
    except BudgetError:
        state, followed = "stopped", budget
    except WaitingError:
        pass
    mark = _mark(recipe, folder)
    mark.parent.mkdir(exist_ok=True)
    write_durably(mark, followed.encode())
    with open_workspace(folder) as workspace:
        return Looked(state, _waiting(workspace, recipe.stem), release=release)


def _look(recipe: Path, folder: Path) -> Looked:
    with open_workspace(folder) as workspace:
        if recipe.stem not in workspace.store.progress():
            raise UsageError(
                f"{recipe}: expected a recipe that was run in {folder}; `memassay run` it first"
            )
        waiting = _waiting(workspace, recipe.stem)
        if waiting:
            return Looked("waiting", waiting)
        # Taken before the run: what is decided meanwhile is new at the next look.
        decided = _decided(workspace, recipe.stem)
    mark = _mark(recipe, folder)
    known = mark.read_text(encoding="utf-8") if mark.is_file() else _hash([], [])
    states = {decided: "idle", _stop(decided, recipe): "stopped"}
    return Looked(states.get(known, "due"), 0, decided)


def _stop(decided: str, recipe: Path) -> str:
    """What is marked where the budget of a recipe stopped it: another recipe is tried again."""
    return content_hash([decided, file_sha256(recipe)])


def _mark(recipe: Path, folder: Path) -> Path:
    return folder / "resumed" / f"{recipe.stem}.sha256"


def _waiting(workspace: Workspace, run: str) -> int:
    query = select(func.count()).where(ITEMS.c.run == run, ITEMS.c.state.in_(("open", "disputed")))
    with reading(workspace.queue.engine) as connection:
        return int(connection.execute(query).scalar_one())


def _decided(workspace: Workspace, run: str) -> str:
    """A hash of all that people decided and wrote for a run."""
    decisions = select(ITEMS.c.id, ITEMS.c.decision).where(
        ITEMS.c.run == run, ITEMS.c.state == "decided"
    )
    edits = select(EDITS.c.id, EDITS.c.document).where(EDITS.c.run == run, EDITS.c.active)
    with reading(workspace.queue.engine) as connection:
        decided = connection.execute(decisions.order_by(ITEMS.c.id)).all()
        written = connection.execute(edits.order_by(EDITS.c.number)).all()
    return _hash(decided, written)


def _hash(*parts: Sequence[Iterable[Any]]) -> str:
    return content_hash([[list(row) for row in part] for part in parts])


def watch(recipe: Path, folder: Path, seconds: float) -> None:
    """Serve the recipe as a Prefect deployment, and run that when its queue has drained.

    The queue is looked at here every so many seconds; only where there is something to do a flow
    run is asked for, which Prefect shows. Prefect's own schedules are not used: its scheduler
    does not run with SQLAlchemy 2.1. Prefect's server is the one that `PREFECT_API_URL` names,
    else one of our own that lives as long as this.

    Args:
        recipe: The recipe; it was run in the workspace before.
        folder: The workspace.
        seconds: Between two looks.

    Raises:
        UsageError: Recipe or workspace cannot be used, or the recipe was never run.
        MemassayError: Our server did not start.
    """
    _look(recipe, folder)
    with prefect_api(folder / "prefect"):
        from prefect.types.entrypoint import EntrypointType

        from memassay.flows.services.watch_flow import resume_when_decided

        ended = threading.Event()
        poll = threading.Thread(target=_poll, args=(recipe, folder, seconds, ended), daemon=True)
        poll.start()
        try:
            resume_when_decided.serve(
                name=recipe.stem,
                parameters={"recipe": str(recipe.resolve()), "folder": str(folder.resolve())},
                limit=1,
                print_starting_message=False,
                entrypoint_type=EntrypointType.MODULE_PATH,
            )
        finally:
            ended.set()


def _poll(recipe: Path, folder: Path, seconds: float, ended: threading.Event) -> None:
    """Ask for a run of the deployment whenever the queue has drained, until told to end.

    A look that fails, as when a database or Prefect's server does not answer, is told of on
    standard error, and the next one is taken in its time.
    """
    from httpx import HTTPError
    from prefect.exceptions import PrefectException

    while not ended.wait(seconds):
        try:
            _follow(recipe, folder)
        except (MemassayError, DatabaseError, OSError, HTTPError, PrefectException) as error:
            sys.stderr.write(f"{recipe}: {error}; looked at again in {seconds:g} s\n")


def _follow(recipe: Path, folder: Path) -> None:
    from prefect.deployments import run_deployment
    from prefect.exceptions import ObjectNotFound

    looked = _look(recipe, folder)
    if looked.state == "stopped":
        sys.stderr.write(f"{recipe}: {STOPPED}\n")
    if looked.state != "due":
        return
    # Served a moment later than looked at, it is there at the next look.
    with contextlib.suppress(ObjectNotFound):
        run_deployment(f"{NAME}/{recipe.stem}", poll_interval=2.0)

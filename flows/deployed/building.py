"""The flow that builds a data set, and one for each path: ordinary flows with typed parameters.

Prefect may load this file by its path, a second time beside the module: it keeps no state. The
flows are re-entrant, as every run is: one that waits for people is resumed by running it again.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, cast
from uuid import UUID

from prefect import Flow, flow, get_client
from prefect.exceptions import Abort, Pause
from prefect.runtime import flow_run
from prefect.states import Completed, Paused
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.engine import propose_state_sync
from pydantic import Field

from memassay.flows.recipes.loading import load_recipe
from memassay.flows.recipes.registry import PATHS
from memassay.flows.runners.prefect_runner import WORKERS, run_in_flow, waiting_name
from memassay.flows.runners.prefect_shown import run_name, show_release
from memassay.flows.runners.progress import SilentProgress
from memassay.flows.services.runs import run_recipe
from memassay.flows.services.starting import find_recipe
from memassay.schemas.base import Shape
from memassay.schemas.errors import MemassayError, UsageError, WaitingError

Recipe = Annotated[str, Field(description="File of a recipe, or the name of one that ships.")]
Seed = Annotated[int | None, Field(ge=0, description="In place of the seed of the recipe.")]
Workspace = Annotated[str, Field(description="Folder where runs live; made if it is not there.")]


class Built(Shape):
    """What a run of the flow gave."""

    release: Annotated[str, Field(description="Folder of the release; empty while it waits.")] = ""
    contact_sheet: Annotated[str, Field(description="Page with samples to look at.")] = ""
    questions: int = 0
    held_out: int = 0
    waiting: Annotated[str, Field(description="What it waits for; empty if it is done.")] = ""


def _name() -> str:
    """Name of a flow run; what is wrong with its recipe, the run itself says."""
    given: dict[str, Any] = flow_run.parameters
    try:
        path = find_recipe(given["recipe"])
        recipe = load_recipe(path)
    except MemassayError:
        return str(given["recipe"])
    seed = recipe.seed if given.get("seed") is None else given["seed"]
    return run_name(recipe.path, path.stem, seed)


_OPTIONS: Final[dict[str, Any]] = {
    "flow_run_name": _name,
    "task_runner": ThreadPoolTaskRunner(max_workers=WORKERS),
    "retries": 0,
    "persist_result": False,
}


@flow(name="build-dataset", **_OPTIONS)
def build_dataset(recipe: Recipe, seed: Seed = None, workspace: Workspace = "workspace") -> Built:
    """Build a data set, or go on with one: a task for each stage and batch of conversations.

    A flow run that waits for people or budget is paused if it is of a deployment: resume it
    when they have decided. Any other completes as `AwaitingReview` or `AwaitingBudget`.

    Args:
        recipe: File of a recipe, or the name of one that ships with memassay.
        seed: In place of the seed of the recipe.
        workspace: Folder where runs live; it is made if it is not there.

    Raises:
        UsageError: Recipe, sources or workspace cannot be used.
    """
    return _completion(find_recipe(recipe), seed, workspace)


def _flow_of(path: str) -> Flow[..., Any]:
    """The flow of one path, which takes recipes of that path alone."""

    def build(recipe: Recipe, seed: Seed = None, workspace: Workspace = "workspace") -> Built:
        file = find_recipe(recipe)
        got = load_recipe(file).path
        if got != path:
            raise UsageError(f"{recipe}: expected a recipe of path {path}, got {got}; see its flow")
        return _completion(file, seed, workspace)

    build.__name__ = build.__qualname__ = flow_name(path)
    build.__doc__ = f"Build a data set with a recipe of the path {path}, or go on with one."
    return flow(name=build.__name__.replace("_", "-"), **_OPTIONS)(build)


def flow_name(path: str) -> str:
    """Name in Python of the flow of a path."""
    return f"build_{path.replace('-', '_')}"


FLOWS: Final[Mapping[str, Flow[..., Any]]] = {
    "build_dataset": build_dataset,
    **{flow_name(path): _flow_of(path) for path in sorted(PATHS)},
}
"""Flows by their names in Python."""
globals().update(FLOWS)


def _completion(recipe: Path, seed: int | None, workspace: str) -> Built:
    try:
        report = run_recipe(
            recipe, Path(workspace), SilentProgress(), seed=seed, runner=run_in_flow
        )
    except WaitingError as error:
        return _wait(error)
    show_release(recipe.stem, report.release, report.contact_sheet)
    built = Built(
        release=report.release,
        contact_sheet=report.contact_sheet,
        questions=report.questions,
        held_out=len(report.held_out),
    )
    said = f"{report.questions} questions released, {len(report.held_out)} held out"
    # What a flow returns as a state is what its caller gets the data of.
    return cast(Built, Completed(message=said, data=built))


def _wait(error: WaitingError) -> Built:
    """Pause the flow run, so that people can resume it; one of no deployment cannot be paused.

    Raises:
        Pause: It is paused, and its process ends.
    """
    name, waiting = waiting_name(error), str(error)
    paused: Any = Paused(name=name, message=f"{waiting}; or resume this flow run", reschedule=True)
    with get_client(sync_client=True) as client:
        try:
            state = propose_state_sync(client, paused, UUID(flow_run.id))
        except Abort:
            return cast(Built, Completed(name=name, message=waiting, data=Built(waiting=waiting)))
    raise Pause(state=state)

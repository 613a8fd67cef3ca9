"""The flow that builds a data set, and one for each path: ordinary flows with typed parameters.

Prefect may load this file by its path, a second time beside the module: it keeps no state. The
flows are re-entrant, as every run is: one that waits for people is resumed by running it again.
"""

import inspect
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, cast
from uuid import UUID

from prefect import Flow, flow, get_client
from prefect.exceptions import Abort, Pause
from prefect.runtime import flow_run
from prefect.states import Completed, Paused
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.engine import propose_state_sync
from pydantic import BaseModel, Field, create_model

from memassay.flows.deployed.failures import try_again
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.recipes.registry import PATHS
from memassay.flows.runners.prefect_runner import WORKERS, run_in_flow, waiting_name
from memassay.flows.runners.prefect_shown import run_name, show_release
from memassay.flows.runners.progress import SilentProgress
from memassay.flows.services.runs import run_recipe
from memassay.flows.services.starting import find_recipe
from memassay.flows.store.places.address import place_of
from memassay.schemas.base import Shape
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.errors import MemassayError, UsageError, WaitingError

Seed = Annotated[int | None, Field(ge=0)]
Budget = Annotated[float | None, Field(gt=0)]
_IN_SOME: Final = ("budget", "sizes")
"""Parameters that are keys of a recipe on some paths only."""


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
def build_dataset(
    recipe: str,
    seed: Seed = None,
    workspace: str = "workspace",
    version: str | None = None,
    budget: Budget = None,
    sizes: dict[str, float] | None = None,
) -> Built:
    """Build a data set, or go on with one: a task for each stage and batch of conversations.

    A flow run that waits for people or budget is paused if it is of a deployment: resume it
    when they have decided. Any other completes as `AwaitingReview` or `AwaitingBudget`. Where a
    model's server answers nobody, the run is tried again; for another failure it is not.

    Args:
        recipe: File of a recipe, or the name of one that ships with memassay.
        seed: In place of the seed of the recipe.
        workspace: Where runs live, a folder or a database's URL; it is made if it is not there.
        version: In place of the version of the release.
        budget: In place of the recipe's: most US dollars that models may cost.
        sizes: In place of those of the recipe, by name.

    Raises:
        UsageError: Recipe, sources or workspace cannot be used.
    """
    return _completion(recipe, workspace, _changes(seed, version, budget, sizes))


def _flow_of(path: str) -> Flow[..., Any]:
    """The flow of one path, which takes recipes of that path alone."""

    def build(
        recipe: str,
        seed: int | None = None,
        workspace: str = "workspace",
        version: str | None = None,
        budget: float | None = None,
        sizes: Any = None,
    ) -> Built:
        return _completion(recipe, workspace, _changes(seed, version, budget, sizes), path)

    build.__name__ = build.__qualname__ = flow_name(path)
    # Prefect's form explains parameters as the docstring does.
    _, _, rest = str(inspect.getdoc(build_dataset.fn)).partition("\n")
    build.__doc__ = f"Build a data set with a recipe of the path {path}, or go on with one.\n{rest}"
    vars(build)["__signature__"] = _form(PATHS[path].recipe)
    return flow(name=build.__name__.replace("_", "-"), **_OPTIONS)(build)


def _form(recipe: type[PathRecipe]) -> inspect.Signature:
    """The parameters of a path's flow, of which Prefect makes a form: those its recipes have."""
    keys = recipe.model_fields
    signature = inspect.signature(build_dataset.fn)
    kept = []
    for one in signature.parameters.values():
        if one.name in _IN_SOME and one.name not in keys:
            continue
        if one.name == "sizes":
            one = one.replace(annotation=_all_optional(keys["sizes"].annotation) | None)
        kept.append(one)
    return signature.replace(parameters=kept)


def _all_optional(section: Any) -> Any:
    """A section of which nothing needs to be filled in: what is not is the recipe's.

    The form would send the defaults of the section itself in place of what the recipe says.
    """
    fields: dict[str, Any] = {
        name: (
            Annotated[field.annotation, *field.metadata] | None,
            Field(default=None, description=field.description),
        )
        for name, field in section.model_fields.items()
    }
    return create_model("Sizes", **fields)


def flow_name(path: str) -> str:
    """Name in Python of the flow of a path."""
    return f"build_{path.replace('-', '_')}"


BUILD_FLOWS: Final[Mapping[str, Flow[..., Any]]] = {
    "build_dataset": build_dataset,
    **{flow_name(path): _flow_of(path) for path in sorted(PATHS)},
}
"""Flows by their names in Python."""
globals().update(BUILD_FLOWS)


def _changes(
    seed: int | None, version: str | None, budget: float | None, sizes: Any
) -> dict[str, Any]:
    """What a recipe says otherwise; of sizes, those that were filled in."""
    if isinstance(sizes, BaseModel):
        sizes = sizes.model_dump(exclude_none=True)
    release = None if version is None else {"version": version}
    given = {"seed": seed, "release": release, "budget": budget, "sizes": sizes}
    return {key: value for key, value in given.items() if value is not None}


def _completion(
    recipe: str, workspace: str, changes: Mapping[str, Any], only: str | None = None
) -> Built:
    """Run a recipe to its end, or until it waits for people.

    Args:
        recipe: File, or name of one that ships.
        workspace: Folder of the run.
        changes: What the recipe says otherwise.
        only: The path that it must be of; None for any.
    """
    file = find_recipe(recipe)
    if only is not None and (got := load_recipe(file).path) != only:
        raise UsageError(f"{recipe}: expected a recipe of path {only}, got {got}; see its flow")
    run = partial(
        run_recipe, file, place_of(workspace), SilentProgress(), changes=changes, runner=run_in_flow
    )
    try:
        report = try_again(run)
    except WaitingError as error:
        return _wait(error)
    show_release(file.stem, Path(report.release), report.contact_sheet)
    built = Built(
        release=report.release,
        contact_sheet=report.contact_sheet,
        questions=report.questions,
        held_out=len(report.held_out),
    )
    summary = f"{report.questions} questions released, {len(report.held_out)} held out"
    # What a flow returns as a state is what its caller gets the data of.
    return cast(Built, Completed(message=summary, data=built))


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

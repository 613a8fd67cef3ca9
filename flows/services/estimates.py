"""`memassay run --estimate`: what a recipe's models will cost, before any is asked."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, Field

from memassay.flows.calls.payments import cost_of, load_prices
from memassay.flows.engine.context import UnitContext
from memassay.flows.engine.run import Run
from memassay.flows.engine.units import Plan
from memassay.flows.recipes.plans import lives_of, setting_of
from memassay.flows.recipes.registry import PATHS
from memassay.flows.runners.plain_runner import run_plain
from memassay.flows.runners.progress import SilentProgress
from memassay.flows.services.models import dollars_of
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.leases import Owner
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.base import Shape
from memassay.schemas.contracts.author_sections import Writing
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import CallTrace, Usage
from memassay.schemas.contracts.paths import Estimate, Tally
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.errors import UsageError
from memassay.synth.lives.estimate import ASSUMED, RANGE, LifeStandIn
from memassay.synth.tallies import Tallies

Response = TypeVar("Response", bound=BaseModel)
Item = TypeVar("Item")
Result = TypeVar("Result")

_VERDICT: Final = 25
"""Tokens in which a judge names the best of several drafts (our choice)."""


class EstimateRow(Shape):
    """What one role will cost."""

    role: str
    model: str
    calls: int
    input: Annotated[
        int, Field(description="Tokens read: 4 characters each; images by size if known, else 500.")
    ]
    output: Annotated[int, Field(description="Tokens written.")]
    images: int
    dollars: Annotated[str | None, Field(description="None for a model without a price.")]


class EstimateReport(Shape):
    """What a recipe will cost; calls that are cached already are counted too."""

    rows: list[EstimateRow]
    dollars: str
    least: Annotated[str, Field(description="Dollars: the lower end of the range.")]
    most: Annotated[str, Field(description="Dollars: the upper end of the range.")]
    assumed: Annotated[str, Field(description="What it takes for granted, in words.")]


def estimate(recipe: PathRecipe, folder: Path) -> EstimateReport:
    """Tally what the models of a recipe would be asked, and price it.

    Raises:
        UsageError: The recipe asks no model, or a persona cannot be found.
    """
    writing = recipe.writing
    with tempfile.TemporaryDirectory() as scratch:
        parts = list(_parts(recipe, folder, Path(scratch))) if writing is not None else []
    if writing is None or not parts:
        raise UsageError("--estimate: expected a recipe with a language model as author or reader")
    tallies = Tallies()
    for part in parts:
        tallies.add(Tallies(dict(part.by_role)))
    either_way = max(part.either_way for part in parts)
    assumed = "; ".join(part.assumed for part in parts)
    return _report(writing, folder, Estimate(tallies.by_role, either_way, assumed))


def _parts(recipe: PathRecipe, folder: Path, scratch: Path) -> Iterator[Estimate]:
    """What its path asks of models, after the path of the recipe inside it; then, of its lives."""
    blobs = BlobFolder(scratch / "blobs")
    setting = setting_of(folder, scratch, recipe.copies)

    def open_context(stage: str, shard: str) -> UnitContext:
        return UnitContext(recipe.seed, stage, shard, blobs)

    for one in (recipe.before, recipe):
        tally = PATHS[one.path].estimate if one is not None else None
        if tally is not None and one is not None and one.writing is not None:
            part = tally(one, setting, open_context)
            if part.by_role:
                yield part
    if recipe.cluster is not None:
        yield _life_estimate(recipe, folder, scratch / "lives")


class _StandInAuthors:
    """Authors of a run of which each reply is a placeholder."""

    def __init__(self) -> None:
        self.author = LifeStandIn()

    async def write(self, task: Task[Response], _trace: CallTrace) -> Response:
        return self.author.write(task)

    def run(self, work: Any) -> Any:
        return asyncio.run(work)

    def each(
        self, items: Iterable[Item], work: Callable[[Item], Awaitable[Result]]
    ) -> Iterator[Result]:
        async def finish(item: Item) -> Result:
            return await work(item)

        return (asyncio.run(finish(item)) for item in items)

    def settle(self, stage: str) -> None:
        """Nobody is asked."""

    def stop(self, *, soon: bool = False) -> None:
        """Nothing is under way."""


def _life_estimate(recipe: PathRecipe, folder: Path, scratch: Path) -> Estimate:
    """What models are asked for the lives of a recipe that has a section `cluster`.

    The stages run as they will, over dialogues of the simulator where models are to write them, and
    a stand-in replies.

    Args:
        recipe: With a language model as author.
        folder: What its paths are relative to.
        scratch: A folder for a workspace that is thrown away.

    Raises:
        RecipeError: No dialogues belong together.
    """
    authors = _StandInAuthors()
    with open_workspace(scratch, create=True) as workspace:
        stages = lives_of(recipe, setting_of(folder, workspace.folder, recipe.copies))
        owner = Owner(workspace.owners)
        try:
            run = Run(workspace, Plan("estimate", recipe.seed, list(stages)), owner, authors)
            run_plain(run, SilentProgress())
        finally:
            owner.close()
    return Estimate(authors.author.tallies.by_role, RANGE, ASSUMED)


def _by_model(writing: Writing, by_role: Mapping[str, Tally]) -> dict[tuple[str, str], Tally]:
    """What each model is asked in each role, where some tasks are drawn several times and judged.

    A judge is shown the request with all drafts, and says in a sentence which is best.
    """
    rows: dict[tuple[str, str], Tally] = {}

    def count(role: str, model: str, *numbers: int) -> None:
        total = rows.setdefault((role, model), Tally())
        for name, number in zip(vars(total), numbers, strict=True):
            setattr(total, name, getattr(total, name) + number)

    for role, tally in by_role.items():
        best_of, models, samples = writing.best_of, [writing.models[role]], 1
        if best_of is not None and role in best_of.roles:
            models, samples = [*models, *best_of.models], best_of.samples
        for one in models:
            count(role, one.model, *(samples * number for number in vars(tally).values()))
        drafts = samples * len(models)
        if best_of is not None and best_of.by == "judge" and drafts > 1:
            read, said = tally.input + drafts * tally.output, _VERDICT * tally.calls
            count("judge", writing.models["judge"].model, tally.calls, read, said, tally.images)
    return dict(sorted(rows.items()))


def _report(writing: Writing, folder: Path, estimated: Estimate) -> EstimateReport:
    prices = load_prices(folder, writing.prices)
    rows: list[EstimateRow] = []
    total = 0
    for (role, model), tally in _by_model(writing, estimated.by_role).items():
        usage = Usage(input=tally.input, output=tally.output, images=tally.images)
        cost = cost_of(usage, model, prices)
        total += cost or 0
        rows.append(
            EstimateRow(
                role=role,
                model=model,
                **vars(tally),
                dollars=None if cost is None else dollars_of(cost),
            )
        )
    either_way = int(total * estimated.either_way)
    return EstimateReport(
        rows=rows,
        dollars=dollars_of(total),
        least=dollars_of(total - either_way),
        most=dollars_of(total + either_way),
        assumed=estimated.assumed,
    )

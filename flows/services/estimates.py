"""`memassay run --estimate`: what a recipe's models will cost, before any is asked."""

import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import Field

from memassay.flows.calls.payments import cost_of, load_prices
from memassay.flows.engine.context import UnitContext
from memassay.flows.recipes.plans import setting_of
from memassay.flows.recipes.registry import PATHS
from memassay.flows.services.models import dollars_of
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Shape
from memassay.schemas.contracts.calls import Usage
from memassay.schemas.contracts.paths import Estimate
from memassay.schemas.contracts.recipes import PathRecipe, Writing
from memassay.schemas.errors import UsageError


class EstimateRow(Shape):
    """What one role will cost."""

    role: str
    model: str
    calls: int
    input: Annotated[int, Field(description="Tokens read: 4 characters each, 500 an image.")]
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
    writing, tally = recipe.writing, PATHS[recipe.path].estimate
    if writing is None or tally is None:
        raise UsageError("--estimate: expected a recipe with a language model as author")
    with tempfile.TemporaryDirectory() as scratch:
        blobs = BlobFolder(Path(scratch))
        setting = setting_of(folder, Path(scratch))
        estimated = tally(
            recipe, setting, lambda stage, shard: UnitContext(recipe.seed, stage, shard, blobs)
        )
    return _report(writing, folder, estimated)


def _report(writing: Writing, folder: Path, estimated: Estimate) -> EstimateReport:
    prices = load_prices(folder, writing.prices)
    rows: list[EstimateRow] = []
    total = 0
    for role, tally in sorted(estimated.by_role.items()):
        model = writing.models[role]
        usage = Usage(input=tally.input, output=tally.output, images=tally.images)
        cost = cost_of(usage, model.model, prices)
        total += cost or 0
        rows.append(
            EstimateRow(
                role=role,
                model=model.model,
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

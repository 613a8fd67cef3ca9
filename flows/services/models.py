"""Models for a run: opened from its recipe, closed with it; and what they cost."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from memassay.flows.calls.call_log import CallLog
from memassay.flows.calls.payments import BILLIONTHS, Payments, Price, load_prices
from memassay.flows.store.places.address import Place
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import RecipeError

if TYPE_CHECKING:
    from memassay.flows.calls.authors import AuthorPool
    from memassay.flows.calls.recordings import Recordings
    from memassay.schemas.contracts.author_sections import Writing
    from memassay.schemas.contracts.recipes import PathRecipe


class CostRow(Shape):
    """What one stage spent on one model on one day."""

    stage: str
    model: str
    day: Annotated[str, Field(description="UTC.")]
    calls: int
    input: Annotated[int, Field(description="Tokens read, the cached ones included.")]
    cached: int
    output: Annotated[int, Field(description="Tokens written.")]
    images: int
    unpriced: Annotated[int, Field(description="Calls of models that the price table lacks.")]
    dollars: str


class CostReport(Shape):
    """What the models of a workspace cost."""

    rows: list[CostRow]
    dollars: Annotated[str, Field(description="Sum of all rows.")]
    unanswered: Annotated[
        int, Field(description="Calls that were sent and brought no whole reply.")
    ]
    unanswered_dollars: Annotated[
        str, Field(description="Most that those cost; it counts under a budget.")
    ]


@contextmanager
def models_of(
    recipe: "PathRecipe",
    folder: Path,
    workspace: Workspace,
    recordings: "Recordings",
    run: str,
    *,
    retry_failed: bool = False,
) -> "Iterator[AuthorPool | None]":
    """The models that write a recipe's data; None if it needs none.

    Args:
        recipe: The recipe.
        folder: What its paths are relative to.
        workspace: Where replies are kept.
        recordings: Where replies are recorded to or replayed from.
        run: Name of the run, under which people are asked.
        retry_failed: Whether models are asked again where stored replies cannot be used.

    Raises:
        RecipeError: It has a budget and a model without a price.
        UsageError: A key or a price table cannot be read.
    """
    writing = recipe.writing
    if writing is None:
        yield None
        return
    # `memassay cost` needs none of it.
    from memassay.flows.calls.authors import AuthorPool
    from memassay.flows.review.choices import PeopleChoices

    prices = load_prices(folder, writing.prices)
    cap = _cap(writing, prices)
    log = CallLog(workspace.engine)
    best_of, choices = writing.best_of, None
    if best_of is not None and best_of.by == "person":
        choices = PeopleChoices(workspace, run, recipe.gates)
    pool = AuthorPool(
        writing.models,
        Payments(log, prices, cap),
        workspace.blobs,
        folder,
        recordings=recordings,
        best_of=best_of,
        choices=choices,
        retry_failed=retry_failed,
    )
    try:
        yield pool
    finally:
        pool.close()
        log.close()


def _cap(writing: "Writing", prices: dict[str, Price]) -> int | None:
    if writing.budget is None:
        return None
    drawn = writing.best_of.models if writing.best_of else []
    for role, model in [*writing.models.items(), *(("best_of", model) for model in drawn)]:
        if model.model not in prices:
            raise RecipeError(
                f"budget: expected a price for {model.model} (role {role}), got none; add it to a "
                "price table and name that under `prices:`"
            )
    return int(Decimal(str(writing.budget)) * BILLIONTHS)


def cost_in(place: Place) -> CostReport:
    """What was spent in the workspace of a place.

    Raises:
        UsageError: There is no workspace.
    """
    with open_workspace(place) as workspace:
        return cost(workspace)


def cost(workspace: Workspace) -> CostReport:
    """What was spent in a workspace, by stage, model and day."""
    log = CallLog(workspace.engine)
    try:
        bill, lost = log.bill(), log.unanswered_calls()
    finally:
        log.close()
    rows = [
        CostRow(**{name: row[name] for name in _SHOWN}, dollars=dollars_of(row["cost"] or 0))
        for row in bill
    ]
    return CostReport(
        rows=rows,
        dollars=dollars_of(sum(row["cost"] or 0 for row in bill)),
        unanswered=sum(row["calls"] for row in lost),
        unanswered_dollars=dollars_of(sum(row["most"] or 0 for row in lost)),
    )


_SHOWN: Final = (
    "stage",
    "model",
    "day",
    "calls",
    "input",
    "cached",
    "output",
    "images",
    "unpriced",
)


def dollars_of(billionths: int) -> str:
    """An amount for machines: dollars with six decimals."""
    return f"{Decimal(billionths) / BILLIONTHS:.6f}"

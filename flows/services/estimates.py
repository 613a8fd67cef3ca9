"""`memassay run --estimate`: what a recipe's models will cost, before any is asked."""

import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from memassay.flows.calls.payments import cost_of, load_prices
from memassay.flows.engine.context import UnitContext
from memassay.flows.recipes.author_sections import ModelSection, models_by_role
from memassay.flows.recipes.loading import M3ExamRecipe, Recipe
from memassay.flows.recipes.plans import dials_of, sizes_of
from memassay.flows.services.estimate_paper import planned_tallies
from memassay.flows.services.models import PRICES, dollars_of
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Shape
from memassay.schemas.contracts.calls import Usage
from memassay.schemas.errors import UsageError
from memassay.synth.paths.m3exam.estimating import EstimatedWording, Tallies
from memassay.synth.paths.m3exam.stages import Personas
from memassay.synth.telling.storyteller import Storyteller
from memassay.synth.telling.wording import GrammarWording
from memassay.synth.world.casting import cast
from memassay.synth.world.maker import WorldMaker

RANGES: Final = {"ledger-first": Decimal("0.20"), "paper": Decimal("0.35")}
"""By mode, what part of it a bill may lie above or below its estimate (our choice): turns that are
asked for again, longer or shorter replies, other sizes of images and tokens."""


ASSUMED: Final = {
    "ledger-first": "no turn is sent back",
    "paper": "audits flag nothing, every second question is sent back once, and no type of "
    "questions needs further windows",
}
"""By mode, what an estimate takes for granted; every breach is a call more."""


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


def estimate(recipe: Recipe, folder: Path) -> EstimateReport:
    """Write every history with stand-ins, and tally what the models would be asked.

    Raises:
        UsageError: The recipe asks no model, or a persona cannot be found.
    """
    if not isinstance(recipe, M3ExamRecipe) or isinstance(recipe.author, str):
        raise UsageError("--estimate: expected a recipe with a language model as author")
    personas = Personas(recipe.personas, folder)
    tallies = Tallies()
    with tempfile.TemporaryDirectory() as scratch:
        for name in personas.by_id:
            if recipe.mode == "paper":
                tallies.add(planned_tallies(recipe, personas, name, folder, Path(scratch)))
            else:
                tallies.add(_told(recipe, personas, name, Path(scratch)))
    return _report(recipe, folder, tallies)


def _report(recipe: M3ExamRecipe, folder: Path, tallies: Tallies) -> EstimateReport:
    assert not isinstance(recipe.author, str)
    models = models_by_role(recipe.author)
    prices = load_prices(folder / recipe.prices if recipe.prices else PRICES)
    rows: list[EstimateRow] = []
    total = 0
    for role, tally in sorted(tallies.by_role.items()):
        model: ModelSection = models[role]
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
    either_way = int(total * RANGES[recipe.mode])
    return EstimateReport(
        rows=rows,
        dollars=dollars_of(total),
        least=dollars_of(total - either_way),
        most=dollars_of(total + either_way),
        assumed=ASSUMED[recipe.mode],
    )


def _told(recipe: M3ExamRecipe, personas: Personas, name: str, scratch: Path) -> Tallies:
    """What one history asks; its world is the one the run will have."""
    blobs = BlobFolder(scratch)
    persona = personas.by_id[name]
    world_random = UnitContext(recipe.seed, "timeline", name, blobs).random
    cards = cast(persona, sizes_of(recipe), world_random, dials_of(recipe))
    world = WorldMaker(persona, world_random).make(cards)
    random = UnitContext(recipe.seed, "dialogue", name, blobs).random
    teller = Storyteller(persona, world.facts, blobs, random)
    wording = EstimatedWording.over(GrammarWording(persona, random), teller.scenery)
    teller.wording = wording
    teller.tell(world.events)
    return wording.tallies

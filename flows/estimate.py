"""`memassay run --estimate`: what a recipe's models will cost, before any is asked."""

import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import Field

from memassay.flows.author_sections import ModelSection, models_by_role
from memassay.flows.blob_folder import BlobFolder
from memassay.flows.context import UnitContext
from memassay.flows.model_services import PRICES, dollars_of
from memassay.flows.plans import dials_of, sizes_of
from memassay.flows.prices import cost_of, load_prices
from memassay.flows.recipes import M3ExamRecipe, Recipe
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError
from memassay.schemas.model_call import Usage
from memassay.synth.casting import cast
from memassay.synth.dialogue import Storyteller
from memassay.synth.estimating import EstimatedWording, Tally
from memassay.synth.m3exam_stages import Personas
from memassay.synth.wording import GrammarWording
from memassay.synth.world import WorldMaker


class EstimateRow(Shape):
    """What one role will cost."""

    role: str
    model: str
    calls: int
    input: Annotated[int, Field(description="Tokens read, at 4 characters or 1/1000 image each.")]
    output: Annotated[int, Field(description="Tokens written.")]
    images: int
    dollars: Annotated[str | None, Field(description="None for a model without a price.")]


class EstimateReport(Shape):
    """What a recipe will cost; calls that are cached already are counted too."""

    rows: list[EstimateRow]
    dollars: str


def estimate(recipe: Recipe, folder: Path) -> EstimateReport:
    """Tell every history by the grammar, and tally what the models would be asked.

    Turns that a model gets wrong are asked for again, which no estimate can know: count with a
    tenth more.

    Raises:
        UsageError: The recipe asks no model, or a persona cannot be found.
    """
    if not isinstance(recipe, M3ExamRecipe) or isinstance(recipe.author, str):
        raise UsageError("--estimate: expected a recipe with a language model as author")
    if recipe.mode == "paper":
        raise UsageError(
            "--estimate: expected mode ledger-first, got paper: what a model will plan and say is "
            "not known before; cap the run with `budget:` instead, it goes on where it stopped"
        )
    personas = Personas(recipe.personas, folder)
    tallies: dict[str, Tally] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in personas.by_id:
            for role, tally in _told(recipe, personas, name, Path(scratch)).items():
                _add(tallies.setdefault(role, Tally()), tally)
    models = models_by_role(recipe.author)
    prices = load_prices(folder / recipe.prices if recipe.prices else PRICES)
    rows: list[EstimateRow] = []
    total = 0
    for role, tally in sorted(tallies.items()):
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
    return EstimateReport(rows=rows, dollars=dollars_of(total))


def _told(recipe: M3ExamRecipe, personas: Personas, name: str, scratch: Path) -> dict[str, Tally]:
    """The tallies of one history; its world is the one the run will have."""
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


def _add(total: Tally, part: Tally) -> None:
    for name, number in vars(part).items():
        setattr(total, name, getattr(total, name) + number)

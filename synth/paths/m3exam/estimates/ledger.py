"""The estimate of ledger-first mode: every history is written, a tally is kept of its prompts."""

from memassay.schemas.contracts.paths import OpenContext
from memassay.synth.paths.m3exam.estimates.tallies import EstimatedWording
from memassay.synth.paths.m3exam.personas import Personas
from memassay.synth.paths.m3exam.recipe import NAME, M3ExamRecipe
from memassay.synth.tallies import Tallies
from memassay.synth.telling.storyteller import Storyteller
from memassay.synth.telling.wording import GrammarWording
from memassay.synth.world.casting import cast
from memassay.synth.world.maker import WorldMaker


def told_tallies(
    recipe: M3ExamRecipe, personas: Personas, name: str, open_context: OpenContext
) -> Tallies:
    """What one history asks; its world is the one the run will have."""
    persona = personas.by_id[name]
    drawn = open_context("timeline", name).random
    told = cast(persona, recipe.history_sizes, drawn, recipe.history_dials)
    world = WorldMaker(persona, drawn).make(told.cards)
    context = open_context("dialogue", name)
    teller = Storyteller(persona, world.facts, context.blobs, context.random, NAME)
    wording = EstimatedWording.over(GrammarWording(persona, context.random), teller.scenery)
    teller.wording = wording
    teller.tell(world.events)
    return wording.tallies

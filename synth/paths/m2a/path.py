"""The path `m2a`: guest sessions about pictured concepts in long conversations (M2A §4.4)."""

from typing import Final

from memassay.schemas.contracts.paths import Setting, SynthesisPath, Visitors
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import RecipeError
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.paths.m2a.hosts.stage import HostStage
from memassay.synth.paths.m2a.inject import GuestVisitors
from memassay.synth.paths.m2a.recipe import M2ARecipe

IMPORT: Final = "import"
"""Name of the stage that takes other people's conversations in."""
INJECT: Final = "inject"
"""Name of the stage in which guests join."""


def _stages(recipe: M2ARecipe, setting: Setting) -> list[Stage]:
    if bool(recipe.sources) == bool(recipe.hosts.count):
        raise RecipeError(
            "hosts: expected either a `count` of them or `sources` of others, got "
            + ("both" if recipe.sources else "neither")
        )
    hosts = setting.importing(recipe.sources) if recipe.sources else HostStage(recipe.hosts)
    return [hosts]


def _visitors(recipe: M2ARecipe, setting: Setting) -> list[Visitors]:
    return [GuestVisitors(recipe.concepts, recipe.guests, setting.folder)]


def _gates(recipe: M2ARecipe) -> dict[str, GateSection]:
    hosts = IMPORT if recipe.sources else HostStage.name
    return {hosts: GateSection(), INJECT: GateSection()}


PATH: Final = SynthesisPath(
    name="m2a",
    recipe=M2ARecipe,
    stages=_stages,
    gates=_gates,
    visitors=_visitors,
    rules=SYNTHESIS_RULES,
)

"""The path `m2a`: guest sessions about pictured concepts in long conversations (M2A §4.4)."""

from typing import Final

from memassay.schemas.contracts.paths import Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.paths.m2a.inject import InjectStage
from memassay.synth.paths.m2a.recipe import M2ARecipe

HOSTS: Final = "import"
"""Name of the stage that takes hosts in."""


def _stages(recipe: M2ARecipe, setting: Setting) -> list[Stage]:
    return [
        setting.importing(recipe.sources),
        InjectStage(recipe.concepts, recipe.guests, setting.folder),
    ]


PATH: Final = SynthesisPath(
    name="m2a",
    recipe=M2ARecipe,
    stages=_stages,
    gates=lambda _recipe: {HOSTS: GateSection(), InjectStage.name: GateSection()},
    rules=SYNTHESIS_RULES,
)

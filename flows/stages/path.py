"""The path `curate`: other people's data, taken in."""

from typing import Final

from memassay.flows.stages.curate_recipe import CurateRecipe
from memassay.flows.stages.import_stage import ImportStage
from memassay.schemas.contracts.paths import Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection


def _stages(recipe: CurateRecipe, setting: Setting) -> list[Stage]:
    return [ImportStage(recipe.sources, setting.folder, recipe.strict)]


PATH: Final = SynthesisPath(
    name="curate",
    recipe=CurateRecipe,
    stages=_stages,
    gates=lambda _recipe: {ImportStage.name: GateSection()},
)

"""The path `curate`: other people's data, taken in."""

from typing import Final

from memassay.flows.stages.check_stages import ReadStage
from memassay.flows.stages.curate_recipe import CurateRecipe
from memassay.flows.stages.import_stage import ImportStage
from memassay.schemas.contracts.paths import Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection


def _stages(recipe: CurateRecipe, setting: Setting) -> list[Stage]:
    stages: list[Stage] = [ImportStage(recipe.sources, setting.folder, recipe.strict)]
    return [*stages, ReadStage(recipe.reader)] if recipe.reader is not None else stages


def _gates(recipe: CurateRecipe) -> dict[str, GateSection]:
    names = [ImportStage.name, *([ReadStage.name] if recipe.reader is not None else [])]
    return {name: GateSection() for name in names}


PATH: Final = SynthesisPath(
    name="curate",
    recipe=CurateRecipe,
    stages=_stages,
    gates=_gates,
)

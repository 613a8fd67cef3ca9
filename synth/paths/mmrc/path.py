"""The path `mmrc`: single dialogues out of topic packs, up to six questions each (MMRC §3)."""

from typing import Final

from memassay.schemas.benchmarks.mmrc import BENCHMARK
from memassay.schemas.contracts.paths import Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import RecipeError
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.paths.mmrc.dialogues import Dialogues
from memassay.synth.paths.mmrc.figures import MMRC_FIGURES
from memassay.synth.paths.mmrc.recipe import NAME, MMRCRecipe
from memassay.synth.paths.mmrc.stages import DialogueStage, PlanStage, QuestionStage


def _stages(recipe: MMRCRecipe, setting: Setting) -> list[Stage]:
    if not isinstance(recipe.author, str):
        raise RecipeError("author: expected the simulator on path mmrc, got a language model")
    folder = setting.folder / recipe.packs if recipe.packs is not None else None
    dialogues = Dialogues(folder, recipe.seed)
    return [
        PlanStage(dialogues, recipe.dialogues),
        DialogueStage(dialogues),
        QuestionStage(dialogues),
    ]


def _gates(_recipe: MMRCRecipe) -> dict[str, GateSection]:
    return {stage.name: GateSection() for stage in (PlanStage, DialogueStage, QuestionStage)}


PATH: Final = SynthesisPath(
    name=NAME,
    recipe=MMRCRecipe,
    stages=_stages,
    benchmark=BENCHMARK,
    gates=_gates,
    rules=SYNTHESIS_RULES,
    figures=MMRC_FIGURES,
)

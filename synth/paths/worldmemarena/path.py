"""The path `worldmemarena`: lives and long projects, worlds that change (WorldMemArena §4, C)."""

from typing import Final

from memassay.schemas.benchmarks.worldmemarena import BENCHMARK
from memassay.schemas.contracts.paths import Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.paths.worldmemarena.figures import WORLDMEMARENA_FIGURES
from memassay.synth.paths.worldmemarena.recipe import NAME, WorldMemArenaRecipe
from memassay.synth.paths.worldmemarena.samples import Samples
from memassay.synth.paths.worldmemarena.stages import QuestionStage, TellingStage, WorldStage


def _stages(recipe: WorldMemArenaRecipe, setting: Setting) -> list[Stage]:
    samples = Samples(recipe, setting.folder)
    return [WorldStage(samples), TellingStage(samples), QuestionStage(samples)]


def _gates(_recipe: WorldMemArenaRecipe) -> dict[str, GateSection]:
    return {stage.name: GateSection() for stage in (WorldStage, TellingStage, QuestionStage)}


PATH: Final = SynthesisPath(
    name=NAME,
    recipe=WorldMemArenaRecipe,
    stages=_stages,
    benchmark=BENCHMARK,
    gates=_gates,
    rules=SYNTHESIS_RULES,
    figures=WORLDMEMARENA_FIGURES,
)

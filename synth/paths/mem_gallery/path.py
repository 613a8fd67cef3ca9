"""The path `mem-gallery`: long conversations of single dialogues (Mem-Gallery §3.1, A.2.3)."""

from typing import Final

from memassay.schemas.benchmarks.mem_gallery import BENCHMARK
from memassay.schemas.contracts.paths import Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import RecipeError
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.paths.mem_gallery.recipe import MemGalleryRecipe

IMPORT: Final = "import"
"""Name of the stage that takes other people's dialogues in."""


def _stages(recipe: MemGalleryRecipe, setting: Setting) -> list[Stage]:
    if bool(recipe.sources) == bool(recipe.dialogues):
        got = "both" if recipe.sources else "neither"
        raise RecipeError(
            "dialogues: expected either `dialogues` of another path or `sources` of others, got "
            + got
        )
    return [setting.importing(recipe.sources)] if recipe.sources else []


PATH: Final = SynthesisPath(
    name="mem-gallery",
    recipe=MemGalleryRecipe,
    stages=_stages,
    benchmark=BENCHMARK,
    gates=lambda recipe: {IMPORT: GateSection()} if recipe.sources else {},
    rules=SYNTHESIS_RULES,
)

"""The path `curate`: other people's data, taken in."""

from decimal import Decimal
from typing import Final

from memassay.flows.reading.units import WRITTEN, reading_units
from memassay.flows.stages.check_stages import ReadStage
from memassay.flows.stages.curate_recipe import CurateRecipe
from memassay.flows.stages.import_stage import ImportStage
from memassay.schemas.contracts.paths import Estimate, OpenContext, Setting, SynthesisPath
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.records.bundle import Bundle
from memassay.synth.tallies import Tallies

_REPLY: Final = "word" * WRITTEN
"""As long as a reply of a reader is taken to be: four characters are a token."""
_RANGE: Final = Decimal("0.3")
"""What part of an estimate a bill may lie above or below it (our choice)."""


def _stages(recipe: CurateRecipe, setting: Setting) -> list[Stage]:
    stages: list[Stage] = [_importing(recipe, setting)]
    return [*stages, ReadStage(recipe.reader)] if recipe.reader is not None else stages


def _importing(recipe: CurateRecipe, setting: Setting) -> ImportStage:
    return ImportStage(recipe.sources, setting.folder, recipe.strict, recipe.copies)


def _gates(recipe: CurateRecipe) -> dict[str, GateSection]:
    names = [ImportStage.name, *([ReadStage.name] if recipe.reader is not None else [])]
    return {name: GateSection() for name in names}


def _estimate(recipe: CurateRecipe, setting: Setting, open_context: OpenContext) -> Estimate:
    """What a reader will be asked, from the requests themselves."""
    tallies = Tallies()
    source = _importing(recipe, setting)
    for shard in source.found if recipe.reader is not None else ():
        assert recipe.reader is not None
        context = open_context(source.name, shard)
        bundle = Bundle.from_records(source.read(shard, context.blobs).records())
        for unit in reading_units(bundle, recipe.reader):
            tallies.count(unit.ask(), _REPLY * len(unit.parts))
    about = f"a reader writes {WRITTEN} tokens about an item or session"
    return Estimate(tallies.by_role, _RANGE, about)


PATH: Final = SynthesisPath(
    name="curate",
    recipe=CurateRecipe,
    stages=_stages,
    gates=_gates,
    estimate=_estimate,
)

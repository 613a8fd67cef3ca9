"""The estimate of paper mode: its stages run, a stand-in writes."""

from dataclasses import replace

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import OpenContext, Setting
from memassay.schemas.records.bundle import Bundle
from memassay.synth.drafting.bank import DraftBank
from memassay.synth.extraction.stage import ExtractionStage
from memassay.synth.extraction.stand_in import StandIn, StandInContext
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.streams import timeline_of
from memassay.synth.material.stage import SourcesStage
from memassay.synth.paths.m3exam.estimates.stand_in import REPLIES, StandInMaker
from memassay.synth.paths.m3exam.paper.dialogue import PaperDialogueStage
from memassay.synth.paths.m3exam.paper.questions import DRAFTING
from memassay.synth.paths.m3exam.paper.timeline import PaperTimelineStage
from memassay.synth.paths.m3exam.recipe import M3ExamRecipe
from memassay.synth.sourcing.from_recipe import sources_of
from memassay.synth.sourcing.placeholders import placeholders
from memassay.synth.tallies import Tallies


def planned_tallies(
    recipe: M3ExamRecipe, personas: Personas, name: str, setting: Setting, open_context: OpenContext
) -> Tallies:
    """What one history asks in paper mode, if its replies have their usual lengths.

    The user's own files are shown as they will be. Of images that a provider finds, or that fit a
    keyword, as many are counted as an event may have.
    """
    author = StandIn(REPLIES)
    context = StandInContext(open_context("estimate", name), author)
    sizes = recipe.history_sizes
    records: list[Record] = []
    for source in sources_of(recipe.material, personas.by_id, setting.folder):
        if isinstance(source, SourcesStage) and name in source.shards():
            records += source.run([], context)
    records += PaperTimelineStage(personas, sizes, {}).run([], context)
    records += placeholders(recipe.sourcing, recipe.material, timeline_of(records))
    records += PaperDialogueStage(personas, sizes, {}).run(records, context)
    records += ExtractionStage({}).run(records, context)
    drafting = replace(DRAFTING, maker=StandInMaker)
    bank = DraftBank(drafting, Bundle.from_records(records), context)
    for code, wanted in recipe.questions.items():
        bank.fill(code, wanted)
    return author.tallies

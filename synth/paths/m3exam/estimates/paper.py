"""The estimate of paper mode: its stages run, a stand-in writes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import OpenContext, Setting
from memassay.schemas.ids import record_id
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.drafting.bank import DraftBank
from memassay.synth.extraction.stage import ExtractionStage
from memassay.synth.extraction.stand_in import StandIn, StandInContext
from memassay.synth.histories.personas import Personas
from memassay.synth.material.intake import SOURCING
from memassay.synth.material.stage import SourcesStage
from memassay.synth.paths.m3exam.estimates.stand_in import REPLIES, StandInMaker
from memassay.synth.paths.m3exam.paper.dialogue import PaperDialogueStage
from memassay.synth.paths.m3exam.paper.questions import DRAFTING
from memassay.synth.paths.m3exam.paper.timeline import PaperTimelineStage
from memassay.synth.paths.m3exam.recipe import M3ExamRecipe
from memassay.synth.sourcing.from_recipe import sources_of
from memassay.synth.tallies import Tallies

_PIXELS: Final = (640, 480)


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
    records += _placeholders(recipe, [one for one in records if isinstance(one, TimelineEvent)])
    records += PaperDialogueStage(personas, sizes, {}).run(records, context)
    records += ExtractionStage({}).run(records, context)
    drafting = replace(DRAFTING, maker=StandInMaker)
    bank = DraftBank(drafting, Bundle.from_records(records), context)
    for code, wanted in recipe.questions.items():
        bank.fill(code, wanted)
    return author.tallies


def _placeholders(recipe: M3ExamRecipe, events: list[TimelineEvent]) -> Iterator[Asset]:
    """Placeholders for the images that will be found for events."""
    if recipe.sourcing is not None:
        each = recipe.sourcing.per_event
    else:
        each = 1 if recipe.material is not None and recipe.material.match == "keyword" else 0
    for event in events:
        for number in range(each):
            yield Asset(
                id=record_id(event.conversation, f"{event.id.partition('/')[2]}_{number}"),
                availability=Availability.PRESENT,
                blob_sha256="0" * 64,
                width=_PIXELS[0],
                height=_PIXELS[1],
                extras={SOURCING: {"keyword": event.keyword, "event": event.id}},
            )

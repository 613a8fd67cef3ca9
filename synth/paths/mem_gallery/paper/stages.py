"""The stages of stories in paper mode, all of them written by models (Mem-Gallery A.2.3)."""

from typing import Final

from memassay.schemas.contracts.paths import Estimate, OpenContext, Setting
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.synth.drafting.stage import DraftedQuestionStage
from memassay.synth.extraction.stage import ExtractionStage
from memassay.synth.findings import people_decide
from memassay.synth.histories.personas import Personas
from memassay.synth.material.stage import SourcesStage
from memassay.synth.paths.mem_gallery.paper.dialogue import StoryDialogueStage
from memassay.synth.paths.mem_gallery.paper.estimate import estimate_stories
from memassay.synth.paths.mem_gallery.paper.outline import OutlineStage
from memassay.synth.paths.mem_gallery.paper.protagonists import Protagonists
from memassay.synth.paths.mem_gallery.paper.questions import DRAFTING
from memassay.synth.paths.mem_gallery.recipe import MemGalleryRecipe
from memassay.synth.paths.mem_gallery.stories_recipe import StoriesSection
from memassay.synth.sourcing.from_recipe import sources_of, sourcing_of
from memassay.synth.sourcing.stage import SourcingStage

_ROLES: Final = ("timeline", "user", "assistant", "auditor", "extractor", "questioner", "judge")
"""Roles of the models that write stories."""
_STAGES: Final = (
    *(SourcesStage.name, OutlineStage.name, SourcingStage.name),
    *(StoryDialogueStage.name, ExtractionStage.name, DraftedQuestionStage.name),
)


def paper_stages(
    recipe: MemGalleryRecipe, section: StoriesSection, setting: Setting
) -> list[Stage]:
    """Outline, images, dialogue, ledger and questions of the stories of a recipe."""
    models = recipe.models(_ROLES) or {}
    outlining = _outlining(recipe, section, setting)
    names, sizes = outlining.shards(), section.history_sizes
    return [
        *sources_of(section.material, names, setting.folder),
        outlining,
        *sourcing_of(section.sourcing, section.material, names, setting),
        StoryDialogueStage(sizes, models),
        ExtractionStage(models),
        DraftedQuestionStage(DRAFTING, section.asked_in_words, models),
    ]


def _outlining(recipe: MemGalleryRecipe, section: StoriesSection, setting: Setting) -> OutlineStage:
    personas = Personas(section.personas, setting.folder, recipe.copies)
    protagonists = Protagonists(personas, section.profiles, recipe.copies)
    return OutlineStage(protagonists, section.history_sizes, recipe.models(_ROLES) or {})


def paper_gates(recipe: MemGalleryRecipe) -> dict[str, GateSection]:
    """People see each conversation (§3.1, Quality Assurance), and what no query proves.

    Raises:
        RecipeError: The recipe has a gate that would let questions of models pass.
    """
    asking = DraftedQuestionStage.name
    return {
        **{name: GateSection() for name in _STAGES},
        StoryDialogueStage.name: GateSection(policy="all"),
        asking: people_decide(recipe.gates, asking),
    }


def paper_estimate(
    recipe: MemGalleryRecipe, section: StoriesSection, setting: Setting, open_context: OpenContext
) -> Estimate:
    """What models are asked for the stories of a recipe."""
    outlining = _outlining(recipe, section, setting)
    sources = sources_of(section.material, outlining.shards(), setting.folder)
    return estimate_stories(section, outlining, sources, open_context)

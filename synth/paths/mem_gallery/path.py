"""The path `mem-gallery`: stories, and single dialogues made into lives (Mem-Gallery §3.1)."""

from typing import Final

from memassay.schemas.benchmarks.mem_gallery import BENCHMARK
from memassay.schemas.contracts.paths import (
    Estimate,
    OpenContext,
    Setting,
    StageAudit,
    SynthesisPath,
    Visitors,
)
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.contracts.rules import LooksAt
from memassay.schemas.errors import RecipeError
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.histories.continuing.continuation import Continuation
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.estimating import (
    NOTHING_SENT_BACK,
    WORDING_RANGE,
    wording_tallies,
)
from memassay.synth.lessons.visitors import LessonVisitors
from memassay.synth.models.best_of import refuse_best_of
from memassay.synth.paths.mem_gallery.figures import MEM_GALLERY_FIGURES
from memassay.synth.paths.mem_gallery.kinds import KINDS
from memassay.synth.paths.mem_gallery.paper.stages import (
    paper_estimate,
    paper_gates,
    paper_stages,
)
from memassay.synth.paths.mem_gallery.recipe import NAME, MemGalleryRecipe
from memassay.synth.paths.mem_gallery.stories import (
    STAGES,
    asking_stages,
    lives_of_recipe,
    longer_lives,
    rows_of_recipe,
    telling_stages,
)
from memassay.synth.tallies import Tallies

IMPORT: Final = "import"
"""Name of the stage that takes other people's dialogues in."""
INJECT: Final = "inject"
"""Name of the stage in which lessons join."""
_NEEDS_LEDGER: Final = frozenset({"audit.drift"})
"""Audits that compare with a ledger, which paper mode has only afterwards, from the text itself."""


def _stages(recipe: MemGalleryRecipe, setting: Setting) -> list[Stage]:
    if recipe.stories is not None:
        _refuse_beside_stories(recipe)
        if recipe.mode == "paper":
            return paper_stages(recipe, recipe.stories, setting)
        return telling_stages(recipe, setting)
    if "stories" in recipe.forms:
        raise RecipeError("stories: expected a section with `personas` or `scenarios`, got none")
    if recipe.mode == "paper":
        raise RecipeError("mode: expected none with `from: clusters`; write `from: stories`")
    if bool(recipe.sources) == bool(recipe.dialogues):
        got = "both" if recipe.sources else "neither"
        raise RecipeError(
            "dialogues: expected either `dialogues` of another path or `sources` of others, got "
            + got
        )
    return [setting.importing(recipe.sources)] if recipe.sources else []


def _refuse_beside_stories(recipe: MemGalleryRecipe) -> None:
    """Refuse what does not go with stories.

    Raises:
        RecipeError: A section or the author does not.
    """
    if "stories" not in recipe.forms:
        raise RecipeError("stories: expected none with `from: clusters`; write `from: stories`")
    for name in ("sources", "dialogues"):
        if getattr(recipe, name):
            raise RecipeError(f"{name}: expected none with stories")
    apart = recipe.cut_apart
    if bool(apart) != ("clusters" in recipe.forms):
        raise RecipeError(
            "stories.scenarios: expected some with `from: clusters` where the recipe says "
            f"`from: [stories, clusters]`, and nowhere else, got {len(apart or ())}; change `from` "
            "of the recipe or of a row"
        )
    if recipe.cluster and not apart:
        raise RecipeError("cluster: expected none with `from: stories`")
    refuse_best_of(recipe.author, recipe.best_of)
    if recipe.mode == "paper":
        if isinstance(recipe.author, str):
            raise RecipeError(
                "mode: expected ledger-first with the simulator as author, got paper; name a "
                "language model under `author:`"
            )
        if recipe.stories is not None and recipe.stories.scenarios:
            raise RecipeError("stories.scenarios: expected none with `mode: paper`")
    elif recipe.stories is not None:
        for name in recipe.stories.of_models_alone:
            raise RecipeError(f"stories.{name}: expected none with a world; write `mode: paper`")


def _asking(recipe: MemGalleryRecipe, setting: Setting) -> list[Stage]:
    told = recipe.stories is not None and recipe.mode != "paper"
    return asking_stages(recipe, setting) if told else []


def _visitors(recipe: MemGalleryRecipe, setting: Setting) -> list[Visitors]:
    section = recipe.stories
    if section is None or section.lessons is None:
        return []
    rows = rows_of_recipe(recipe, setting) if section.scenarios else {}
    images = {} if section.scenarios else {str(c): n for c, n in section.question_images.items()}
    rooms = {name: row.whole for name, row in rows.items() if row.whole is not None}
    return [
        LessonVisitors(section.lessons, setting.folder, recipe.licence, images=images, rooms=rooms)
    ]


def _continuations(recipe: MemGalleryRecipe, setting: Setting) -> dict[str, Continuation]:
    """How the stories of a release go on, by conversation; those that a model worded do not."""
    if recipe.stories is None or recipe.writing is not None:
        return {}
    dials = recipe.story_dials.of_history
    return {
        name: Continuation(persona, NAME, KINDS, dials)
        for name, persona in longer_lives(recipe, setting).by_id.items()
    }


def _gates(recipe: MemGalleryRecipe) -> dict[str, GateSection]:
    if recipe.stories is not None:
        lessons = [INJECT] if recipe.stories.lessons else []
        own = (
            paper_gates(recipe) if recipe.mode == "paper" else dict.fromkeys(STAGES, GateSection())
        )
        return own | dict.fromkeys(lessons, GateSection())
    return {IMPORT: GateSection()} if recipe.sources else {}


def _audits(recipe: MemGalleryRecipe) -> dict[str, StageAudit]:
    if recipe.stories is None or recipe.writing is None:
        return {}
    without = _NEEDS_LEDGER if recipe.mode == "paper" else frozenset[str]()
    return {DialogueStage.name: StageAudit(LooksAt.HISTORY, without)}


def _estimate(recipe: MemGalleryRecipe, setting: Setting, open_context: OpenContext) -> Estimate:
    """Tell every story by the simulator or a stand-in, and tally what a model would be asked."""
    tallies = Tallies()
    if recipe.stories is not None and recipe.mode == "paper":
        return paper_estimate(recipe, recipe.stories, setting, open_context)
    if recipe.stories is not None:
        personas, rows = lives_of_recipe(recipe, setting)
        dials = recipe.story_dials.of_history
        for name, persona in personas.by_id.items():
            told, _ = wording_tallies(NAME, persona, rows[name].sizes, dials, open_context)
            tallies.add(told)
    return Estimate(tallies.by_role, WORDING_RANGE, NOTHING_SENT_BACK)


def _kinds_worded(recipe: MemGalleryRecipe) -> dict[str, frozenset[str]]:
    if recipe.stories is None or recipe.mode == "paper":
        return {}
    return {DialogueStage.name: frozenset({"conversation", "mention"})}


PATH: Final = SynthesisPath(
    name=NAME,
    recipe=MemGalleryRecipe,
    stages=_stages,
    asking=_asking,
    benchmark=BENCHMARK,
    gates=_gates,
    rules=SYNTHESIS_RULES,
    visitors=_visitors,
    figures=MEM_GALLERY_FIGURES,
    audits=_audits,
    estimate=_estimate,
    continuations=_continuations,
    worded=_kinds_worded,
)

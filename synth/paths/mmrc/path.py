"""The path `mmrc`: single dialogues out of topic packs, up to six questions each (MMRC §3)."""

from typing import Final

from memassay.schemas.benchmarks.mmrc import BENCHMARK
from memassay.schemas.contracts.paths import (
    Estimate,
    OpenContext,
    Setting,
    StageAudit,
    SynthesisPath,
)
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.contracts.rules import LooksAt
from memassay.schemas.errors import RecipeError
from memassay.synth.extraction.stage import ExtractionStage
from memassay.synth.findings import SYNTHESIS_RULES, people_decide
from memassay.synth.models.best_of import refuse_best_of
from memassay.synth.paths.mmrc.by_model.stage import WordedDialogueStage
from memassay.synth.paths.mmrc.dialogues import Dialogues
from memassay.synth.paths.mmrc.estimate import estimate_dialogues
from memassay.synth.paths.mmrc.figures import MMRC_FIGURES
from memassay.synth.paths.mmrc.paper.questions import PaperQuestionStage
from memassay.synth.paths.mmrc.paper.stages import PaperDialogueStage, PaperPlanStage
from memassay.synth.paths.mmrc.recipe import NAME, MMRCRecipe
from memassay.synth.paths.mmrc.stages import DialogueStage, PlanStage, QuestionStage

_WORDING: Final = ("user", "assistant", "auditor", "judge")
"""Roles of the models that word planned dialogues."""
_CHATTING: Final = (*_WORDING, "extractor", "questioner")
"""Roles of the models of paper mode."""
_NEEDS_LEDGER: Final = frozenset({"audit.drift"})
"""Audits that compare with a ledger, which paper mode has only afterwards, from the text itself."""


def _stages(recipe: MMRCRecipe, setting: Setting) -> list[Stage]:
    refuse_best_of(recipe.author, recipe.best_of)
    if recipe.modality_twins and not isinstance(recipe.author, str):
        raise RecipeError(
            f"modality_twins: expected 0 where a model is the author, got {recipe.modality_twins}; "
            "twins differ in one turn that the pack has both ways"
        )
    dialogues = _dialogues(recipe, setting)
    if recipe.mode == "paper":
        return _paper(recipe, dialogues)
    models = recipe.models(_WORDING)
    return [
        PlanStage(dialogues, recipe.dialogues, recipe.modality_twins),
        DialogueStage(dialogues) if models is None else WordedDialogueStage(dialogues, models),
        QuestionStage(dialogues),
    ]


def _dialogues(recipe: MMRCRecipe, setting: Setting) -> Dialogues:
    folder = setting.folder / recipe.packs if recipe.packs is not None else None
    return Dialogues(folder, recipe.seed)


def _paper(recipe: MMRCRecipe, dialogues: Dialogues) -> list[Stage]:
    """The stages of paper mode, all of them written by models (MMRC §3.2)."""
    models = recipe.models(_CHATTING)
    if models is None:
        raise RecipeError(
            "mode: expected ledger-first with the simulator as author, got paper; name a language "
            "model under `author:`"
        )
    return [
        PaperPlanStage(dialogues, recipe.dialogues),
        PaperDialogueStage(dialogues, models),
        ExtractionStage(models),
        PaperQuestionStage(dialogues, models),
    ]


def _gates(recipe: MMRCRecipe) -> dict[str, GateSection]:
    if recipe.mode != "paper":
        return {stage.name: GateSection() for stage in (PlanStage, DialogueStage, QuestionStage)}
    stages = (PaperPlanStage, PaperDialogueStage, ExtractionStage, PaperQuestionStage)
    asking = PaperQuestionStage.name
    gates = {stage.name: GateSection() for stage in stages}
    return gates | {asking: people_decide(recipe.gates, asking)}


def _audits(recipe: MMRCRecipe) -> dict[str, StageAudit]:
    if isinstance(recipe.author, str):
        return {}
    without = _NEEDS_LEDGER if recipe.mode == "paper" else frozenset[str]()
    return {DialogueStage.name: StageAudit(LooksAt.HISTORY, without)}


def _estimate(recipe: MMRCRecipe, setting: Setting, open_context: OpenContext) -> Estimate:
    return estimate_dialogues(recipe, _dialogues(recipe, setting), open_context)


PATH: Final = SynthesisPath(
    name=NAME,
    recipe=MMRCRecipe,
    stages=_stages,
    benchmark=BENCHMARK,
    gates=_gates,
    audits=_audits,
    rules=SYNTHESIS_RULES,
    figures=MMRC_FIGURES,
    estimate=_estimate,
    worded=lambda _recipe: {DialogueStage.name: frozenset({"conversation", "mention"})},
)

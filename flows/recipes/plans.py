"""From a recipe to a plan: the stages of its path, bound to its files and its workspace."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from memassay.flows.engine.audits import Audit
from memassay.flows.engine.run import Plan
from memassay.flows.recipes.author_sections import BestOfSection, calls_at_once, identity
from memassay.flows.recipes.loading import CurateRecipe, GateSection, M3ExamRecipe, Recipe
from memassay.flows.recipes.sourcing_plans import sources_of, sourcing_of
from memassay.flows.stages.curate import (
    AssayStage,
    CompareStage,
    ImportStage,
    ReleaseStage,
    ValidateStage,
)
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.errors import RecipeError
from memassay.schemas.judgements.assignment import MOST_CHOICES
from memassay.synth.material.stage import SourcesStage
from memassay.synth.paths.m3exam.paper.dialogue import PaperDialogueStage
from memassay.synth.paths.m3exam.paper.extraction import ExtractionStage
from memassay.synth.paths.m3exam.paper.questions import PaperQuestionStage
from memassay.synth.paths.m3exam.paper.timeline import PaperTimelineStage
from memassay.synth.paths.m3exam.stages import DialogueStage, Personas, QuestionStage, TimelineStage
from memassay.synth.sourcing.stage import SourcingStage
from memassay.synth.world.dials import Dials
from memassay.synth.world.sizes import Sizes
from memassay.validators.check import RULES
from memassay.validators.drift.audit_rules import AUDIT_VERSION

_CHECKED: Final = (ValidateStage.name, CompareStage.name, AssayStage.name, ReleaseStage.name)

STAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "curate": (ImportStage.name, *_CHECKED),
    "m3exam": (
        *(SourcesStage.name, TimelineStage.name, SourcingStage.name),
        *(DialogueStage.name, QuestionStage.name),
        *_CHECKED,
    ),
}
"""Names of the stages of each path, in their order; a gate stands behind each."""

PAPER_STAGES: Final = (
    *(SourcesStage.name, PaperTimelineStage.name, SourcingStage.name),
    *(PaperDialogueStage.name, ExtractionStage.name, PaperQuestionStage.name),
    *_CHECKED,
)
"""Names of the stages of the path m3exam in paper mode."""

_NEEDS_LEDGER: Final = frozenset({"audit.drift"})
"""Audits that compare with a ledger, which paper mode has only afterwards, from the text itself."""


def make_plan(recipe: Recipe, name: str, folder: Path, workspace: Workspace) -> Plan:
    """The plan of a recipe.

    Args:
        recipe: The recipe.
        name: Name under which the workspace remembers the run, e.g. the recipe's file name.
        folder: Folder that the recipe's paths are relative to.
        workspace: Where the release goes, and where the answers of image providers are kept.

    Raises:
        RecipeError: A gate is named after no stage, a threshold after no rule that takes one,
            or material is shown by nobody.
        UsageError: A source, persona or folder cannot be found.
    """
    # Names come first: a misspelt one should not cost the reading of all sources.
    is_paper = isinstance(recipe, M3ExamRecipe) and recipe.mode == "paper"
    known = PAPER_STAGES if is_paper else STAGES[recipe.path]
    for gate in recipe.gates:
        if gate not in known:
            raise RecipeError(f"gates.{gate}: expected one of {', '.join(known)}")
    adjustable = [rule.id for rule in RULES if rule.threshold is not None]
    for rule in recipe.thresholds:
        if rule not in adjustable:
            raise RecipeError(f"thresholds.{rule}: expected one of {', '.join(adjustable)}")
    is_written = isinstance(recipe, M3ExamRecipe)
    audits = make_audits(recipe.thresholds) if is_written else {}
    looked_at = {rule.id for audit in audits.values() for rule in audit.rules}
    stages: list[Stage] = [
        *_MAKERS[recipe.path](recipe, folder, workspace),
        ValidateStage(recipe.thresholds, looked_at),
        CompareStage(recipe.thresholds, looked_at),
        AssayStage(),
        ReleaseStage(recipe, workspace.releases),
    ]
    return Plan(
        name=name,
        seed=recipe.seed,
        stages=stages,
        gates=_paper_gates(recipe.gates) if is_paper else recipe.gates,
        path=recipe.path,
        audits=_without(audits, _NEEDS_LEDGER) if is_paper else audits,
        at_once=_histories_at_once(recipe),
    )


def _histories_at_once(recipe: Recipe) -> int:
    if not isinstance(recipe, M3ExamRecipe) or isinstance(recipe.author, str):
        return 1
    return recipe.histories_at_once or calls_at_once(recipe.author)


def _paper_gates(gates: Mapping[str, GateSection]) -> dict[str, GateSection]:
    """The gates of paper mode: a question that no query proves always goes to people."""
    name = PaperQuestionStage.name
    gate = gates.get(name, GateSection(policy="sample"))
    if gate.policy == "auto" or gate.on_warning == "pass":
        raise RecipeError(
            f"gates.{name}: expected policy sample or all, and on_warning review, in mode paper, "
            f"got policy {gate.policy}, on_warning {gate.on_warning}; models wrote the questions, "
            "people decide about those that no query proves"
        )
    return {**gates, name: gate}


def _without(audits: Mapping[str, Audit], left_out: Collection[str]) -> dict[str, Audit]:
    return {
        stage: replace(audit, rules=tuple(rule for rule in audit.rules if rule.id not in left_out))
        for stage, audit in audits.items()
    }


def make_audits(thresholds: Mapping[str, float]) -> dict[str, Audit]:
    """The rules that look at what a stage made inside its unit, by stage; their family says so."""
    families = {TimelineStage.name: "timeline", DialogueStage.name: "audit"}
    return {
        stage: Audit(
            rules=tuple(rule for rule in RULES if rule.id.partition(".")[0] == family),
            version=AUDIT_VERSION,
            thresholds=thresholds,
        )
        for stage, family in families.items()
    }


def _curate(recipe: Recipe, folder: Path, _workspace: Workspace) -> list[Stage]:
    assert isinstance(recipe, CurateRecipe)
    return [ImportStage(recipe.sources, folder, recipe.strict)]


def _refuse_too_many(best_of: BestOfSection) -> None:
    drafts = best_of.samples * (1 + len(best_of.models))
    if best_of.by == "person" and drafts > MOST_CHOICES:
        raise RecipeError(
            f"best_of: expected at most {MOST_CHOICES} drafts for a person to choose from, got "
            f"{drafts}; lower `samples` or name fewer `models`"
        )


def _m3exam(recipe: Recipe, folder: Path, workspace: Workspace) -> list[Stage]:
    assert isinstance(recipe, M3ExamRecipe)
    personas = Personas(recipe.personas, folder)
    wanted = {str(code): number for code, number in recipe.questions.items()}
    sizes = sizes_of(recipe)
    if recipe.best_of is not None:
        _refuse_too_many(recipe.best_of)
    if recipe.mode == "paper":
        return _paper(recipe, personas, wanted, folder, workspace)
    if recipe.best_of is not None and isinstance(recipe.author, str):
        raise RecipeError("best_of: expected a language model under `author`, got the simulator")
    models = None if isinstance(recipe.author, str) else identity(recipe.author, recipe.best_of)
    flaws = {str(kind): number for kind, number in recipe.flaws.items()}
    return [
        *sources_of(recipe, personas.by_id, folder),
        TimelineStage(personas, sizes, flaws, dials_of(recipe)),
        *sourcing_of(recipe, personas.by_id, folder, workspace.folder),
        DialogueStage(personas, flaws, models),
        QuestionStage(
            personas,
            wanted,
            {str(code): number for code, number in recipe.document_questions.items()},
            recipe.dials.evidence_distance,
        ),
    ]


def _paper(
    recipe: M3ExamRecipe,
    personas: Personas,
    wanted: Mapping[str, int],
    folder: Path,
    workspace: Workspace,
) -> list[Stage]:
    """The stages of paper mode, all of them written by models (M3Exam §2.2)."""
    if isinstance(recipe.author, str):
        raise RecipeError(
            "mode: expected ledger-first with the simulator as author, got paper; name a language "
            "model under `author:`"
        )
    if recipe.flaws:
        raise RecipeError("flaws: expected none in mode paper: they are planted into known worlds")
    models, sizes = identity(recipe.author, recipe.best_of), sizes_of(recipe)
    return [
        *sources_of(recipe, personas.by_id, folder),
        PaperTimelineStage(personas, sizes, models),
        *sourcing_of(recipe, personas.by_id, folder, workspace.folder),
        PaperDialogueStage(personas, sizes, models),
        ExtractionStage(personas, models),
        PaperQuestionStage(personas, wanted, models),
    ]


def sizes_of(recipe: M3ExamRecipe) -> Sizes:
    """How large each history is; it does not depend on how many questions are asked."""
    return Sizes(**recipe.sizes.model_dump())


def dials_of(recipe: M3ExamRecipe) -> Dials:
    """What the cards of each history are chosen and ordered by."""
    return Dials(**recipe.dials.model_dump())


_MAKERS: Final[Mapping[str, Callable[[Recipe, Path, Workspace], list[Stage]]]] = {
    "curate": _curate,
    "m3exam": _m3exam,
}

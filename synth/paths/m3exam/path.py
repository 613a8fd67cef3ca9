"""The path `m3exam`: a data set written from worlds, as M3Exam was (§2.2)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from memassay.schemas.benchmarks.m3exam import BENCHMARK
from memassay.schemas.contracts.author_sections import identity
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
from memassay.synth.drafting.stage import DraftedQuestionStage
from memassay.synth.extraction.stage import ExtractionStage
from memassay.synth.findings import SYNTHESIS_RULES, people_decide
from memassay.synth.flaws.in_dialogues import DialoguePlanter
from memassay.synth.flaws.in_timelines import TimelinePlanter
from memassay.synth.flaws.planting import Flaws
from memassay.synth.flaws.stage import MakePlanter, PlantingStage
from memassay.synth.histories.continuing.continuation import Continuation
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.estimating import NOTHING_SENT_BACK, WORDING_RANGE
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import MoreQuestionsStage, QuestionStage
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.material.stage import SourcesStage
from memassay.synth.models.best_of import refuse_best_of
from memassay.synth.paths.m3exam.estimates.ledger import told_tallies
from memassay.synth.paths.m3exam.estimates.paper import planned_tallies
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.dialogue import PaperDialogueStage
from memassay.synth.paths.m3exam.paper.questions import DRAFTING
from memassay.synth.paths.m3exam.paper.timeline import PaperTimelineStage
from memassay.synth.paths.m3exam.question_wording import WordedQuestionStage
from memassay.synth.paths.m3exam.recipe import NAME, M3ExamRecipe
from memassay.synth.paths.m3exam.stats.tables import M3EXAM_FIGURES
from memassay.synth.sourcing.from_recipe import sources_of, sourcing_of
from memassay.synth.sourcing.stage import SourcingStage
from memassay.synth.tallies import Tallies

_LEDGER: Final = (
    *(SourcesStage.name, TimelineStage.name, SourcingStage.name),
    *(DialogueStage.name, QuestionStage.name),
)
_PAPER: Final = (
    *(SourcesStage.name, PaperTimelineStage.name, SourcingStage.name),
    *(PaperDialogueStage.name, ExtractionStage.name, DraftedQuestionStage.name),
)
"""Names of the stages by mode, in their order."""

_NEEDS_LEDGER: Final = frozenset({"audit.drift"})
"""Audits that compare with a ledger, which paper mode has only afterwards, from the text itself."""

RANGES: Final = {"ledger-first": WORDING_RANGE, "paper": Decimal("0.35")}
"""By mode, what part of it a bill may lie above or below its estimate (our choice)."""


ASSUMED: Final = {
    "ledger-first": NOTHING_SENT_BACK,
    "paper": "audits flag nothing, every second question is sent back once, and no type of "
    "questions needs further windows",
}
"""By mode, what an estimate takes for granted; every breach is a call more."""


def _stages(recipe: M3ExamRecipe, setting: Setting) -> list[Stage]:
    personas = _personas(recipe, recipe.personas, setting, recipe.copies)
    _refuse_wording(recipe)
    if recipe.mode == "paper":
        return _paper(recipe, personas, setting)
    return _ledger_first(recipe, personas, setting)


def _personas(
    recipe: M3ExamRecipe, names: Sequence[str], setting: Setting, copies: int
) -> Personas:
    return Personas(names, setting.folder, copies, recipe.sizes.images_a_round)


def _ledger_first(recipe: M3ExamRecipe, personas: Personas, setting: Setting) -> list[Stage]:
    refuse_best_of(recipe.author, recipe.best_of)
    models = None if isinstance(recipe.author, str) else identity(recipe.author, recipe.best_of)
    flaws = Flaws(_by_name(recipe.flaws), personas.by_id)
    timeline = TimelineStage(personas, recipe.history_sizes, recipe.history_dials)
    return [
        *sources_of(recipe.material, personas.by_id, setting.folder),
        plant_flaws(timeline, flaws),
        *sourcing_of(recipe.sourcing, recipe.material, personas.by_id, setting),
        plant_flaws(DialogueStage(NAME, personas, models), flaws),
        _question_stage(recipe, personas),
    ]


def _question_stage(recipe: M3ExamRecipe, personas: Personas) -> QuestionStage:
    wanted, paged = _by_name(recipe.questions), _by_name(recipe.document_questions)
    if recipe.question_wording is None or isinstance(recipe.author, str):
        return QuestionStage(KINDS, personas, wanted, paged, recipe.leanings)
    models = identity(recipe.author, recipe.best_of, ["questioner", "judge"])
    drafts = recipe.question_wording.drafts
    return WordedQuestionStage(personas, wanted, paged, recipe.leanings, drafts, models)


def _refuse_wording(recipe: M3ExamRecipe) -> None:
    if recipe.question_wording is not None and recipe.mode == "paper":
        raise RecipeError(
            "question_wording: expected none in mode paper: models write the questions there"
        )
    if recipe.question_wording is not None and isinstance(recipe.author, str):
        raise RecipeError(
            "question_wording: expected a language model under `author`, got the simulator"
        )


def _more_questions(
    before: M3ExamRecipe, after: M3ExamRecipe, conversations: frozenset[str], setting: Setting
) -> dict[str, Stage]:
    """The stage that asks questions of new types of the histories of a release."""
    wanted, asked = _by_name(after.questions), _by_name(before.questions)
    paged, asked_paged = _by_name(after.document_questions), _by_name(before.document_questions)
    for code, number in {**wanted, **paged}.items():
        had = max(asked.get(code, 0), asked_paged.get(code, 0))
        if had and number > had:
            raise RecipeError(
                f"questions.{code}: expected at most {had}, as the release has, got {number}; "
                "histories of a release are asked new types of question, not more of the old ones"
            )
    had_before = {code for code, number in {**asked, **asked_paged}.items() if number}
    new = {code: number for code, number in wanted.items() if number and code not in had_before}
    new_paged = {code: number for code, number in paged.items() if code not in had_before}
    if not (new or any(new_paged.values())):
        return {}
    if after.mode == "paper" or before.mode == "paper":
        raise RecipeError(
            "questions: expected the types that the release has, got new ones; in mode paper "
            "histories of a release are not asked again"
        )
    names = list(dict.fromkeys([*before.personas, *after.personas]))
    personas = _personas(after, names, setting, max(before.copies, after.copies))
    stage = MoreQuestionsStage(KINDS, personas, new, new_paged, after.leanings, conversations)
    return {QuestionStage.name: stage}


def _continuations(recipe: M3ExamRecipe, setting: Setting) -> dict[str, Continuation]:
    """How histories go on, by conversation; in mode paper no world is known."""
    if recipe.mode == "paper" or not isinstance(recipe.author, str):
        return {}
    personas = _personas(recipe, recipe.personas, setting, recipe.copies)
    return {
        name: Continuation(persona, NAME, KINDS, recipe.history_dials)
        for name, persona in personas.by_id.items()
    }


def plant_flaws(stage: TimelineStage | DialogueStage, flaws: Flaws) -> Stage:
    """A stage with flaws in what it makes, if the recipe plants any."""
    return PlantingStage(stage, flaws, _PLANTERS[stage.name]) if flaws.config else stage


_PLANTERS: Final[Mapping[str, MakePlanter]] = {
    TimelineStage.name: lambda persona, donors, _given, made, randoms: TimelinePlanter(
        persona, donors, made, randoms
    ),
    DialogueStage.name: DialoguePlanter,
}


def _by_name(numbers: Mapping[Any, int]) -> dict[str, int]:
    return {str(name): number for name, number in numbers.items()}


def _paper(recipe: M3ExamRecipe, personas: Personas, setting: Setting) -> list[Stage]:
    """The stages of paper mode, all of them written by models (M3Exam §2.2)."""
    if isinstance(recipe.author, str):
        raise RecipeError(
            "mode: expected ledger-first with the simulator as author, got paper; name a language "
            "model under `author:`"
        )
    refuse_best_of(recipe.author, recipe.best_of)
    if recipe.flaws:
        raise RecipeError("flaws: expected none in mode paper: they are planted into known worlds")
    models, sizes = identity(recipe.author, recipe.best_of), recipe.history_sizes
    return [
        *sources_of(recipe.material, personas.by_id, setting.folder),
        PaperTimelineStage(personas, sizes, models),
        *sourcing_of(recipe.sourcing, recipe.material, personas.by_id, setting),
        PaperDialogueStage(personas, sizes, models),
        ExtractionStage(models),
        DraftedQuestionStage(DRAFTING, _by_name(recipe.questions), models),
    ]


def _gates(recipe: M3ExamRecipe) -> dict[str, GateSection]:
    if recipe.mode != "paper":
        return {name: GateSection() for name in _LEDGER}
    name = DraftedQuestionStage.name
    gates = {stage: GateSection() for stage in _PAPER}
    return gates | {name: people_decide(recipe.gates, name)}


def _audits(recipe: M3ExamRecipe) -> dict[str, StageAudit]:
    without = _NEEDS_LEDGER if recipe.mode == "paper" else frozenset[str]()
    return {
        TimelineStage.name: StageAudit(LooksAt.TIMELINE),
        DialogueStage.name: StageAudit(LooksAt.HISTORY, without),
        **({QuestionStage.name: StageAudit(LooksAt.QUESTION)} if recipe.question_wording else {}),
    }


def _kinds_worded(recipe: M3ExamRecipe) -> dict[str, frozenset[str]]:
    told = {DialogueStage.name: frozenset({"conversation", "mention"})}
    asked = {QuestionStage.name: frozenset({"question", "repair"})}
    return told | asked if recipe.question_wording else told


def _estimate(recipe: M3ExamRecipe, setting: Setting, open_context: OpenContext) -> Estimate:
    """Write every history with stand-ins, and tally what the models would be asked."""
    personas = _personas(recipe, recipe.personas, setting, recipe.copies)
    tallies = Tallies()
    for name in personas.by_id:
        if recipe.mode == "paper":
            tallies.add(planned_tallies(recipe, personas, name, setting, open_context))
        else:
            asking = _question_stage(recipe, personas)
            tallies.add(told_tallies(recipe, personas, name, asking, open_context))
    return Estimate(tallies.by_role, RANGES[recipe.mode], ASSUMED[recipe.mode])


PATH: Final = SynthesisPath(
    name=NAME,
    recipe=M3ExamRecipe,
    stages=_stages,
    benchmark=BENCHMARK,
    gates=_gates,
    audits=_audits,
    rules=SYNTHESIS_RULES,
    figures=M3EXAM_FIGURES,
    estimate=_estimate,
    more_questions=_more_questions,
    continuations=_continuations,
    worded=_kinds_worded,
)

"""From a recipe to a plan: the stages of its path, bound to its files and its workspace."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from memassay.flows.engine.audits import Audit
from memassay.flows.engine.units import Plan
from memassay.flows.recipes.extensions import extending, with_release_of
from memassay.flows.recipes.grouped import GroupedRun
from memassay.flows.recipes.registry import PATHS, codes_of
from memassay.flows.stages.check_stages import AssayStage, CompareStage, ValidateStage
from memassay.flows.stages.distractors import Distractors
from memassay.flows.stages.errata_stage import ErrataStage
from memassay.flows.stages.extending.kept import Parent
from memassay.flows.stages.extending.sessions import NewSessionsStage
from memassay.flows.stages.import_stage import ImportStage
from memassay.flows.stages.inject_stage import InjectStage
from memassay.flows.stages.interpolate_stage import InterpolateStage
from memassay.flows.stages.lives import cluster, join
from memassay.flows.stages.lives.cluster import ClusterStage
from memassay.flows.stages.lives.join import JoinStage
from memassay.flows.stages.releasing.pack_stage import PackStage
from memassay.flows.stages.releasing.release_stage import ReleaseStage
from memassay.flows.store.errata_file import read_errata
from memassay.flows.store.workspace import Workspace
from memassay.schemas.blame import blaming
from memassay.schemas.changes.cluster_decisions import Decided
from memassay.schemas.contracts.paths import Setting, StageAudit
from memassay.schemas.contracts.protocols import Scope, SourceStage, Stage
from memassay.schemas.contracts.recipes import GateSection, PathRecipe, SourceSection
from memassay.schemas.copies import copy_id
from memassay.schemas.errors import RecipeError
from memassay.validators.check import RULES
from memassay.validators.drift.audit_rules import AUDIT_VERSION

CHECKED: Final = (
    ValidateStage.name,
    CompareStage.name,
    AssayStage.name,
    PackStage.name,
    ReleaseStage.name,
)
"""Names of the stages that follow those of every path."""


def make_plan(
    recipe: PathRecipe,
    name: str,
    folder: Path,
    workspace: Workspace,
    parent: Parent | None = None,
) -> Plan:
    """The plan of a recipe.

    Args:
        recipe: The recipe.
        name: Name under which the workspace remembers the run, e.g. the recipe's file name.
        folder: Folder that the recipe's paths are relative to.
        workspace: Where the release goes, and where the answers of image providers are kept.
        parent: The release that the recipe extends, if any.

    Raises:
        RecipeError: A gate is named after no stage, a threshold after no rule that takes one,
            or the path cannot take what a section says.
        UsageError: A source, persona or folder cannot be found.
    """
    recipe = with_release_of(recipe, parent)
    # Names come first: a misspelt one should not cost the reading of all sources.
    gates = gates_of(recipe)
    known = (*gates, *CHECKED)
    for gate in recipe.gates:
        if gate not in known:
            raise RecipeError(
                f"gates.{gate}: expected one of {', '.join(known)}; a stage of path {recipe.path} "
                "can have a gate if its `gates()` names it"
            )
    adjustable = [rule.id for rule in RULES if rule.threshold is not None]
    for rule in recipe.thresholds:
        if rule not in adjustable:
            raise RecipeError(f"thresholds.{rule}: expected one of {', '.join(adjustable)}")
    audits = audits_of(recipe)
    looked_at = unasked_rules(recipe)
    setting = setting_of(folder, workspace.folder, recipe.copies)
    grouped = GroupedRun(workspace, name, recipe.life_readers())
    more = extending(recipe, parent, setting)
    accepted = list(parent.release.decisions()) if parent is not None else []
    return Plan(
        name=name,
        seed=recipe.seed,
        stages=[
            *making(recipe, setting, grouped.decided),
            *more.stages,
            *_correction_stages(recipe, folder),
            ValidateStage(recipe.thresholds, looked_at, accepted, codes_of(_paths_of(recipe))),
            CompareStage(recipe.thresholds, looked_at, accepted),
            AssayStage(),
            PackStage(recipe.release),
            ReleaseStage(recipe, workspace.releases, parent.manifest if parent else None),
        ],
        gates={**gates, **recipe.gates, **more.gates({**gates, **recipe.gates})},
        path=recipe.path,
        audits=make_audits(audits, recipe.thresholds),
        at_once=recipe.writing.at_once if recipe.writing else 1,
        known=parent.conversations if parent is not None else frozenset(),
        listeners={ClusterStage.name: grouped.keep_clusters, JoinStage.name: grouped.keep_joins},
    )


def gates_of(recipe: PathRecipe) -> dict[str, GateSection]:
    """The stages before the checks that a recipe can have, in order, each with its default gate.

    Raises:
        RecipeError: The path cannot take a gate of the recipe.
    """
    gates = gates_of(recipe.before) if recipe.before is not None else {}
    path = PATHS[recipe.path]
    with blaming(f"the gates of path {path.name}", path.gates):
        gates |= path.gates(recipe)
    sections = {
        ClusterStage.name: recipe.cluster,
        JoinStage.name: recipe.cluster,
        InterpolateStage.name: recipe.interpolate,
        InjectStage.name: recipe.inject,
        ErrataStage.name: recipe.errata,
        NewSessionsStage.name: recipe.extend,
    }
    return gates | {name: GateSection() for name, section in sections.items() if section}


def _paths_of(recipe: PathRecipe) -> Iterator[str]:
    """The path of a recipe, and of the recipe that it begins with."""
    yield recipe.path
    if recipe.before is not None:
        yield from _paths_of(recipe.before)


def unasked_rules(recipe: PathRecipe) -> frozenset[str]:
    """Ids of the rules that the checks behind a path leave out: its audits have asked them.

    Rules that audits ask are theirs alone, whatever of them does not fit the path. What a release
    holds that is extended, no audit of the run has seen.
    """
    audits = audits_of(recipe).values()
    if recipe.extend is not None:
        return frozenset(rule for audit in audits for rule in audit.without)
    kinds = {audit.looks_at for audit in audits}
    return frozenset(rule.id for rule in RULES if rule.looks_at in kinds)


def audits_of(recipe: PathRecipe) -> dict[str, StageAudit]:
    """By stage, which rules look at what it makes; stages that come before a path's own too."""
    first = audits_of(recipe.before) if recipe.before is not None else {}
    return {**first, **PATHS[recipe.path].audits(recipe)}


def making(recipe: PathRecipe, setting: Setting, decided: Decided) -> list[Stage]:
    """The stages that make what a recipe asks for, before anything is checked or extended."""
    return [*_of_path(recipe, setting, decided), *_joining(recipe, setting, decided)]


def _of_path(recipe: PathRecipe, setting: Setting, decided: Decided) -> Iterator[Stage]:
    """The stages of a path, behind those of the recipe that it begins with."""
    if recipe.before is not None:
        yield from _of_path(recipe.before, setting, decided)
        yield from _joining(recipe.before, setting, decided)
    path = PATHS[recipe.path]
    with blaming(f"the stages of path {path.name}", path.stages):
        stages = list(path.stages(recipe, setting))
        if recipe.copies > 1:
            _refuse_uncopied(recipe, stages)
    yield from stages


def _refuse_uncopied(recipe: PathRecipe, stages: Sequence[Stage]) -> None:
    """Refuse copies where the stages of a path make none.

    Raises:
        RecipeError: A stage that reads sources has no copy among its units.
    """
    for stage in stages:
        if stage.scope is not Scope.SOURCE:
            continue
        made = cast(SourceStage, stage).shards()
        if not any(copy_id(name, 2) in made for name in made):
            raise RecipeError(
                f"copies: expected 1 on path {recipe.path}, whose stage {stage.name} makes no "
                f"copies, got {recipe.copies}; `with_copies` gives a stage the ids of copies"
            )


def lives_of(recipe: PathRecipe, setting: Setting) -> Iterator[Stage]:
    """The stages that lead to the lives of a recipe, with no model until dialogues are there."""
    yield from _of_path(recipe.offline, setting, Decided())
    yield from _lives(recipe, Decided())


def _lives(recipe: PathRecipe, decided: Decided) -> Iterator[Stage]:
    """The stages that make lives of dialogues, if the recipe says so."""
    if recipe.cluster is not None:
        models = recipe.models(cluster.ROLES_USED)
        yield ClusterStage(recipe.cluster, decided, models, recipe.cut_apart)
        models, readers = recipe.models(join.ROLES_USED), recipe.life_readers()
        yield JoinStage(
            recipe.cluster,
            recipe.path,
            recipe.interpolate,
            models,
            recipe.seed,
            readers,
            recipe.cut_apart,
        )


def _joining(recipe: PathRecipe, setting: Setting, decided: Decided) -> Iterator[Stage]:
    """Stages that any recipe can have behind those of its path, when hosts and questions exist."""
    yield from _lives(recipe, decided)
    if recipe.interpolate is not None:
        yield InterpolateStage(recipe.interpolate)
    path = PATHS[recipe.path]
    with blaming(f"the asking stages of path {path.name}", path.asking):
        asking = list(path.asking(recipe, setting))
    yield from asking
    visitors = list(path.visitors(recipe, setting))
    if recipe.inject is not None:
        visitors.append(Distractors(recipe.inject, setting.folder))
    if visitors:
        yield InjectStage(visitors)


def _correction_stages(recipe: PathRecipe, folder: Path) -> Iterator[Stage]:
    """The stage that holds what is known to be wrong, behind those that make anything."""
    if recipe.errata is not None:
        yield ErrataStage(read_errata(folder / recipe.errata), recipe.release.name)


def setting_of(folder: Path, workspace: Path, copies: int = 1) -> Setting:
    """Where the stages of a recipe find what is no record."""

    def importing(sources: Sequence[SourceSection]) -> Stage:
        return ImportStage(sources, folder, strict=False, copies=copies)

    return Setting(folder, workspace, importing)


def make_audits(
    stages: Mapping[str, StageAudit], thresholds: Mapping[str, float]
) -> dict[str, Audit]:
    """The rules that look at what a stage made inside its unit, by stage: those of its kind."""
    return {
        stage: Audit(
            rules=tuple(
                rule
                for rule in RULES
                if rule.looks_at is audit.looks_at and rule.id not in audit.without
            ),
            version=AUDIT_VERSION,
            thresholds=thresholds,
        )
        for stage, audit in stages.items()
    }

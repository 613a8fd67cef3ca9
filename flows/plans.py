"""From a recipe to a plan: the stages of its path, bound to its files and its workspace."""

from pathlib import Path
from typing import Final

from memassay.flows.curate import (
    AssayStage,
    CompareStage,
    ImportStage,
    ReleaseStage,
    ValidateStage,
)
from memassay.flows.engine import Plan
from memassay.flows.recipes import Recipe
from memassay.flows.workspace import Workspace
from memassay.schemas.errors import RecipeError
from memassay.schemas.protocols import Stage

STAGES: Final = tuple(
    stage.name for stage in (ImportStage, ValidateStage, CompareStage, AssayStage, ReleaseStage)
)
"""Names of the stages of the path `curate`, in their order; a gate stands behind each."""


def make_plan(recipe: Recipe, name: str, folder: Path, workspace: Workspace) -> Plan:
    """The plan of a recipe.

    Args:
        recipe: The recipe.
        name: Name under which the workspace remembers the run, e.g. the recipe's file name.
        folder: Folder that the recipe's paths are relative to.
        workspace: Where the release goes.

    Raises:
        RecipeError: A gate is named after no stage.
        SourceError: A source cannot be found.
    """
    # Gates come first: a misspelt one should not cost the reading of all sources.
    for gate in recipe.gates:
        if gate not in STAGES:
            raise RecipeError(f"gates.{gate}: expected one of {', '.join(STAGES)}")
    stages: list[Stage] = [
        ImportStage(recipe.sources, folder, recipe.strict),
        ValidateStage(recipe.thresholds),
        CompareStage(recipe.thresholds),
        AssayStage(),
        ReleaseStage(recipe, workspace.releases),
    ]
    return Plan(name=name, seed=recipe.seed, stages=stages, gates=recipe.gates, path=recipe.path)

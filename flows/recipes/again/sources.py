"""Where the files lie that a release was taken from, so that it can be held against them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memassay.exports.release.layout import MANIFEST
from memassay.flows.recipes.again.rules import SOURCES
from memassay.schemas.contracts.recipes import PathRecipe, SourceSection
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.judgements.finding import Finding

_NOWHERE: Final = Path("/nonexistent")


def sources_of(recipe: PathRecipe) -> list[SourceSection]:
    """The data that a recipe takes in, and the data whose sessions it lends."""
    own = list(getattr(recipe, "sources", ()))
    return own + (list(recipe.inject.sources) if recipe.inject is not None else [])


def folder_of(recipe: PathRecipe, folders: Sequence[Path]) -> Path | None:
    """The first of some folders below which all sources of a recipe are found, if there is one.

    A recipe without sources needs no folder: what else it names relative to itself is not looked
    for.
    """
    wanted = [one.path for one in sources_of(recipe)]
    if not wanted:
        return _NOWHERE
    return next((one for one in folders if all((one / path).exists() for path in wanted)), None)


def not_here(recipe: PathRecipe, folders: Sequence[Path]) -> Finding:
    """That a release was not held against its sources, and which of them are not found."""
    named = ", ".join(str(one.path) for one in sources_of(recipe))
    looked = str(folders[0]) if folders else "any folder"
    if len(folders) > 1:
        looked += f" or {len(folders) - 1} other folders"
    message = (
        f"{MANIFEST}.recipe.sources: expected {named} below {looked}, got none there; the release "
        "was not held against what it was taken from"
    )
    fix = "name the folder of the recipe with --recipe-folder, if you have its sources"
    return SOURCES.finding(MANIFEST, pointer("recipe", "sources"), message, fix)

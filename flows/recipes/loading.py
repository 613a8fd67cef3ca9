"""Recipes: one YAML file says the path, the sources, the gates and the release."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from memassay.flows.recipes.documents import recipe_document
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.contracts.recipes import HANDED_ON, AuthoredRecipe, PathRecipe
from memassay.schemas.errors import RecipeError
from memassay.schemas.section_errors import explain


def load_recipe(path: Path, changes: Mapping[str, Any] | None = None) -> PathRecipe:
    """Read a recipe.

    Args:
        path: The file.
        changes: Keys and values in place of those of the file; of a section, those that it names.

    Raises:
        RecipeError: The file cannot be read, is not YAML, or does not fit; the message names
            the key, what was expected and, for a misspelt key, the likely one.
    """
    document = _merge(recipe_document(path), changes or {})
    try:
        return read_recipe(document)
    except RecipeError as error:
        raise RecipeError(f"{path}: {error}") from None


def _merge(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**document}
    for key, value in changes.items():
        inside = merged.get(key)
        if isinstance(inside, dict) and isinstance(value, Mapping):
            value = _merge(inside, value)
        merged[key] = value
    return merged


def read_recipe(document: Mapping[str, Any], within: str = "") -> PathRecipe:
    """A recipe from its keys and values; a recipe inside it is read in the same way.

    Args:
        document: Keys and values.
        within: What comes before a key in messages: `dialogues.`.

    Raises:
        RecipeError: It does not fit; the message names the key and what was expected.
    """
    name = document.get("path", "curate")
    if not isinstance(name, str) or name not in PATHS:
        known = ", ".join(sorted(PATHS))
        raise RecipeError(f"{within}path: expected one of {known}, got {name!r}")
    shape: type[PathRecipe] = PATHS[name].recipe
    inner = {
        key: _inner(document, key, within)
        for key, field in shape.model_fields.items()
        if PathRecipe in get_args(field.annotation) and isinstance(document.get(key), dict)
    }
    try:
        return shape.model_validate({**document, **inner})
    except ValidationError as error:
        raise RecipeError("; ".join(f"{within}{line}" for line in explain(error, shape))) from None


def _inner(document: Mapping[str, Any], key: str, within: str) -> PathRecipe:
    """The recipe inside another one, which says for both what every recipe says."""
    own: dict[str, Any] = document[key]
    place = f"{within}{key}."
    common = {*AuthoredRecipe.model_fields} - {"path"}
    for name in own:
        if name in common:
            raise RecipeError(f"{place}{name}: expected none here; say it once, outside '{key}'")
    shape = PATHS[own["path"]].recipe if own.get("path") in PATHS else PathRecipe
    handed = {
        name: document[name]
        for name in HANDED_ON
        if name in document and name in shape.model_fields
    }
    inner = read_recipe({**own, **handed}, place)
    if inner.writing is not None and ("author" not in handed or "reader" in own):
        raise RecipeError(f"{place}reader: expected none here; have the release read instead")
    return inner

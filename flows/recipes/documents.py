"""The keys and values of a recipe, before they mean anything."""

from pathlib import Path
from typing import Any, Final

from memassay.schemas.errors import RecipeError, SourceError
from memassay.schemas.files import MIB, FileKind
from memassay.schemas.yaml_text import read_yaml

_RECIPE: Final = FileKind("a recipe", MIB, "name a recipe")


def recipe_document(path: Path) -> dict[str, Any]:
    """The keys and values of a recipe file.

    Raises:
        RecipeError: The file cannot be read, or holds no YAML of keys and values.
    """
    try:
        document = read_yaml(path, _RECIPE)
    except SourceError as error:
        raise RecipeError(str(error)) from error
    if not isinstance(document, dict):
        got = "an empty file" if document is None else type(document).__name__
        raise RecipeError(f"{path}: expected keys and values, got {got}")
    return document

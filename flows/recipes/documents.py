"""The keys and values of a recipe, before they mean anything."""

from pathlib import Path
from typing import Any

from memassay.schemas.errors import RecipeError
from memassay.schemas.yaml_text import read_yaml


def recipe_document(path: Path) -> dict[str, Any]:
    """The keys and values of a recipe file.

    Raises:
        RecipeError: The file cannot be read, or holds no YAML of keys and values.
    """
    try:
        document = read_yaml(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecipeError(f"{path}: expected a recipe, got no such file; check the path") from None
    except IsADirectoryError:
        raise RecipeError(f"{path}: expected a recipe file, got a folder") from None
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: expected UTF-8, got other bytes ({error.reason})") from error
    except OSError as error:
        raise RecipeError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RecipeError(f"{path}: expected YAML: {error}") from error
    if not isinstance(document, dict):
        got = "an empty file" if document is None else type(document).__name__
        raise RecipeError(f"{path}: expected keys and values, got {got}")
    return document

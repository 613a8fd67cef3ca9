"""Recipes: one YAML file says the path, the sources, the gates and the release."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

import yaml
from pydantic import ValidationError

from memassay.flows.calls.section_errors import explained
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.contracts.recipes import HANDED_ON, AuthoredRecipe, PathRecipe
from memassay.schemas.errors import RecipeError

_BOOL: Final = "tag:yaml.org,2002:bool"
_BOOLEAN: Final = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")


class _RecipeLoader(yaml.SafeLoader):
    """YAML without surprises: a key given twice is an error, and `off` is a word as any other.

    Of the booleans of YAML 1.1 only those are left that are of YAML 1.2 too, `true` and `false`;
    where a recipe wants one, pydantic reads `yes`, `no`, `on` and `off` as well.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """A mapping whose keys are all different."""
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} is given twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


_RecipeLoader.yaml_implicit_resolvers = {
    first: [
        (tag, _BOOLEAN if tag == _BOOL else pattern)
        for tag, pattern in resolvers
        if tag != _BOOL or first in "tTfF"
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_recipe(path: Path) -> PathRecipe:
    """Read a recipe.

    Raises:
        RecipeError: The file cannot be read, is not YAML, or does not fit; the message names
            the key, what was expected and, for a misspelt key, the likely one.
    """
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), _RecipeLoader)
    except FileNotFoundError:
        raise RecipeError(f"{path}: expected a recipe, got no such file; check the path") from None
    except IsADirectoryError:
        raise RecipeError(f"{path}: expected a recipe file, got a folder") from None
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: expected UTF-8, got other bytes ({error.reason})") from error
    except OSError as error:
        raise RecipeError(f"{path}: cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, TypeError) as error:
        raise RecipeError(f"{path}: expected YAML: {' '.join(str(error).split())}") from error
    if not isinstance(document, dict):
        got = "an empty file" if document is None else type(document).__name__
        raise RecipeError(f"{path}: expected keys and values, got {got}")
    try:
        return read_recipe(document)
    except RecipeError as error:
        raise RecipeError(f"{path}: {error}") from None


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
        raise RecipeError(
            "; ".join(f"{within}{line}" for line in explained(error, shape))
        ) from None


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
    if inner.writing is not None and "author" not in handed:
        raise RecipeError(f"{place}reader: expected none here; have the release read instead")
    return inner

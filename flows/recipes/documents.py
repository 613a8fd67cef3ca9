"""The YAML of a recipe, before its keys mean anything."""

import re
from pathlib import Path
from typing import Any, Final

import yaml

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


def recipe_document(path: Path) -> dict[str, Any]:
    """The keys and values of a recipe file.

    Raises:
        RecipeError: The file cannot be read, or holds no YAML of keys and values.
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
    return document

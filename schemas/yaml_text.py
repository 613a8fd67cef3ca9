"""YAML that people write, without its surprises and within limits."""

import re
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.files import FileKind, read_text
from memassay.schemas.section_errors import explain

Shape = TypeVar("Shape", bound=BaseModel)

_MOST_VALUES: Final = 100_000
"""Values of a file, those behind its aliases counted each time (our choice)."""
_DEEPEST: Final = 100
_MOST_DIGITS: Final = 18
"""Of a whole number: it fits into 64 bits, as databases and other programs need it."""
_ENDLESS: Final = (-1, -1)
"""In place of the measures of a node that is being measured."""
_BOOL: Final = "tag:yaml.org,2002:bool"
_BOOLEAN: Final = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")


class _Bounded:
    """A loader whose documents, aliases written out, stay within our limits."""

    def get_single_node(self) -> Any:
        """The root of the document."""
        root = super().get_single_node()  # type: ignore[misc]
        if root is not None:
            _measure(root, {})
        return root


class _Loader(_Bounded, yaml.SafeLoader):
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

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        """A whole number of at most 18 digits: Python itself refuses very long ones."""
        if len(node.value.strip("+-")) > _MOST_DIGITS:
            raise _refusal(f"expected a number of at most {_MOST_DIGITS} digits", node)
        number: int = super().construct_yaml_int(node)
        return number


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)
_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, _BOOLEAN if tag == _BOOL else pattern)
        for tag, pattern in resolvers
        if tag != _BOOL or first in "tTfF"
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class _QuickLoader(_Bounded, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Plain YAML 1.1, ten times as fast where PyYAML was built with libyaml."""


def _refusal(reason: str, node: yaml.Node) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, reason, node.start_mark)


def _measure(node: yaml.Node, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """How many values a node holds, and how deep it is, with its aliases written out.

    Args:
        node: The node.
        known: The same of nodes that were measured, by identity.
    """
    if id(node) not in known:
        known[id(node)] = _ENDLESS
        parts = node.value if isinstance(node, yaml.CollectionNode) else []
        nodes = (
            [part for pair in parts for part in pair]
            if isinstance(node, yaml.MappingNode)
            else parts
        )
        measures = [_measure(part, known) for part in nodes]
        size = 1 + sum(values for values, _ in measures)
        depth = 1 + max((deep for _, deep in measures), default=0)
        if size > _MOST_VALUES:
            raise _refusal(f"expected at most {_MOST_VALUES:,} values, aliases written out", node)
        if depth > _DEEPEST:
            raise _refusal(f"expected lists and keys at most {_DEEPEST} deep", node)
        known[id(node)] = (size, depth)
    elif known[id(node)] == _ENDLESS:
        raise _refusal("expected no alias inside of what it names", node)
    return known[id(node)]


def read_yaml(path: Path, kind: FileKind) -> Any:
    """What a YAML file says; None if it is empty.

    Raises:
        SourceError: It cannot be read, is no YAML, or is beyond our limits.
    """
    return decode_yaml(path, read_text(path, kind))


def read_yaml_as(shape: type[Shape], path: Path, kind: FileKind) -> Shape:
    """A YAML file that is one object of a shape.

    Raises:
        UsageError: It cannot be read, is no YAML, or does not fit; the message names each field.
    """
    given = read_yaml(path, kind)
    if not isinstance(given, dict):
        raise UsageError(f"{path}: expected {kind.what}, got {type(given).__name__}")
    try:
        return shape.model_validate(given)
    except ValidationError as error:
        raise UsageError("\n".join(f"{path}: {each}" for each in explain(error, shape))) from None


def decode_yaml(path: Path, text: str, *, large: bool = False) -> Any:
    """What the text of a YAML file says; None if it is empty.

    Args:
        path: The file, for messages.
        text: What is in it.
        large: Whether it is long, so that it is read fast and as YAML 1.1.

    Raises:
        SourceError: It is no YAML, or is beyond our limits.
    """
    try:
        return yaml.load(text, _QuickLoader if large else _Loader)
    except (yaml.YAMLError, TypeError, ValueError) as error:
        raise SourceError(f"{path}: expected YAML: {' '.join(str(error).split())}") from error
    except RecursionError:
        words = f"expected lists and keys at most {_DEEPEST} deep, got deeper ones"
        raise SourceError(f"{path}: {words}") from None

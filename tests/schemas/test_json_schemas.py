"""The JSON Schemas: generated, committed, described, and read alike by every validator."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from memassay.schemas.json_schemas import DIALECT, FOLDER, generate, shipped_schema, write_all
from memassay.schemas.kinds import KINDS, version_of

# What Python, Rust and ECMAScript read alike: literals, ASCII classes, groups, counts.
PORTABLE = re.compile(
    r"""(?:
        [A-Za-z0-9_:;,/@ -]          # literals
      | \\[.nr/-]                    # escapes of single characters
      | \[(?:[A-Za-z0-9._:/\ -]|\\[nr])+\]
      | \(\?: | \) | \|              # groups without capture
      | \{[0-9]+(?:,[0-9]*)?\} | [?*+]
      | \^ | \$
    )*""",
    re.VERBOSE,
)


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from _nodes(value)
    if isinstance(node, list):
        for value in node:
            yield from _nodes(value)


@pytest.mark.parametrize("kind", KINDS)
def test_the_committed_schema_is_the_generated_one(kind: str) -> None:
    """`python -m memassay.schemas.json_schemas` would change nothing."""
    assert shipped_schema(kind) == generate(kind)


def test_writing_gives_the_committed_bytes(tmp_path: Path) -> None:
    """The files are written byte for byte as they are committed, and no other file lies there."""
    written = {path.name: path.read_bytes() for path in write_all(tmp_path)}
    assert written == {path.name: path.read_bytes() for path in FOLDER.iterdir()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_says_what_it_is(kind: str) -> None:
    """Dialect and id stand in the schema, and it is a valid schema of its dialect."""
    schema = shipped_schema(kind)
    assert schema["$schema"] == DIALECT
    assert schema["$id"] == f"urn:memassay:schema:{kind}:{version_of(kind)}"
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_uses_nothing_that_validators_read_differently(kind: str) -> None:
    """No `format`, no fraction as `multipleOf`, no pattern beyond the portable subset."""
    for node in _nodes(shipped_schema(kind)):
        assert not isinstance(node.get("format"), str)
        assert not isinstance(node.get("multipleOf"), float)
        pattern = node.get("pattern")
        if isinstance(pattern, str):
            assert PORTABLE.fullmatch(pattern), pattern


@pytest.mark.parametrize("kind", KINDS)
def test_a_pattern_with_anchors_forbids_line_breaks(kind: str) -> None:
    """Whoever reads `$` as "before a final newline" is held by a second constraint."""
    for node in _nodes(shipped_schema(kind)):
        if str(node.get("pattern", "")).endswith("$"):
            assert node["not"] == {"pattern": "[\\n\\r]"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_described(kind: str) -> None:
    """Each field of each shape has a description, or refers to a shape that has one."""
    schema = shipped_schema(kind)
    shapes = [schema, *schema.get("$defs", {}).values()]
    silent = [
        name
        for shape in shapes
        for name, field in shape.get("properties", {}).items()
        if not any(node.get("description") for node in _nodes(field))
    ]
    assert silent == []
    assert all(shape.get("description") for shape in shapes if "properties" in shape)


@pytest.mark.parametrize("kind", KINDS)
def test_shapes_are_closed(kind: str) -> None:
    """An unknown key is an error in every shape that has fields."""
    schema = shipped_schema(kind)
    for shape in [schema, *schema.get("$defs", {}).values()]:
        if "properties" in shape:
            assert shape["additionalProperties"] is False

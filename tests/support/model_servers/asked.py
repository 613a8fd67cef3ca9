"""What a request asks for, whatever the protocol, and how to answer by its schema."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

_DATA = re.compile(r"<data ([0-9a-f]{12})>\n(.*?)\n</data \1>", re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """One request, read.

    Attributes:
        model: Name of the model.
        system: Instructions.
        text: What the user wrote, labels of images included.
        images: Number of images shown.
        schema_name: Name of the reply's shape; empty in JSON mode and for Gemini.
        schema: JSON Schema of the reply.
    """

    model: str
    system: str
    text: str
    images: int
    schema_name: str
    schema: dict[str, Any]

    def data(self) -> list[str]:
        """What is quoted as data, in order."""
        return [found[2] for found in _DATA.finditer(self.text)]


Answer = Callable[[Asked], Any]
"""Gives the reply to a request, as a JSON value."""


def by_schema(asked: Asked) -> Any:
    """Some value that fits the schema; the same for the same request."""
    return _value(asked.schema, asked.schema, Random(asked.text))


def _value(schema: dict[str, Any], root: dict[str, Any], random: Random) -> Any:
    if "$ref" in schema:
        return _value(root["$defs"][schema["$ref"].rpartition("/")[2]], root, random)
    if "enum" in schema:
        return random.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], root, random)
    kind = schema.get("type", "string")
    if kind == "object":
        return {key: _value(part, root, random) for key, part in schema["properties"].items()}
    if kind == "array":
        return [_value(schema["items"], root, random) for _ in range(2)]
    drawn = {"integer": random.randint(0, 9), "number": 0.5, "boolean": True, "null": None}
    return drawn.get(kind, f"word{random.randint(0, 999)}")


def cut_off(text: str) -> str:
    """The first half of a reply, as when the room runs out."""
    return text[: len(text) // 2]


def as_text(value: Any) -> str:
    """A reply as the JSON a model would write."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

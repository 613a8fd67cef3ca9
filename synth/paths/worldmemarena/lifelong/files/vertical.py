"""Verticals: one YAML file each, what can be true of a project or a life."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from memassay.schemas.files import MIB, FileKind
from memassay.schemas.yaml_text import read_yaml_as
from memassay.synth.paths.worldmemarena.lifelong.files.parts import (
    Attribute,
    EventSpec,
    Kind,
    Part,
    RuleSpec,
    Scene,
    Sources,
    Texts,
)

LIBRARY: Final = Path(__file__).parent.parent / "library"
"""Our own verticals."""
LIFE: Final = "life"
"""The vertical of lives; all others are projects."""
_FILE: Final = FileKind("a vertical", MIB)


class Slot(NamedTuple):
    """A property of a thing that can have a value: what later changes are keyed by."""

    thing: str
    attribute: str


class Vertical(Part):
    """What can be true, and how it is said.

    Attributes:
        vertical: Its name, that of its file.
        domain: `lifelong/project/NAME` or `lifelong/personal`.
        users: Names of whom one is the user.
        people: Names that values can be.
        kinds: Kinds of things.
        sources: Sources that disagree.
        rules: Rules that are taught.
        events: What happens and changes several slots.
        scenes: Event types of sessions.
    """

    vertical: Annotated[str, Field(pattern=r"^[a-z][a-z-]{1,30}$")]
    domain: Annotated[str, Field(pattern=r"^lifelong/(personal|project/[a-z]+)$")]
    users: Texts
    people: Annotated[list[str], Field(min_length=12, max_length=30)]
    kinds: Annotated[dict[str, Kind], Field(min_length=4)]
    sources: Sources
    rules: Annotated[dict[str, RuleSpec], Field(min_length=1, max_length=2)]
    events: Annotated[dict[str, EventSpec], Field(min_length=2, max_length=30)]
    scenes: Annotated[dict[str, Scene], Field(min_length=3, max_length=30)]

    @model_validator(mode="after")
    def _knows_its_parts(self) -> "Vertical":
        for name, event in self.events.items():
            own = self.kinds[event.kind].attributes if event.kind in self.kinds else {}
            for attribute in (*event.needs, *event.effects):
                if attribute not in own:
                    raise PydanticCustomError(
                        "event",
                        "events.{name}: expected an attribute of a kind, got {got}",
                        {"name": name, "got": f"{event.kind}.{attribute}"},
                    )
        for name, rule in self.rules.items():
            kind, _, attribute = rule.of.partition(".")
            if kind not in self.kinds or attribute not in self.kinds[kind].attributes:
                raise PydanticCustomError(
                    "rule",
                    "rules.{name}.of: expected a kind and its attribute, got {got}",
                    {"name": name, "got": rule.of},
                )
        return self

    def attribute(self, kind: str, attribute: str) -> Attribute:
        """An attribute of a kind."""
        return self.kinds[kind].attributes[attribute]


@lru_cache(maxsize=32)
def load_vertical(path: Path) -> Vertical:
    """A vertical from its file.

    Raises:
        UsageError: It cannot be read, is no YAML, or is no vertical; the message names each field.
    """
    return read_yaml_as(Vertical, path, _FILE)

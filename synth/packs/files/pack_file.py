"""Topic packs: one YAML file a topic (design: facts and scenes are data, dialogues are plans)."""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field

from memassay.schemas.files import MIB, FileKind
from memassay.schemas.yaml_text import read_yaml_as
from memassay.synth.packs.files.pack_parts import (
    ChangeSpec,
    JoinSpec,
    ListSpec,
    NeverSpec,
    PackFact,
    PackImage,
    PackRound,
    Part,
    RoleSpec,
    SceneSpec,
    Sentences,
)

LIBRARY: Final = Path(__file__).parent.parent / "library"
"""Our own packs."""
SLOT: Final = re.compile(r"\{(@?[a-z][a-z0-9_]*(?:\.the)?)\}")
"""A fact, a role (`@tutor`), or `old`, `new`, `item` and `item.the` of changes and lists."""
_NAMES: Final = re.compile(r"[a-z]\w*")
_FILE: Final = FileKind("a pack", MIB)


ALONE: Final = SceneSpec.model_construct(
    phase=[], about="", rounds=[PackRound.model_construct(user=(), assistant=())]
)
"""Scene of a round that has nothing but an aside: it says nothing of its own."""


class Pack(Part):
    """A topic: who and what it is about, what can be true, what can be said in which order.

    Attributes:
        pack: Its name, that of its file.
        category: MMRC's category (E).
        group: `daily` or `professional` (Fig. 18).
        domain: The domain in the category, in a few words.
        phases: The course, in order; scenes come in phases that only rise.
        paths: Paths whose full-size recipes may use it; no two packs of one path share a text.
    """

    pack: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{1,39}$")]
    category: str
    group: Literal["daily", "professional"]
    domain: str
    phases: Annotated[list[str], Field(min_length=2, max_length=6)]
    roles: dict[str, RoleSpec] = Field(default={})
    facts: Annotated[dict[str, PackFact], Field(min_length=6)]
    changes: Annotated[dict[str, ChangeSpec], Field(min_length=2)]
    lists: Annotated[dict[str, ListSpec], Field(min_length=1)]
    joins: Annotated[list[JoinSpec], Field(min_length=3)]
    never: Annotated[list[NeverSpec], Field(min_length=4)]
    images: Annotated[dict[str, PackImage], Field(min_length=6)]
    scenes: Annotated[dict[str, SceneSpec], Field(min_length=8)]
    paths: list[str] = Field(default=["mmrc"])

    @cached_property
    def tellers(self) -> dict[str, list[str]]:
        """By fact, the scenes that tell it."""
        made: dict[str, list[str]] = {}
        for name, scene in self.scenes.items():
            for fact in scene.tells:
                made.setdefault(fact, []).append(name)
        return made

    @cached_property
    def needs(self) -> dict[str, frozenset[str]]:
        """By scene, the facts that must have been told: those that its words use, and more."""
        return {name: self._needs_of(scene) for name, scene in self.scenes.items()}

    def _needs_of(self, scene: SceneSpec) -> frozenset[str]:
        used = {slot for text in texts_of(scene) for slot in slots_of(text)}
        for round_ in scene.rounds:
            if round_.shows is not None and round_.shows in self.images:
                used |= set(read_in(self.images[round_.shows]))
        laws = {name for fact in scene.tells if fact in self.facts for name in self.law_of(fact)}
        told = {name for name in laws if not self.facts[name].hidden}
        return frozenset((used & self.facts.keys() | set(scene.needs) | told) - set(scene.tells))

    def law_of(self, fact: str) -> list[str]:
        """Facts that the law of a fact computes with, those of hidden ones included."""
        law = self.facts[fact].law
        own = [name for name in _NAMES.findall(law or "") if name in self.facts]
        return own + [deep for name in own if self.facts[name].hidden for deep in self.law_of(name)]

    def scene(self, name: str) -> SceneSpec:
        """A scene; without a name, that of an aside of its own."""
        return self.scenes[name] if name else ALONE

    def phase_at(self, phase: str) -> int:
        """Position of a phase in the course."""
        return self.phases.index(phase)


def texts_of(scene: SceneSpec) -> Iterator[str]:
    """Every wording of a scene."""
    for round_ in scene.rounds:
        for text in (round_.user, round_.assistant, round_.shown or ()):
            yield from wordings_in(text)


def wordings_in(text: Sentences) -> Iterator[str]:
    """Every wording of a turn."""
    for sentence in text:
        yield from sentence.wordings


def slots_of(text: str) -> list[str]:
    """The slots of a wording: facts as they are, roles with `@`."""
    return SLOT.findall(text)


def read_in(image: PackImage) -> list[str]:
    """Facts that can be read in a picture."""
    texts = [image.title, *image.rows.values(), *image.lines.values()]
    return [slot for text in texts for slot in slots_of(text) if not slot.startswith("@")]


def image_rounds(scene: SceneSpec) -> list[PackRound]:
    """The rounds of a scene that show a picture."""
    return [round_ for round_ in scene.rounds if round_.shows is not None]


def load_pack(path: Path) -> Pack:
    """A pack from its file.

    Raises:
        UsageError: It cannot be read, is no YAML, or is no pack; the message names each field.
    """
    return read_yaml_as(Pack, path, _FILE)

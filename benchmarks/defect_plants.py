"""Kinds of defects, what one plant of a kind is, and the records that it can change."""

import importlib
import pkgutil
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from defect_files import Copy
from defect_rows import Document


@dataclass(frozen=True)
class Plant:
    """One defect of a copy.

    Attributes:
        kind: Name of its kind.
        ids: Records or files; a finding about any of them finds the plant.
        what: What was changed, for people.
        pointers: Pairs of a record and a pointer in it, for records that hold many plants.
    """

    kind: str
    ids: tuple[str, ...]
    what: str
    pointers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Kind:
    """A kind of defect.

    Attributes:
        name: Its name.
        family: The module that plants it.
        plant: Plants as long as it is asked; gives each plant after it was made, and none in a
            release that has no place for it.
        files: Whether it changes written files instead of records.
        alone: Whether a copy holds one plant of it and nothing else.
        at_most: Plants that there can be.
    """

    name: str
    family: str
    plant: Callable[..., Iterator[Plant]]
    files: bool
    alone: bool
    at_most: int


KINDS: Final[dict[str, Kind]] = {}


def kind(
    name: str, *, files: bool = False, alone: bool = False, at_most: int = 1000
) -> Callable[[Callable[..., Iterator[Plant]]], Callable[..., Iterator[Plant]]]:
    """Register a kind under a name."""

    def register(plant: Callable[..., Iterator[Plant]]) -> Callable[..., Iterator[Plant]]:
        if name in KINDS:
            raise ValueError(f"{name}: expected a new name, got one that is taken")
        family = plant.__module__.rpartition(".")[2]
        KINDS[name] = Kind(name, family, plant, files, alone, at_most)
        return plant

    return register


def all_kinds() -> dict[str, Kind]:
    """Every kind of the package `defect_kinds`, by name."""
    import defect_kinds

    for module in pkgutil.iter_modules(defect_kinds.__path__):
        importlib.import_module(f"defect_kinds.{module.name}")
    return KINDS


@dataclass
class Site:
    """A copy with the plants made so far; no two of them change the same item or picture."""

    copy: Copy
    random: random.Random
    kind: str = ""
    folder: Path = field(default_factory=Path)
    used: set[str] = field(default_factory=set)

    def items(self, *codes: str, formats: tuple[str, ...] = ()) -> Iterator[Document]:
        """Questions that no plant changes yet, in random order, of these benchmark types."""
        items = sorted(self.copy.questions.values(), key=lambda item: str(item["id"]))
        self.random.shuffle(items)
        for item in items:
            if codes and item["benchmark_type"] not in codes:
                continue
            if formats and item["answer"]["format"] not in formats:
                continue
            if item["id"] not in self.used:
                yield item

    def facts(self, item: Document) -> list[Document]:
        """The facts that an item rests on."""
        known = {one["id"]: one for one in self.copy.ledgers[item["conversation"]]["facts"]}
        return [known[name] for name in item["evidence"]["facts"] if name in known]

    def pictures(self) -> Iterator[Document]:
        """Assets with PNG bytes that no plant changes yet, in random order."""
        assets = sorted(self.copy.assets.values(), key=lambda asset: str(asset["id"]))
        self.random.shuffle(assets)
        for asset in assets:
            present = asset["availability"] == "present" and asset["media_type"] == "image/png"
            if present and asset["id"] in self.copy.blobs and asset["id"] not in self.used:
                yield asset

    def turns(self) -> Iterator[tuple[str, str, str]]:
        """The text of every turn, with the ids of its round and of itself."""
        for name, conversation in self.copy.conversations.items():
            for session in conversation["sessions"]:
                for round_ in session["rounds"]:
                    for turn in round_["turns"]:
                        yield turn["text"] or "", f"{name}/{round_['id']}", f"{name}/{turn['id']}"

    def one(self, *choices: Any) -> Any:
        """One of several at random."""
        return self.random.choice(choices)

    def item_plant(self, item: Document, what: str, *more: str) -> Plant:
        """An item was changed; `more` are other records that a finding may name."""
        self.used.add(item["id"])
        return Plant(self.kind, (item["id"], *more), what)

    def asset_plant(self, asset: Document, what: str, *more: str) -> Plant:
        """An asset was changed; the items that rest on it may be named, too."""
        self.used.add(asset["id"])
        ids = (asset["id"], *more, *self._resting_on(asset))
        return Plant(self.kind, tuple(dict.fromkeys(ids)), what)

    def _resting_on(self, asset: Document) -> list[str]:
        name = asset["id"].partition("/")[0]
        ledger = self.copy.ledgers.get(name, {"mentions": []})
        facts = {one["fact"] for one in ledger["mentions"] if one["asset"] == asset["id"]}
        return [
            item["id"]
            for item in self.copy.questions.values()
            if item["conversation"] == name and set(item["evidence"]["facts"]) & facts
        ]

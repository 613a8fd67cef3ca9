"""Kinds of defects, what one plant of a kind is, and the places where plants may stand."""

import importlib
import pkgutil
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from defect_files import Copy
from defect_rows import Document

LEDGER: Final = "ledger"
FOREIGN: Final = "foreign"
SMALL: Final = "small"


@dataclass(frozen=True)
class Plant:
    """One defect that stands in a copy.

    Attributes:
        kind: Name of its kind.
        ids: Records or files; a finding about any of them finds the plant.
        pointers: Pairs of a record and a pointer in it, for records that hold many plants.
        what: What was changed, for people.
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
        family: The module it stands in.
        plant: Plants as long as it is asked; gives each plant after it was made.
        on: Sorts of releases that it can be planted in.
        knowable: Whether a reader with the release in hand could know.
        why: Why not, or what gives it away.
        files: Whether it changes written files instead of records.
        alone: Whether a copy holds one plant of it and nothing else.
        at_most: Plants that there can be.
    """

    name: str
    family: str
    plant: Callable[..., Iterator[Plant]]
    on: frozenset[str]
    knowable: bool
    why: str
    files: bool
    alone: bool
    at_most: int


KINDS: Final[dict[str, Kind]] = {}


def kind(
    name: str,
    *on: str,
    knowable: bool = True,
    why: str = "",
    files: bool = False,
    alone: bool = False,
    at_most: int = 1000,
) -> Callable[[Callable[..., Iterator[Plant]]], Callable[..., Iterator[Plant]]]:
    """Register a kind under a name, for the sorts of releases `on`."""

    def register(plant: Callable[..., Iterator[Plant]]) -> Callable[..., Iterator[Plant]]:
        if name in KINDS:
            raise ValueError(f"{name}: expected a new name, got one that is taken")
        family = plant.__module__.rpartition(".")[2]
        sorts = frozenset(on)
        KINDS[name] = Kind(name, family, plant, sorts, knowable, why, files, alone, at_most)
        return plant

    return register


def all_kinds() -> dict[str, Kind]:
    """Every kind of the package `defect_kinds`, by name."""
    import defect_kinds

    for module in pkgutil.iter_modules(defect_kinds.__path__):
        importlib.import_module(f"defect_kinds.{module.name}")
    return KINDS


def sorts_of(copy: Copy) -> frozenset[str]:
    """Which kinds of defects a release can take."""
    facts = any(ledger["facts"] for ledger in copy.ledgers.values())
    queries = sum(1 for item in copy.questions.values() if item.get("query"))
    sort = LEDGER if facts and queries * 2 > len(copy.questions) else FOREIGN
    found = {sort}
    if len(copy.questions) <= 200:
        # What is small and foreign is made up for tests: it takes what concerns files alone.
        found = {SMALL, sort} if sort == LEDGER else {SMALL}
    return frozenset(found)


@dataclass
class Spot:
    """A turn with all that it stands in."""

    conversation: Document
    session: Document
    round: Document
    turn: Document

    @property
    def place(self) -> tuple[str, str]:
        """Conversation and round."""
        return self.conversation["id"], self.round["id"]

    def ids(self) -> tuple[str, ...]:
        """The names that a finding may call it by."""
        name = self.conversation["id"]
        return f"{name}/{self.round['id']}", f"{name}/{self.turn['id']}"

    def pointer(self) -> tuple[str, str]:
        """Where it stands inside the record of its conversation."""
        sessions = self.conversation["sessions"]
        rounds = self.session["rounds"]
        where = f"/sessions/{sessions.index(self.session)}/rounds/{rounds.index(self.round)}"
        return self.conversation["id"], where


@dataclass
class Site:
    """A copy with the plants made so far; no two of them touch the same places."""

    copy: Copy
    random: random.Random
    kind: str = ""
    folder: Path = field(default_factory=Path)
    items_used: set[str] = field(default_factory=set)
    rounds_read: set[tuple[str, str]] = field(default_factory=set)
    rounds_used: set[tuple[str, str]] = field(default_factory=set)
    assets_used: set[str] = field(default_factory=set)
    avoid: set[str] = field(default_factory=set)
    _places: dict[tuple[str, ...], list[tuple[str, str]]] = field(default_factory=dict)

    # --- where ----------------------------------------------------------------------------------

    def items(
        self,
        *codes: str,
        answerable: bool | None = None,
        formats: tuple[str, ...] = (),
        where: Callable[[Document], bool] = lambda _: True,
    ) -> Iterator[Document]:
        """Questions that no plant touches yet, in random order."""
        items = sorted(self.copy.questions.values(), key=lambda item: str(item["id"]))
        self.random.shuffle(items)
        for item in items:
            if codes and item["benchmark_type"] not in codes:
                continue
            if answerable is not None and item["answerable"] is not answerable:
                continue
            if formats and item["answer"]["format"] not in formats:
                continue
            if self.free(item) and where(item):
                yield item

    def free(self, item: Document) -> bool:
        """Whether an item and what it rests on are as they were."""
        if item["id"] in self.items_used or item["id"] in self.avoid:
            return False
        return not self.rounds_used & set(self.places(item))

    def places(self, item: Document) -> list[tuple[str, str]]:
        """The rounds that an item rests on."""
        key = (item["id"], *item["evidence"]["canonical"], *item["answer"]["values"])
        if key not in self._places:
            self._places[key] = self._places_of(item)
        return self._places[key]

    def _places_of(self, item: Document) -> list[tuple[str, str]]:
        name = item["conversation"]
        places = {one.partition(".")[0] for group in item["evidence"]["groups"] for one in group}
        shown = {place for place in places if "_" in place}
        named = {*shown, *item["answer"]["values"], *item["answer"]["competitors"]}
        return [
            *((name, place) for place in sorted(places - shown)),
            *((name, round_) for round_ in self._rounds_showing(name, named)),
        ]

    def _rounds_showing(self, name: str, shown: set[str]) -> list[str]:
        if not any(":IMG_" in one or ":DOC_" in one for one in shown):
            return []
        return [
            spot.round["id"]
            for spot in self.all_spots(name)
            for one in spot.turn["attachments"]
            if one["id"] in shown
        ]

    def all_spots(self, name: str) -> Iterator[Spot]:
        """All turns of a conversation in order."""
        conversation = self.copy.conversations[name]
        for session in conversation["sessions"]:
            for round_ in session["rounds"]:
                for turn in round_["turns"]:
                    yield Spot(conversation, session, round_, turn)

    def spots(
        self, name: str | None = None, *, said_by: str = "", least: int = 60
    ) -> Iterator[Spot]:
        """Turns in random order whose rounds no plant touches or rests on.

        Args:
            name: Of this conversation; of all if none.
            said_by: Kind of speaker.
            least: Characters that the turn has.
        """
        names = [name] if name else sorted(self.copy.conversations)
        spots = [spot for one in names for spot in self.all_spots(one)]
        self.random.shuffle(spots)
        for spot in spots:
            if spot.place in self.rounds_used or spot.place in self.rounds_read:
                continue
            kinds = {one["id"]: one["kind"] for one in spot.conversation["speakers"]}
            if said_by and kinds.get(spot.turn["speaker"]) != said_by:
                continue
            if len(spot.turn["text"] or "") >= least:
                yield spot

    def spot(self, name: str, place: str, turn: int = 0) -> Spot:
        """A turn of a round by its place."""
        found = [spot for spot in self.all_spots(name) if spot.round["id"] == place]
        return found[min(turn, len(found) - 1)]

    # --- what is there --------------------------------------------------------------------------

    def facts(self, item: Document) -> list[Document]:
        """The facts that an item rests on."""
        known = {one["id"]: one for one in self.copy.ledgers[item["conversation"]]["facts"]}
        return [known[name] for name in item["evidence"]["facts"] if name in known]

    def all_facts(self, name: str) -> list[Document]:
        """All facts of a conversation."""
        return self.copy.ledgers[name]["facts"]

    def mentions(self, name: str, fact: str) -> list[Document]:
        """Where a fact can be seen."""
        return [one for one in self.copy.ledgers[name]["mentions"] if one["fact"] == fact]

    def one(self, *choices: Any) -> Any:
        """One of several at random."""
        return self.random.choice(choices)

    # --- what was planted -----------------------------------------------------------------------

    def item_plant(self, item: Document, what: str, *more: str) -> Plant:
        """An item was changed."""
        self.items_used.add(item["id"])
        self.rounds_read |= set(self.places(item))
        return Plant(self.kind, (item["id"], *more), what)

    def turn_plant(self, spot: Spot, what: str, *items: Document) -> Plant:
        """A turn was changed; `items` are the questions that it makes wrong."""
        self.rounds_used.add(spot.place)
        touched = [*items, *self._resting_on(spot)]
        for item in touched:
            self.items_used.add(item["id"])
        names = tuple(dict.fromkeys(item["id"] for item in touched))
        return Plant(self.kind, (*names, *spot.ids()), what, (spot.pointer(),))

    def _resting_on(self, spot: Spot) -> list[Document]:
        return [
            item
            for item in self.copy.questions.values()
            if item["conversation"] == spot.place[0] and spot.place in self.places(item)
        ]

    def asset_plant(self, asset: str, what: str, *more: str) -> Plant:
        """An asset was changed, or how it is shown; whoever asks about it is named too."""
        self.assets_used.add(asset)
        name = asset.partition("/")[0]
        names = [f"{name}/{one}" for one in more if ":" in one]
        ids = (asset, *more, *names)
        pointers: list[tuple[str, str]] = []
        for spot in list(self.all_spots(name)):
            if any(one["asset"] == asset for one in spot.turn["attachments"]):
                plant = self.turn_plant(spot, what)
                ids, pointers = (*ids, *plant.ids), [*pointers, *plant.pointers]
        return Plant(self.kind, tuple(dict.fromkeys(ids)), what, tuple(pointers))

    def pictures(
        self, where: Callable[[Document, Document, Spot], bool] = lambda *_: True
    ) -> Iterator[tuple[Document, Document, Spot]]:
        """Pictures of the history that no plant touches: attachment, asset, the turn."""
        spots = [spot for name in sorted(self.copy.conversations) for spot in self.all_spots(name)]
        self.random.shuffle(spots)
        for spot in spots:
            for shown in spot.turn["attachments"]:
                asset = self.copy.assets.get(shown["asset"])
                if asset is None or asset["id"] in self.assets_used:
                    continue
                if spot.place in self.rounds_used or spot.place in self.rounds_read:
                    continue
                if where(shown, asset, spot):
                    yield shown, asset, spot

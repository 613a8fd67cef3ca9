"""The histories of a recipe made again one by one, each beside what a release has of it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from memassay.exports.release.checking.spill import Spill, SpilledRecords, owner_of
from memassay.flows.engine.audits import Audit
from memassay.flows.recipes.again.remaking import Key, Part, Remaking, Sources
from memassay.flows.recipes.plans import audits_of, make_audits, making, setting_of
from memassay.schemas.base import Record
from memassay.schemas.changes.cluster_decisions import Decided
from memassay.schemas.contracts.blobs import InMemory, NoBytes
from memassay.schemas.contracts.protocols import GatheringStage, Scope, Stage
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.errors import RecordError
from memassay.schemas.ids import conversation_of
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import kind_of


class Owned:
    """The records of a release, to be had by their conversation."""

    def __init__(self, records: Mapping[str, Sequence[Record]]) -> None:
        """Take records by kind; what is on the disk is left there."""
        self._kinds = [*records]
        self._spill: Spill | None = None
        self._spilled: set[str] = set()
        self._kept: dict[str, list[Record]] = {}
        for kind, own in records.items():
            if isinstance(own, SpilledRecords):
                self._spill = own.spill
                self._spilled.add(kind)
                continue
            for one in own:
                self._kept.setdefault(owner_of(one), []).append(one)

    def of(self, owner: str) -> list[Record]:
        """The records of one conversation, by the order of kinds."""
        by_kind: dict[str, list[Record]] = {kind: [] for kind in self._kinds}
        for one in self._kept.get(owner, ()):
            by_kind[kind_of(one)].append(one)
        for one in self._spill.records(owner) if self._spill else ():
            if kind_of(one) in self._spilled:
                by_kind[kind_of(one)].append(one)
        return [one for own in by_kind.values() for one in own]


@dataclass(frozen=True)
class Apart:
    """What a process must know that makes histories again.

    Attributes:
        recipe: The recipe.
        folder: What its paths are relative to.
        worded: By stage, kinds of records that models worded.
        sources: By stage, the units of sources with the hashes of what they are made from.
        is_mended: Whether the release has anything mended.
        owned: The records of the release.
    """

    recipe: PathRecipe
    folder: Path
    worded: Mapping[str, frozenset[str]]
    sources: Sources
    is_mended: bool
    owned: Owned

    @cached_property
    def stages(self) -> list[Stage]:
        """The stages; each process makes them once."""
        recipe, folder = self.recipe, self.folder
        return making(recipe, setting_of(folder, folder, recipe.copies), Decided())

    @cached_property
    def audits(self) -> Mapping[str, Audit]:
        """By stage, the rules whose findings it mends."""
        wanted = audits_of(self.recipe) if self.is_mended else None
        return make_audits(wanted, self.recipe.thresholds) if wanted is not None else {}


def can_be_apart(stages: Sequence[Stage]) -> bool:
    """Whether no stage looks at more than one conversation."""
    return not any(
        isinstance(stage, GatheringStage) or stage.scope is Scope.COLLECTION for stage in stages
    )


def make_one(apart: Apart, owner: str) -> list[Part] | None:
    """What every stage makes of one history; None if it makes anything of another one."""
    own = apart.owned.of(owner)
    held = [one for one in own if isinstance(one, HeldOut)]
    sources = {
        name: {owner: shards[owner]} if owner in shards else {}
        for name, shards in apart.sources.items()
    }
    remaking = Remaking(
        apart.recipe.seed,
        apart.audits,
        InMemory() if apart.is_mended else NoBytes(),
        records_by_key(own, held),
        held,
        apart.worded,
        sources,
    )
    parts = remaking.parts(apart.stages)
    owners = {conversation_of(name) for part in parts for (_, name), _ in part.made}
    return parts if owners <= {owner} else None


def records_by_key(records: Iterable[Record], held: Iterable[HeldOut]) -> dict[Key, Record]:
    """Records by kind and id, those among them that are held out, as far as they can be read."""
    return {**dict(_documents(held)), **{(kind_of(one), one.id): one for one in records}}


def _documents(held: Iterable[HeldOut]) -> Iterator[tuple[Key, Record]]:
    for one in held:
        if one.kind in ("conversation", "persona", "question"):
            try:
                record = parse_record(one.kind, json.loads(one.content))
            except (ValueError, RecordError, KeyError):
                continue
            yield (one.kind, one.record), record

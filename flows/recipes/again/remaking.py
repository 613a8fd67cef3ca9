"""The stages of a recipe run again in memory, beside a release that they may have made."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

from pydantic import JsonValue

from memassay.flows.engine.audits import Audit, audit_stage
from memassay.flows.engine.context import UnitContext
from memassay.flows.engine.streams.collection import RecordCollection
from memassay.schemas.base import Record
from memassay.schemas.blame import blaming
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.protocols import (
    CollectionStage,
    GatheringStage,
    RepairingStage,
    Scope,
    ShardStage,
    Stage,
)
from memassay.schemas.grouping import belongs_to
from memassay.schemas.hashing import canonical_json, content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.asset import PAINTED, Asset

Key = tuple[str, str]
"""Kind and id of a record."""
Sources = Mapping[str, Mapping[str, list[str]]]
"""By stage, the units of sources with the hashes of what they are made from."""
_OF_HISTORIES: Final = frozenset({"conversation", "event"})
_COLLECTION: Final = "*"


@dataclass
class Remade:
    """What stages made.

    Attributes:
        records: What was made and not made over by a later stage, with what gates held; as the
            release has it where that says the same.
        findings: What stages reported about their work.
        traced: Their provenance.
        worded: Stages whose words are a model's.
        certain: Whether the recipe was run as it is.
    """

    records: dict[Key, Record] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    traced: list[Provenance] = field(default_factory=list)
    worded: frozenset[str] = frozenset()
    certain: bool = True


class Part(NamedTuple):
    """What one stage made of one history.

    Attributes:
        made: By kind and id, in order; None for what the release has as it is.
        findings: What the stage reported.
        traced: Provenance of what it made.
    """

    made: list[tuple[Key, Record | None]]
    findings: list[Finding]
    traced: list[Provenance]


class Remaking:
    """One run of stages beside a release."""

    def __init__(
        self,
        seed: int,
        audits: Mapping[str, Audit],
        blobs: BlobStore,
        released: Mapping[Key, Record],
        held: Collection[HeldOut],
        worded: Mapping[str, Collection[str]],
        sources: Sources,
    ) -> None:
        """Take the seed, the audits that mend, and the release.

        Args:
            seed: The recipe's.
            audits: By stage, the rules whose findings it mends.
            blobs: Where bytes go; a store that keeps none if nothing need be painted.
            released: The records of the release, with what it holds out.
            held: What gates held: it goes no further, as it went no further then.
            worded: By stage, kinds of records that models worded: they are as the release has them.
            sources: What is made from sources.
        """
        self._seed, self._audits, self._blobs = seed, audits, blobs
        self._released, self._worded, self._sources = released, worded, sources
        self._held: dict[str, set[Key]] = {}
        for one in held:
            self._held.setdefault(one.stage, set()).add((one.kind, one.record))
        self._stream: dict[Key, Record] = {}
        self._hashes: dict[int, tuple[str, Record]] = {}
        self.remade = Remade(worded=frozenset(worded))

    def run(self, stages: Sequence[Stage]) -> Remade:
        """Run the stages in order.

        Raises:
            MemassayError: One of them cannot do its work.
        """
        for stage in stages:
            self._step(stage)
        return self._end()

    def parts(self, stages: Sequence[Stage]) -> list[Part]:
        """Run the stages in order; gives what each made, for `join`.

        Raises:
            MemassayError: One of them cannot do its work.
        """
        parts = []
        for stage in stages:
            findings, traced = len(self.remade.findings), len(self.remade.traced)
            made = [((kind_of(one), one.id), one) for one in self._step(stage)]
            parts.append(
                Part(
                    [(key, None if self._released.get(key) is one else one) for key, one in made],
                    self.remade.findings[findings:],
                    self.remade.traced[traced:],
                )
            )
        return parts

    def join(self, stages: Sequence[Stage], every: Iterable[Sequence[Part]]) -> Remade:
        """What a run of the stages gives, from the parts of every history in natural order."""
        for stage, parts in zip(stages, zip(*every, strict=True), strict=True):
            for part in parts:
                for key, one in part.made:
                    self._stream[key] = self._released[key] if one is None else one
                self.remade.findings += part.findings
                self.remade.traced += part.traced
            self._hold(stage)
        return self._end()

    def _end(self) -> Remade:
        self.remade.records.update(self._stream)
        return self.remade

    def _step(self, stage: Stage) -> list[Record]:
        """Run one stage and take over what it made."""
        made = []
        if stage.scope is Scope.SOURCE:
            shards = self._sources[stage.name]
            for shard in sorted(shards, key=natural_key):
                made += self._unit(stage, shard, [], shards[shard])
        else:
            for shard, given, depends in self._shards(stage):
                parents = [self._hash(one) for one in given]
                made += self._unit(stage, shard, given, parents, depends)
        if isinstance(stage, GatheringStage):
            self._end_histories(stage.stays)
        for record in made:
            self._stream[kind_of(record), record.id] = record
        self._hold(stage)
        return made

    def _shards(self, stage: Stage) -> Iterator[tuple[str, list[Record], JsonValue]]:
        """Each shard of a stage with what it is given and depends on, in order."""
        read = sorted(
            (one for (kind, _), one in self._stream.items() if kind in stage.reads),
            key=lambda one: (natural_key(one.id), kind_of(one)),
        )
        if isinstance(stage, GatheringStage):
            groups = stage.groups(RecordCollection(read))
            for shard, group in sorted(groups.items(), key=_first_naturally):
                of = {shard, *group.sources}
                yield shard, [one for one in read if belongs_to(one) in of], group.depends
        elif stage.scope is Scope.COLLECTION:
            yield _COLLECTION, read, None
        else:
            known = {belongs_to(one) for (kind, _), one in self._stream.items() if _is_told(kind)}
            shards: dict[str, list[Record]] = {}
            for one in read:
                shards.setdefault(belongs_to(one), []).append(one)
            for shard in sorted(known & shards.keys(), key=natural_key):
                yield shard, shards[shard], None

    def _unit(
        self,
        stage: Stage,
        shard: str,
        given: list[Record],
        parents: list[str],
        depends: JsonValue = None,
    ) -> list[Record]:
        context = UnitContext(self._seed, stage.name, shard, self._blobs, depends=depends)
        with blaming(f"stage {stage.name} for shard {shard}, made again,", stage):
            made = list(_run(stage, given, context))
        audit = self._audits.get(stage.name)
        if audit is not None and isinstance(stage, RepairingStage):
            done = audit_stage(stage, audit, given, made, context)
            made = [*done.records, *done.repairs]
            context.findings += done.findings
        made = [self._as_released(one) for one in made]
        if kinds := self._worded.get(stage.name):
            made = [one for one in made if kind_of(one) not in kinds]
            of = (one for (kind, _), one in self._released.items() if kind in kinds)
            made += [one for one in of if belongs_to(one) == shard]
        self.remade.findings += context.findings
        self.remade.traced += self._trace(stage, made, parents)
        return made

    def _trace(
        self, stage: Stage, made: Sequence[Record], parents: list[str]
    ) -> Iterator[Provenance]:
        data = [one for one in made if kind_of(one) in DATA_KINDS]
        if data:
            yield Provenance(
                id=f"{belongs_to(data[0])}/{stage.name}",
                made=[self._hash(one) for one in data],
                stage=stage.name,
                stage_version=stage.version,
                config_sha256=content_hash(stage.config),
                parents=parents,
            )

    def _hash(self, record: Record) -> str:
        """The content hash of a record that is kept, found once."""
        if id(record) not in self._hashes:
            self._hashes[id(record)] = (content_hash(record), record)
        return self._hashes[id(record)][0]

    def _as_released(self, record: Record) -> Record:
        """The record of the release where it says the same, painted and as the store orders it."""
        there = self._released.get((kind_of(record), record.id))
        if there is not None and is_same(record, there):
            return there
        # The store writes fields in the order of their names, and stages read them in that order.
        ordered = json.loads(canonical_json(record.model_dump(mode="json")))
        return type(record).model_validate(ordered)

    def _hold(self, stage: Stage) -> None:
        """Take out what the gate of a stage held; with a conversation all that is of it."""
        held = self._held.get(stage.name, set())
        gone = {name for kind, name in held if kind in ("conversation", "persona")}
        for key in list(self._stream):
            if key in held or (key[0] in DATA_KINDS and belongs_to(self._stream[key]) in gone):
                record = self._stream.pop(key)
                if key in held:
                    self.remade.records[key] = record

    def _end_histories(self, stays: Callable[[str], bool]) -> None:
        known = {name for kind, name in self._stream if kind == "conversation"}
        ended = {name for name in known if not stays(name)}
        for key in list(self._stream):
            if key[0] in DATA_KINDS | {"bank"} and belongs_to(self._stream[key]) in ended:
                del self._stream[key]


def _run(stage: Stage, given: list[Record], context: UnitContext) -> Iterable[Record]:
    if stage.scope is Scope.COLLECTION:
        return cast(CollectionStage, stage).run(RecordCollection(given), context)
    return cast(ShardStage, stage).run(given, context)


def is_same(made: Record, there: Record) -> bool:
    """Whether a record says what one that was made again says; what is not painted, apart."""
    if made == there:
        return True
    return document_of(made, there) == there.model_dump(mode="json")


def document_of(made: Record, there: Record) -> dict[str, Any]:
    """A record as JSON, with what only painting gives taken from the one that is there."""
    document = made.model_dump(mode="json")
    if isinstance(made, Asset) and isinstance(there, Asset) and made.blob_sha256 is None:
        document |= there.model_dump(mode="json", include={*PAINTED})
    return document


def _is_told(kind: str) -> bool:
    return kind in _OF_HISTORIES


def _first_naturally(pair: tuple[str, Any]) -> tuple[Any, ...]:
    return natural_key(pair[0])

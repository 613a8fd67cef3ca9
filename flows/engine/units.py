"""The plan of a run, and what one of its units makes: records, findings and provenance."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from memassay.flows.engine.audits import Audit, audit_stage
from memassay.flows.engine.context import Memory, UnitContext
from memassay.flows.engine.failures import (
    author_failed,
    author_repaired,
    refuse_no_record,
    refuse_strangers,
)
from memassay.flows.engine.streams.collection import StoredCollection
from memassay.flows.engine.streams.lineage import provenance
from memassay.flows.store.measures import keep_measures, recall_measures
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.blame import blaming
from memassay.schemas.contracts.authors import Authors
from memassay.schemas.contracts.collection import Header
from memassay.schemas.contracts.protocols import (
    CollectionStage,
    RepairingStage,
    Scope,
    ShardStage,
    Stage,
)
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import AuthorError, MemassayError

COLLECTION = "*"
"""Shard of a stage that works on all conversations at once."""
KEPT = "kept"
"""Name of the stage that gives the conversations of a release that is extended."""
Listener = Callable[[Sequence[Header], Sequence[Header]], None]
"""Takes what a stage was given and what it made, once it is closed."""


@dataclass(frozen=True)
class Plan:
    """What a run does: a name, a seed, stages in order, gates and audits of those that have one.

    Attributes:
        at_once: Histories that models write at the same time.
        listeners: Who wants to know what a stage was given and made, by its name.
        known: Conversations of a release that is extended: no source makes them again.
    """

    name: str
    seed: int
    stages: Sequence[Stage]
    gates: Mapping[str, GateSection] = field(default_factory=dict)
    path: str = "curate"
    audits: Mapping[str, Audit] = field(default_factory=dict)
    at_once: int = 1
    listeners: Mapping[str, Listener] = field(default_factory=dict)
    known: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Unit:
    """A stage and one of its shards.

    Attributes:
        stage: The stage.
        shard: What it works on.
        inputs: Content hashes of what it is given; of a source, of its files.
        depends: What a gathering stage said that it depends on; None in any other stage.
        owners: The conversations that it may write about.
        headers: Of all that a stage over all conversations is given.
    """

    stage: Stage
    shard: str
    inputs: Sequence[str]
    depends: JsonValue
    owners: set[str]
    headers: Sequence[Header] = ()


@dataclass(frozen=True)
class UnitMaker:
    """Makes the records of units.

    Attributes:
        workspace: Where records are kept.
        plan: What is done.
        authors: Models, if any write.
        is_over: Whether the run ends.
    """

    workspace: Workspace
    plan: Plan
    authors: Authors | None
    is_over: Callable[[], bool]

    def context(
        self, stage: Stage, shard: str, depends: JsonValue = None, memory: Memory | None = None
    ) -> UnitContext:
        """What a stage is given beside its records."""
        blobs = self.workspace.blobs
        return UnitContext(self.plan.seed, stage.name, shard, blobs, self.authors, memory, depends)

    def make(self, unit: Unit) -> list[Record]:
        """What a unit makes, with findings and provenance.

        Raises:
            MemassayError: The stage cannot make it; a note says for which shard.
        """
        stage, shard, store = unit.stage, unit.shard, self.workspace.store
        memory = Memory(store, stage.version, self.workspace.is_whole, self.is_over)
        context = self.context(stage, shard, unit.depends, memory)
        given = store.get_all(unit.inputs) if stage.scope is Scope.CONVERSATION else []
        recall_measures(self.workspace.engine, given)
        part = f"stage {stage.name} of path {self.plan.path} for shard {shard}"
        made: list[Record] = []
        with blaming(part, stage):
            try:
                for record in self._run(unit, given, context):
                    refuse_no_record(stage, record)
                    made.append(record)
                made = self._audit(stage, given, made, context)
                refuse_strangers(stage, made, unit.owners)
            except AuthorError as error:
                # One history fails alone; what was paid for it is kept for the next try.
                context.emit(author_failed(shard, error))
            except (MemassayError, OSError) as error:
                error.add_note(f"in {part}")
                raise
        keep_measures(self.workspace.engine, made)
        for message in sorted(set(context.calls.repaired)):
            context.emit(author_repaired(shard, message))
        parents = [*unit.inputs]
        return [*made, *context.findings, *provenance(stage, made, parents, context.calls)]

    def _run(self, unit: Unit, given: list[Record], context: UnitContext) -> Iterable[Record]:
        """What a stage makes of a shard, or of all conversations."""
        if unit.stage.scope is Scope.COLLECTION:
            collection = StoredCollection(self.workspace.store, unit.headers, unit.stage.reads)
            return cast(CollectionStage, unit.stage).run(collection, context)
        return cast(ShardStage, unit.stage).run(given, context)

    def _audit(
        self, stage: Stage, given: list[Record], made: list[Record], context: UnitContext
    ) -> list[Record]:
        """What a stage made, audited and mended if the plan says so; repairs come along."""
        audit = self.plan.audits.get(stage.name)
        if audit is None or not isinstance(stage, RepairingStage):
            return made
        done = audit_stage(stage, audit, given, made, context)
        for finding in done.findings:
            context.emit(finding)
        return [*done.records, *done.repairs]

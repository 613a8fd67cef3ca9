"""The engine: runs a chain of stages over a workspace, resumes by content, gates each stage.

Records flow down the chain in one stream. A unit is one stage applied to one shard (a source,
a conversation, or the whole collection); its key is the hash of the stage's name, version and
config and of the inputs it reads. A unit whose key is done is never run again, so that resume
is a set difference, and an unchanged output stops the wave of rebuilding. Prefect and the
plain driver both call `start`, `run_unit` and `close`; they differ only in who calls.
"""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from pydantic import JsonValue

from memassay.flows.engine.closing import GateOutcome, GatePlace, close_gate
from memassay.flows.engine.interrupts import asked_to_end, raise_if_asked_to_end
from memassay.flows.engine.overlays import Overlays, Recheck
from memassay.flows.engine.reached import Reached
from memassay.flows.engine.streams.collection import StoredCollection, in_order
from memassay.flows.engine.streams.lineage import (
    refuse_twice_made,
    shards_of,
    without_histories,
)
from memassay.flows.engine.units import COLLECTION, KEPT, Plan, Unit, UnitMaker
from memassay.flows.store.leases import Owner, take_or_wait
from memassay.flows.store.sharing import Pace, StageMessage, Team, UnitDone
from memassay.flows.store.workspace import Workspace
from memassay.schemas.blame import blaming
from memassay.schemas.contracts.authors import Authors
from memassay.schemas.contracts.collection import Header
from memassay.schemas.contracts.protocols import (
    GatheringStage,
    Scope,
    SourceStage,
    Stage,
    WritingStage,
)
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import (
    LeaseLost,
    StoppedError,
    UndecidedError,
    WaitingError,
)
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.values.caches import clear_text_caches


class _HeldError(Exception):
    """Another worker has the unit."""


def _refuse_to_wait(_seconds: float) -> None:
    raise _HeldError


class Run:
    """One run of a plan in a workspace.

    Attributes:
        again: Units, as (stage, shard), that were done before with other inputs, and now again.
        made: Units of each stage that this run did itself; the others were kept from before.
    """

    def __init__(
        self,
        workspace: Workspace,
        plan: Plan,
        owner: Owner,
        authors: Authors | None = None,
        team: Team | None = None,
        *,
        ran_before: bool | None = None,
    ) -> None:
        """Bind a plan to a workspace; nothing happens yet.

        Args:
            workspace: Where records are kept.
            plan: What is done.
            owner: Under whose name units are taken.
            authors: Models, if any write.
            team: Processes that do units, too.
            ran_before: Whether the workspace knew the recipe; looked up if nobody knows.
        """
        self.workspace = workspace
        self.authors = authors
        self.plan = plan
        self.owner = owner
        self.stream: dict[str, Header] = {}
        self.outcomes: dict[str, GateOutcome] = {}
        self.overlays = Overlays(workspace, plan.name)
        self.again: list[tuple[str, str]] = []
        self.team = team
        if ran_before is None:
            ran_before = plan.name in workspace.store.progress()
        self.ran_before = ran_before
        self.made: Counter[str] = Counter()
        self._inputs: dict[str, list[str]] = {}
        self._depends: dict[str, JsonValue] = {}
        self._outputs: dict[str, tuple[str, ...]] = {}
        self._undecided: set[str] = set()
        self._settled: frozenset[str] = frozenset()
        self.reached = Reached(workspace.store, plan)
        self._count_lock = threading.Lock()
        self._stopped = threading.Event()
        self._doing: dict[str, threading.Lock] = {}
        self._maker = UnitMaker(workspace, plan, authors, self._stopped.is_set)

    def at_once(self, stage: Stage) -> int:
        """Units of a stage that are worth doing at once: many where each waits for models."""
        return self.plan.at_once if self.authors is not None and stage.config.get("models") else 1

    def stop(self, why: BaseException | None = None) -> None:
        """Begin no further unit; those being done call no model any more, and give up soon.

        Calls under way end and are kept; if people end the run, they have seconds left for it.
        """
        self._stopped.set()
        if self.authors is not None:
            self.authors.stop(soon=asked_to_end() or isinstance(why, KeyboardInterrupt))

    def start(self, stage: Stage) -> list[str]:
        """The shards of a stage, each to be run once with `run_unit`, in any order."""
        self._depends = {}
        if stage.scope is Scope.SOURCE:
            with blaming(f"shards of stage {stage.name} of path {self.plan.path}", stage):
                given = cast(SourceStage, stage).shards()
            known = frozenset[str]() if stage.name == KEPT else self.plan.known
            self._inputs = {shard: given[shard] for shard in given if shard not in known}
        elif isinstance(stage, GatheringStage):
            self._inputs, self._depends = self._gather(stage)
        else:
            self._inputs = self._shards_of_stream(stage)
        self._outputs = {}
        self._undecided = set()
        if stage is self.plan.stages[0]:
            self.workspace.store.forget_progress(self.plan.name)
        self._remember(stage)
        return sorted(self._inputs, key=natural_key)

    def pace(self) -> Pace:
        """How fast the stage goes that was started last."""
        return self.reached.pace(len(self._inputs), len(self._outputs))

    def _remember(self, stage: Stage, gate: dict[str, int] | None = None) -> None:
        self.reached.keep(stage, len(self._inputs), len(self._outputs), gate)

    def _read(self, stage: Stage) -> list[Header]:
        """What a stage reads of the stream, in order."""
        return in_order(header for header in self.stream.values() if header.kind in stage.reads)

    def _gather(self, stage: GatheringStage) -> tuple[dict[str, list[str]], dict[str, JsonValue]]:
        """By conversation that a stage will make, the records it is given, and what it uses."""
        read = self._read(stage)
        groups = stage.groups(StoredCollection(self.workspace.store, read, stage.reads))
        inputs = {
            shard: [one.sha256 for one in read if one.conversation in {shard, *group.sources}]
            for shard, group in groups.items()
        }
        return inputs, {shard: group.depends for shard, group in groups.items()}

    def _shards_of_stream(self, stage: Stage) -> dict[str, list[str]]:
        read = self._read(stage)
        if stage.scope is Scope.COLLECTION:
            return {COLLECTION: [header.sha256 for header in read]}
        return shards_of(read, self.stream)

    def key(self, stage: Stage, shard: str) -> str:
        """The content key of a unit of the stage that was started last."""
        parts = [stage.name, stage.version, stage.config, self.plan.seed, shard]
        audit = self.plan.audits.get(stage.name)
        given = self._depends.get(shard, self._inputs[shard])
        return content_hash([*parts, given, *([audit.key] if audit else [])])

    def keep(self, stage: Stage, shards: Sequence[str]) -> list[str]:
        """Take over what is finished of the stage that was started last; gives what is left to do.

        Those with most records come first, so that no process has a long one left at the end.

        Raises:
            StoppedError: The run ends.
        """
        left = []
        for shard in shards:
            if self._stopped.is_set():
                raise StoppedError("the run ends")
            raise_if_asked_to_end()
            state = self.workspace.store.unit(self.key(stage, shard))
            if state is None or state.outputs is None or not self._is_there(stage, state.outputs):
                left.append(shard)
            else:
                self._outputs[shard] = state.outputs
        return sorted(left, key=lambda shard: -len(self._inputs[shard]))

    def share(self, stage: Stage, shards: Sequence[str]) -> None:
        """Offer units of the stage that was started last to the team, if there is one."""
        if self.team is not None and len(shards) > 1:
            self.team.share(self.message(stage, shards))

    def message(self, stage: Stage, shards: Sequence[str]) -> StageMessage:
        """Units of the stage that was started last, for others to do."""
        inputs = {shard: self._inputs[shard] for shard in shards}
        depends = {shard: self._depends[shard] for shard in shards if shard in self._depends}
        return StageMessage(stage.name, inputs, depends)

    def join(self, message: StageMessage) -> Stage:
        """Take a stage as another run has started it, which shares its units with us."""
        self._inputs, self._depends = {**message.inputs}, {**message.depends}
        self._outputs = {}
        return next(stage for stage in self.plan.stages if stage.name == message.stage)

    def run_unit(self, stage: Stage, shard: str) -> None:
        """Do a unit unless it is done; safe to call from several threads and processes.

        Raises:
            StoppedError: The run ends, and no further unit is begun.
        """
        self._run_unit(stage, shard, self.pause)

    def try_unit(self, stage: Stage, shard: str) -> bool:
        """Do a unit unless it is done; False, at once, if another worker has it.

        Raises:
            StoppedError: The run ends, and no further unit is begun.
        """
        try:
            self._run_unit(stage, shard, _refuse_to_wait)
        except _HeldError:
            return False
        return True

    def _run_unit(self, stage: Stage, shard: str, pause: Callable[[float], None]) -> None:
        if self._stopped.is_set():
            raise StoppedError("the run ends")
        raise_if_asked_to_end()
        key = self.key(stage, shard)
        # Threads of one run have one lease, so that they wait for each other here.
        with self._doing.setdefault(key, threading.Lock()):
            self._take_and_do(stage, shard, key, pause)

    def _take_and_do(
        self, stage: Stage, shard: str, key: str, pause: Callable[[float], None]
    ) -> None:
        store = self.workspace.store
        while True:
            try:
                finished = take_or_wait(store, self.owner, key, stage.name, shard, pause)
            except KeyboardInterrupt:
                # It may come when the lease is ours already and we do not know it yet.
                store.release(key, self.owner.name)
                raise
            if finished is None:
                outputs = self._do(stage, shard, key)
            elif self._is_there(stage, finished.outputs):
                outputs = finished.outputs
            else:
                store.forget(key, finished.completions)
                continue
            if shard in self._undecided:
                return
            if outputs is not None:
                self._outputs[shard] = outputs
                self.reached.tick(stage, len(self._inputs), len(self._outputs))
                return

    def pause(self, seconds: float) -> None:
        """Wait for another worker, but not longer than the run lasts.

        Raises:
            StoppedError: The run ends.
            MemassayError: A process of the team could not do a unit.
        """
        self.look_at_team()
        if self._stopped.wait(seconds):
            raise StoppedError("the run ends")

    def look_at_team(self) -> None:
        """Take what the team reports.

        Raises:
            MemassayError: A process of the team could not do a unit.
        """
        if self.team is not None:
            self.team.look(self.note)

    def note(self, done: UnitDone) -> None:
        """Count a unit that somebody did for this run."""
        with self._count_lock:
            self.made[done.stage] += 1
        if done.again:
            self.again.append((done.stage, done.shard))

    def _do(self, stage: Stage, shard: str, key: str) -> tuple[str, ...] | None:
        """Do a unit we hold the lease of; None if it was taken over before we finished."""
        store = self.workspace.store
        if self.ran_before and store.was_made(stage.name, shard):
            self.again.append((stage.name, shard))
        try:
            made = self._maker.make(self._unit(stage, shard))
            # What was made while an interrupt was swallowed is trusted by nobody.
            raise_if_asked_to_end()
            outputs = store.finish(key, self.owner.name, made)
            with self._count_lock:
                self.made[stage.name] += 1
            return outputs
        except LeaseLost:
            return None
        except UndecidedError:
            store.release(key, self.owner.name)
            self._undecided.add(shard)
            return ()
        except BaseException:
            store.release(key, self.owner.name)
            raise
        finally:
            # The next unit is about other texts; kept, these would grow with every conversation.
            clear_text_caches()

    def _is_there(self, stage: Stage, outputs: tuple[str, ...]) -> bool:
        """Whether all that a finished unit made is still there, its bytes and files among it."""
        if not self.workspace.is_whole(outputs):
            return False
        if not isinstance(stage, WritingStage):
            return True
        store = self.workspace.store
        written = [header for header in store.headers(outputs) if header.kind in stage.writes]
        return stage.is_written(store.get_all([header.sha256 for header in written]))

    def _unit(self, stage: Stage, shard: str) -> Unit:
        """A unit of the stage that was started last."""
        owners, headers = {shard}, list[Header]()
        if stage.scope is Scope.COLLECTION:
            owners = {each.conversation for each in self.stream.values()}
            headers = self._read(stage)
        return Unit(stage, shard, self._inputs[shard], self._depends.get(shard), owners, headers)

    def _recheck(self, stage: Stage) -> Recheck | None:
        audit = self.plan.audits.get(stage.name)
        if audit is None:
            return None
        # The shards of a source are files; their hashes are of no record.
        inputs = {} if stage.scope is Scope.SOURCE else self._inputs
        return Recheck(
            audit, inputs, lambda shard: self._maker.context(stage, shard, self._depends.get(shard))
        )

    def _raise_if_undecided(self, stage: Stage) -> None:
        if self.authors is not None:
            self.authors.settle(stage.name)
        if self._undecided:
            self._remember(stage)
            waiting = ", ".join(sorted(self._undecided, key=natural_key))
            raise WaitingError(
                f"stage {stage.name}: people have yet to choose among drafts for {waiting}; "
                f"`memassay review list --gate {stage.name}` shows them, `memassay review serve` "
                "is where they choose, then run again"
            )

    def close(self, stage: Stage) -> GateOutcome:
        """Merge a stage's outputs into the stream and pass its gate.

        Raises:
            WaitingError: The gate blocks, or units wait for a choice, and people have not decided.
        """
        raise_if_asked_to_end()
        self._raise_if_undecided(stage)
        hashes = [digest for outputs in self._outputs.values() for digest in outputs]
        headers = self.workspace.store.headers(hashes)
        headers = self.overlays.lay(stage, headers, self.stream, self._recheck(stage))
        refuse_twice_made(stage, headers)
        if stage.name == KEPT:
            self._settled = frozenset(header.sha256 for header in headers)
        if stage.name in self.plan.listeners:
            self.plan.listeners[stage.name](self._read(stage), headers)
        if isinstance(stage, GatheringStage):
            self.stream = without_histories(self.stream, stage.stays)
        self.stream |= {f"{header.kind} {header.id}": header for header in headers}
        waiting = self.overlays.waiting(stage, self.stream)
        self.stream |= {f"{header.kind} {header.id}": header for header in waiting}
        gate = self.plan.gates.get(stage.name, GateSection())
        outcome = close_gate(
            self.workspace,
            GatePlace(self.plan.name, self.plan.seed, stage.name, gate, self._settled),
            self.stream,
            [*headers, *waiting],
            self.overlays.writers,
        )
        # What went on is the stream, and every stage has another.
        self.outcomes[stage.name] = replace(outcome, stream={})
        self.stream = outcome.stream
        self._remember(stage, outcome.counts)
        outcome.raise_if_blocked()
        return outcome

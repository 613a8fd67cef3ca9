"""The store of a workspace: records by content hash, units of work by key."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from sys import intern
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, Select, delete, select, update

from memassay.flows.store.database.rows import RecordRow, own_record, row_of
from memassay.flows.store.dialects import inserting, take_turns
from memassay.flows.store.sharing import Pace
from memassay.flows.store.tables import DRAFTS, RECORDS, RUNS, UNITS, reading
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Header
from memassay.schemas.errors import LeaseLost, RecordError

_BATCH = 500
_DRAFTS_TURN = 7_143_210


@dataclass(frozen=True)
class StageProgress:
    """How far a stage of a run is.

    Attributes:
        stage: Name of the stage.
        total: Units it has.
        finished: Units done.
        gate: Records by standing at its gate; empty before the gate.
        pace: How fast it goes; None before it began and when it is done.
    """

    stage: str
    total: int
    finished: int
    gate: dict[str, int]
    pace: Pace | None = None


@dataclass(frozen=True)
class UnitState:
    """How far a unit of work is.

    Attributes:
        owner: Who holds its lease, if anyone.
        beats: How often its holder has renewed it.
        outputs: Content hashes of its records once it is done, else None.
        starts: How often it was begun.
        completions: How often it was finished; once, and once more for each time its files
            were deleted afterwards.
    """

    owner: str | None
    beats: int
    outputs: tuple[str, ...] | None
    starts: int
    completions: int


class Draft(NamedTuple):
    """A release that a run ended in: the name of its folder, and what changed, as JSON."""

    release: str
    changes: str | None


class Store:
    """Records and units in a database; every method is one transaction."""

    def __init__(self, engine: Engine) -> None:
        """Use an open database."""
        self.engine = engine
        self._insert = inserting(engine)

    def put(self, record: Record) -> str:
        """Store one record and give its content hash."""
        return self.put_all([record])[0]

    def put_all(self, records: Iterable[Record]) -> list[str]:
        """Store records and give their content hashes in the same order.

        Raises:
            RecordError: A record does not fit its JSON Schema.
        """
        rows = [row_of(record) for record in records]
        with self.engine.begin() as connection:
            self._keep(connection, rows)
        return [row["sha256"] for row in rows]

    def _keep(self, connection: Connection, rows: Sequence[RecordRow]) -> None:
        # Always in one order: two who insert the same rows in opposite ones wait for each other.
        ordered = sorted(rows, key=lambda row: row["sha256"])
        for start in range(0, len(ordered), _BATCH):
            batch = ordered[start : start + _BATCH]
            connection.execute(self._insert(RECORDS).on_conflict_do_nothing(), batch)

    def get(self, content_sha256: str) -> Record:
        """The record of a content hash.

        Raises:
            RecordError: It is not in the store.
        """
        return self.get_all([content_sha256])[0]

    def get_all(self, hashes: Sequence[str]) -> list[Record]:
        """The records of content hashes, in the same order.

        Raises:
            RecordError: One is not in the store.
        """
        found: dict[str, Record] = {}
        wanted = sorted(set(hashes))
        with reading(self.engine) as connection:
            for start in range(0, len(wanted), _BATCH):
                query = select(RECORDS).where(RECORDS.c.sha256.in_(wanted[start : start + _BATCH]))
                for row in connection.execute(query):
                    found[row.sha256] = own_record(row.kind, row.document)
        missing = [digest for digest in wanted if digest not in found]
        if missing:
            raise RecordError(f"record {missing[0]}: expected in the workspace, got none")
        return [found[digest] for digest in hashes]

    def states(self, kind: str, record: str) -> list[Record]:
        """Every state of a record of a kind and id that was ever stored, by content hash."""
        query = select(RECORDS.c.sha256).where(RECORDS.c.kind == kind, RECORDS.c.id == record)
        with reading(self.engine) as connection:
            hashes = sorted(connection.execute(query).scalars())
        return self.get_all(hashes)

    def headers(self, hashes: Sequence[str]) -> list[Header]:
        """Headers of the records of content hashes, by hash; unknown ones are left out."""
        found: list[Header] = []
        wanted = sorted(set(hashes))
        columns = (RECORDS.c.sha256, RECORDS.c.kind, RECORDS.c.id, RECORDS.c.conversation)
        with reading(self.engine) as connection:
            for start in range(0, len(wanted), _BATCH):
                batch = wanted[start : start + _BATCH]
                rows = connection.execute(select(*columns).where(RECORDS.c.sha256.in_(batch)))
                # Millions of headers have few kinds and conversations.
                found.extend(Header(s, intern(kind), id_, intern(of)) for s, kind, id_, of in rows)
        return sorted(found)

    def blobs_of(self, hashes: Sequence[str]) -> set[str] | None:
        """Hashes of the bytes that belong to records; None if one of the records is not there."""
        wanted, known, blobs = sorted(set(hashes)), 0, set()
        with reading(self.engine) as connection:
            for start in range(0, len(wanted), _BATCH):
                batch = RECORDS.c.sha256.in_(wanted[start : start + _BATCH])
                for blob in connection.execute(select(RECORDS.c.blob).where(batch)).scalars():
                    known += 1
                    blobs.add(blob)
        return blobs - {None} if known == len(wanted) else None

    def unit(self, key: str) -> UnitState | None:
        """The state of a unit; None if it was never begun."""
        with reading(self.engine) as connection:
            row = connection.execute(select(UNITS).where(UNITS.c.key == key)).one_or_none()
        if row is None:
            return None
        outputs = None if row.outputs is None else tuple(json.loads(row.outputs))
        return UnitState(row.owner, row.beats, outputs, row.starts, row.completions)

    def lease(self, key: str, stage: str, shard: str, owner: str) -> bool:
        """Try to take the lease of a unit that is not done and that nobody else holds.

        Args:
            key: Key of the unit.
            stage: Name of its stage.
            shard: What it works on.
            owner: Who wants it; what they hold already they get again.
        """
        fresh = self._insert(UNITS).values(
            key=key, stage=stage, shard=shard, owner=owner, starts=1, completions=0
        )
        free = UNITS.c.owner.is_(None) | (UNITS.c.owner == owner)
        taken = fresh.on_conflict_do_update(
            index_elements=["key"],
            set_={"owner": owner, "starts": UNITS.c.starts + 1},
            where=UNITS.c.outputs.is_(None) & free,
        )
        with self.engine.begin() as connection:
            # Not by `rowcount`: what the driver counts depends on the locale.
            return bool(connection.execute(taken.returning(UNITS.c.key)).all())

    def extend(self, owner: str) -> None:
        """Renew every lease of an owner; leases lost meanwhile stay lost."""
        with self.engine.begin() as connection:
            held = _in_order(UNITS.c.owner == owner, UNITS.c.outputs.is_(None))
            beaten = update(UNITS).where(UNITS.c.key.in_(held))
            connection.execute(beaten.values(beats=UNITS.c.beats + 1))

    def bury(self, owner: str) -> None:
        """Free every lease of an owner that is dead."""
        with self.engine.begin() as connection:
            held = _in_order(UNITS.c.owner == owner)
            connection.execute(update(UNITS).where(UNITS.c.key.in_(held)).values(owner=None))

    def bury_silent(self, key: str, seen: UnitState) -> None:
        """Free every lease of an owner that has long renewed none.

        Args:
            key: Key of a unit that the owner holds.
            seen: Its state, a long time ago; if it has changed since, the owner lives.
        """
        same = _in_order(
            UNITS.c.key == key,
            UNITS.c.owner == seen.owner,
            UNITS.c.beats == seen.beats,
            UNITS.c.starts == seen.starts,
        )
        with self.engine.begin() as connection:
            # Locked from here on: the owner cannot beat in between.
            if connection.execute(same).all():
                silent = update(UNITS).where(UNITS.c.owner == seen.owner)
                connection.execute(silent.values(owner=None))

    def held_by(self, owner: str) -> list[tuple[str, str]]:
        """Stage and shard of every unit that an owner holds the lease of."""
        query = select(UNITS.c.stage, UNITS.c.shard).where(
            UNITS.c.owner == owner, UNITS.c.outputs.is_(None)
        )
        with reading(self.engine) as connection:
            return [(row.stage, row.shard) for row in connection.execute(query)]

    def holders(self, stage: str) -> list[str]:
        """Who holds units of a stage, once for each unit."""
        query = select(UNITS.c.owner).where(
            UNITS.c.stage == stage, UNITS.c.owner.is_not(None), UNITS.c.outputs.is_(None)
        )
        with reading(self.engine) as connection:
            return [*connection.execute(query).scalars()]

    def was_made(self, stage: str, shard: str) -> bool:
        """Whether a unit of a stage and shard is done, whatever it was given."""
        query = select(UNITS.c.key).where(
            UNITS.c.stage == stage, UNITS.c.shard == shard, UNITS.c.outputs.is_not(None)
        )
        with reading(self.engine) as connection:
            return connection.execute(query.limit(1)).scalar() is not None

    def finish(self, key: str, owner: str, records: Sequence[Record]) -> tuple[str, ...]:
        """Store a unit's records and mark it done, in one transaction.

        Raises:
            LeaseLost: Another owner took the unit over or finished it.
            RecordError: A record does not fit its JSON Schema.
        """
        rows = [row_of(record) for record in records]
        hashes = [row["sha256"] for row in rows]
        done = {
            "outputs": json.dumps(hashes),
            "completions": UNITS.c.completions + 1,
            "owner": None,
        }
        mine = (UNITS.c.key == key) & (UNITS.c.owner == owner) & UNITS.c.outputs.is_(None)
        with self.engine.begin() as connection:
            finished = update(UNITS).where(mine).values(done).returning(UNITS.c.key)
            if not connection.execute(finished).all():
                raise LeaseLost(f"unit {key}: another worker took it over")
            self._keep(connection, rows)
        return tuple(hashes)

    def remember(self, key: str, stage: str, shard: str, records: Sequence[Record]) -> None:
        """Store what a part of a unit made and mark the part done, in one transaction.

        Parts need no lease: two workers that make one make the same, and the first is kept.

        Raises:
            RecordError: A record does not fit its JSON Schema.
        """
        rows = [row_of(record) for record in records]
        outputs = json.dumps([row["sha256"] for row in rows])
        done = self._insert(UNITS).values(
            key=key, stage=stage, shard=shard, outputs=outputs, starts=1, completions=1
        )
        with self.engine.begin() as connection:
            connection.execute(done.on_conflict_do_nothing())
            self._keep(connection, rows)

    def release(self, key: str, owner: str) -> None:
        """Give a lease back undone, so that the next worker need not wait for its end."""
        mine = (UNITS.c.key == key) & (UNITS.c.owner == owner) & UNITS.c.outputs.is_(None)
        with self.engine.begin() as connection:
            connection.execute(update(UNITS).where(mine).values(owner=None))

    def record_progress(self, run: str, position: int, progress: StageProgress) -> None:
        """Remember how far a stage of a run is, for `memassay status`."""
        values = {
            "stage": progress.stage,
            "total": progress.total,
            "finished": progress.finished,
            "gate": json.dumps(progress.gate, sort_keys=True),
            "pace": json.dumps(vars(progress.pace)) if progress.pace is not None else None,
        }
        row = self._insert(RUNS).values(recipe=run, position=position, **values)
        with self.engine.begin() as connection:
            connection.execute(
                row.on_conflict_do_update(index_elements=["recipe", "position"], set_=values)
            )

    def forget_progress(self, run: str) -> None:
        """Forget what an earlier run of the same name reached."""
        with self.engine.begin() as connection:
            connection.execute(delete(RUNS).where(RUNS.c.recipe == run))

    def progress(self) -> dict[str, list[StageProgress]]:
        """How far the last run of each name is, stage by stage."""
        runs: dict[str, list[StageProgress]] = {}
        with reading(self.engine) as connection:
            for row in connection.execute(select(RUNS).order_by(RUNS.c.recipe, RUNS.c.position)):
                pace = Pace(**json.loads(row.pace)) if row.pace else None
                gate = json.loads(row.gate)
                reached = StageProgress(row.stage, row.total, row.finished, gate, pace)
                runs.setdefault(row.recipe, []).append(reached)
        return runs

    def add_draft(self, recipe: str, draft: Draft) -> None:
        """Keep that a run of a recipe ended in a release, unless the one before did as well."""
        last = select(DRAFTS.c.release).where(DRAFTS.c.recipe == recipe)
        row = self._insert(DRAFTS).values(recipe=recipe, **draft._asdict())
        with self.engine.begin() as connection:
            take_turns(connection, _DRAFTS_TURN)
            newest = connection.execute(last.order_by(DRAFTS.c.number.desc()).limit(1))
            if newest.scalar_one_or_none() != draft.release:
                connection.execute(row)

    def drafts(self) -> dict[str, list[Draft]]:
        """The releases that runs ended in, in order, by recipe."""
        drafts: dict[str, list[Draft]] = {}
        columns = (DRAFTS.c.recipe, DRAFTS.c.release, DRAFTS.c.changes)
        with reading(self.engine) as connection:
            for recipe, *row in connection.execute(select(*columns).order_by(DRAFTS.c.number)):
                drafts.setdefault(recipe, []).append(Draft(*row))
        return drafts

    def forget(self, key: str, completions: int) -> None:
        """Make a finished unit undone, because what it wrote outside the store is gone.

        Args:
            key: Key of the unit.
            completions: How often it had been finished when its files were looked for; if
                somebody did it again since, nothing happens.
        """
        seen = (UNITS.c.key == key) & (UNITS.c.completions == completions)
        with self.engine.begin() as connection:
            connection.execute(
                update(UNITS)
                .where(seen & UNITS.c.outputs.is_not(None))
                .values(outputs=None, owner=None)
            )

    def forget_found(self, rule: str) -> int:
        """Make every finished unit undone that reported a breach of a rule; gives how many."""
        with reading(self.engine) as connection:
            found = select(RECORDS.c.sha256, RECORDS.c.document).where(RECORDS.c.kind == "finding")
            breaches = {
                sha256
                for sha256, document in connection.execute(found)
                if json.loads(document)["rule"] == rule
            }
            done = connection.execute(
                select(UNITS.c.key, UNITS.c.outputs).where(UNITS.c.outputs.is_not(None))
            ).all()
        keys = [key for key, outputs in done if breaches.intersection(json.loads(outputs))]
        with self.engine.begin() as connection:
            for key in sorted(keys):
                undone = update(UNITS).where(UNITS.c.key == key)
                connection.execute(undone.values(outputs=None, owner=None))
        return len(keys)


def _in_order(*which: ColumnElement[bool]) -> Select[tuple[str]]:
    """Keys of units, each row locked, where rows can be, in the same order by everybody."""
    return select(UNITS.c.key).where(*which).order_by(UNITS.c.key).with_for_update()

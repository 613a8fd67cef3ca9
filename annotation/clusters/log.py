"""Decisions about clusters as they are kept: rows are only added, and one can take another back."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, func, insert, select, update

from memassay.annotation.storage.tables import CLUSTER_DECISIONS, LOG, RUN_CLUSTERS
from memassay.schemas.changes.cluster_decisions import ClusterDecision
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash

_LOCK: Final = 7_143_208


class ClustersChanged(UsageError):
    """Somebody decided about the same dialogues meanwhile, or a run grouped them again."""


@dataclass(frozen=True)
class KeptDecision:
    """A decision in the list.

    Attributes:
        number: Its place.
        undoes: Number of the decision that it takes back, if it does.
        decision: What was decided, or what is taken back.
        reviewer: Who did.
        comment: In their words.
        stands: Whether it was not taken back.
    """

    number: int
    undoes: int | None
    decision: ClusterDecision
    reviewer: str
    comment: str
    stands: bool = True


@dataclass(frozen=True)
class RunClusters:
    """The clusters of a run as they were made last, by content hash.

    Attributes:
        clusters: The clusters.
        conversations: Those whose sessions were grouped.
        alterations: What joining changed.
        seen: The last decision that the run applied to them.
        read_by: Name of the model that looked for contradictions; empty if none did.
    """

    clusters: Sequence[str]
    conversations: Sequence[str]
    alterations: Sequence[str]
    seen: int
    read_by: str = ""

    @property
    def state(self) -> str:
        """A short name of these clusters."""
        return content_hash(list(self.clusters))[:12]


class ClusterLog:
    """Decisions about clusters in a database that is passed in."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        """Use a database that has the tables; the clock gives seconds since 1970."""
        self.engine = engine
        self.clock = clock

    def runs(self) -> list[str]:
        """Runs that have clusters."""
        with self._reading() as connection:
            query = select(RUN_CLUSTERS.c.run).order_by(RUN_CLUSTERS.c.run)
            return list(connection.execute(query).scalars())

    def run_clusters(self, run: str) -> RunClusters:
        """What a run made last.

        Raises:
            UsageError: It has no clusters.
        """
        with self._reading() as connection:
            query = select(RUN_CLUSTERS).where(RUN_CLUSTERS.c.run == run)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise UsageError(f"run: expected one that grouped dialogues, got {run[:60]!r}")
        return RunClusters(
            json.loads(row.clusters),
            json.loads(row.conversations),
            json.loads(row.alterations),
            row.seen,
            row.read_by,
        )

    def note(self, run: str, made: RunClusters) -> None:
        """Keep what a run made, in place of what it made before."""
        values = {
            "clusters": json.dumps(list(made.clusters)),
            "conversations": json.dumps(list(made.conversations)),
            "alterations": json.dumps(list(made.alterations)),
            "seen": made.seen,
            "read_by": made.read_by,
        }
        with self._alone() as connection:
            change = update(RUN_CLUSTERS).where(RUN_CLUSTERS.c.run == run).values(**values)
            if not connection.execute(change).rowcount:
                connection.execute(insert(RUN_CLUSTERS).values(run=run, **values))

    def note_alterations(self, run: str, alterations: Iterable[str]) -> None:
        """Keep what joining the clusters of a run changed."""
        values = {"alterations": json.dumps(list(alterations))}
        with self._alone() as connection:
            mine = RUN_CLUSTERS.c.run == run
            connection.execute(update(RUN_CLUSTERS).where(mine).values(**values))

    def of(self, run: str) -> list[KeptDecision]:
        """Everything that was decided about the clusters of a run, oldest first."""
        with self._reading() as connection:
            return _rows(connection, run)

    def keep(
        self, run: str, decision: ClusterDecision, seen: int, reviewer: str, comment: str
    ) -> int:
        """Keep a decision; gives its number. Sent twice, it is kept once.

        Args:
            run: Name of the run.
            decision: What was decided.
            seen: The last number that its maker knew.
            reviewer: Who decided.
            comment: In their words.

        Raises:
            ClustersChanged: Somebody decided about the same dialogues since.
        """
        with self._alone() as connection:
            for one in _rows(connection, run):
                if one.number <= seen:
                    continue
                if one.stands and (one.decision, one.reviewer) == (decision, reviewer):
                    return one.number
                if not one.decision.touched.isdisjoint(decision.touched):
                    raise ClustersChanged(
                        f"cluster {decision.cluster}: expected it as you saw it, but meanwhile "
                        f"{describe(one)}; look at it again and repeat what you did"
                    )
            return self._add(connection, run, decision, None, reviewer, comment)

    def undo(self, run: str, number: int | None, reviewer: str) -> KeptDecision:
        """Take a decision back; None: the latest of this reviewer that was not taken back.

        Raises:
            UsageError: There is none, or there is a later one about the same dialogues.
        """
        with self._alone() as connection:
            standing = [one for one in _rows(connection, run) if one.stands and not one.undoes]
            found = [
                one
                for one in standing
                if (one.number == number if number is not None else one.reviewer == reviewer)
            ]
            if not found:
                raise UsageError("undo: expected a decision that was not taken back, got none")
            for later in standing:
                if later.number > found[-1].number and not later.decision.touched.isdisjoint(
                    found[-1].decision.touched
                ):
                    raise UsageError(
                        f"undo: expected the latest decision about these dialogues, but later "
                        f"{describe(later)}; take that back first"
                    )
            self._add(connection, run, found[-1].decision, found[-1].number, reviewer, "")
            return found[-1]

    def _add(
        self,
        connection: Connection,
        run: str,
        decision: ClusterDecision,
        undoes: int | None,
        reviewer: str,
        comment: str,
    ) -> int:
        document = decision.model_dump_json()
        values = {"undoes": undoes, "reviewer": reviewer, "comment": comment, "at": self.clock()}
        added = insert(CLUSTER_DECISIONS).values(run=run, document=document, **values)
        number = int(connection.execute(added.returning(CLUSTER_DECISIONS.c.number)).scalar_one())
        line = {
            "at": values["at"],
            "reviewer": reviewer,
            "action": "undo cluster" if undoes else f"{decision.op} cluster",
            "item": f"C{undoes or number}",
            "record": decision.cluster,
            "before": content_hash(decision.before),
            "after": content_hash([decision.groups, decision.out, decision.name, decision.locked]),
            "reason": (comment or described_change(decision))[:200],
        }
        connection.execute(insert(LOG).values(**line))
        return number

    def _reading(self) -> Any:
        return self.engine.connect().execution_options(reading=True)

    @contextmanager
    def _alone(self) -> Iterator[Connection]:
        """A transaction; SQLite lets nobody else write, PostgreSQL is asked for it."""
        with self.engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
            yield connection


def _rows(connection: Connection, run: str) -> list[KeptDecision]:
    query = select(CLUSTER_DECISIONS).where(CLUSTER_DECISIONS.c.run == run)
    rows = connection.execute(query.order_by(CLUSTER_DECISIONS.c.number)).all()
    undone = {row.undoes for row in rows}
    return [
        KeptDecision(
            row.number,
            row.undoes,
            ClusterDecision.model_validate_json(row.document),
            row.reviewer,
            row.comment,
            row.number not in undone,
        )
        for row in rows
    ]


def standing(rows: Iterable[KeptDecision]) -> list[ClusterDecision]:
    """The decisions that hold, oldest first."""
    return [one.decision for one in rows if one.stands and not one.undoes]


def as_shown(rows: Iterable[KeptDecision], seen: int) -> list[ClusterDecision]:
    """The decisions as they change the clusters of a run that knew those up to a number.

    What is taken back since is as it was before; the next run groups it again.
    """
    shown = []
    for one in rows:
        if one.undoes is None:
            if one.stands:
                shown.append(one.decision)
        elif one.undoes <= seen < one.number:
            update: Mapping[str, Any] = {"op": "undo", "groups": one.decision.before, "out": []}
            cleared = {"name": None, "locked": None, "closed": None}
            shown.append(one.decision.model_copy(update={**update, **cleared}))
    return shown


def describe(one: KeptDecision) -> str:
    """What somebody did, in words."""
    did = described_change(one.decision)
    return f"{one.reviewer} took back: {did}" if one.undoes else f"{one.reviewer} {did}"


def described_change(one: ClusterDecision) -> str:
    """What was done, in words: `split cluster-1: alex/D3, alex/D4 apart`."""
    if one.op == "split":
        parts = [", ".join(group) for name, group in one.groups.items() if name != one.cluster]
        return f"split {one.cluster}: {'; '.join(parts)} on their own"
    if one.op == "merge":
        others = ", ".join(name for name in one.before if name != one.cluster)
        return f"merged {others} into {one.cluster}"
    if one.op == "move":
        came = set(one.groups[one.cluster]) - set(one.before.get(one.cluster, ()))
        return f"moved {', '.join(sorted(came))} to {one.cluster}"
    if one.op == "drop":
        return f"dropped {', '.join(one.out)} from {', '.join(one.before)}"
    if one.op == "name":
        return f"named {one.cluster} “{one.name}”" if one.name else f"unnamed {one.cluster}"
    closed = ", nobody may join" if one.closed else ""
    return f"{one.op}ed {one.cluster}{closed}"

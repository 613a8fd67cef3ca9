"""The review queue: what waits for people, and what they decided.

An item is a record in one state at one gate. A decision covers the states its reviewer saw;
when one of them changes the item is stale and a new one takes its place.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from memassay.annotation.storage.tables import CONTEXTS, ITEMS
from memassay.annotation.storage.upgrade import upgrade
from memassay.annotation.voting.rows import ASSIGNMENT, ask_again
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.review import CoveredRecord, Decision

_PRIORITY = {"error": 0, "edit": 0, "warning": 1}
"""What is decided first; everything else comes after."""
_WAITING = ("open", "disputed")
_BATCH = 500


@dataclass(frozen=True)
class ReviewRequest:
    """A gate's wish that people look at a record.

    Attributes:
        gate: Stage whose gate asks.
        record: Id of the record.
        reason: `error`, `warning`, `edit`, `drawn`, `policy` or `decided`.
        rules: Ids of the rules that found something.
        findings: Content hashes of what they found.
        covers: The record, and what it must be read with, in their present states.
        kind: Kind of the record.
        type: For a question, its type.
        severity: The worst of what was found, `none` for nothing.
        votes: Votes needed.
        writer: Who wrote the record, if a person did.
        conversation: Id of its conversation, where the id of the record does not begin with it.
    """

    gate: str
    record: str
    reason: str
    rules: tuple[str, ...]
    findings: tuple[str, ...]
    covers: tuple[CoveredRecord, ...]
    kind: str = ""
    type: str = ""
    severity: str = "none"
    votes: int = 1
    writer: str = ""
    conversation: str = ""

    @property
    def item(self) -> str:
        """Id of the queue item: the same for the same states at the same gate."""
        covered = sorted((cover.id, cover.sha256) for cover in self.covers)
        return f"R{content_hash([self.gate, self.record, covered])[:12]}"


@dataclass(frozen=True)
class ReviewItem:
    """An item of the queue as stored."""

    id: str
    run: str
    gate: str
    record: str
    reason: str
    rules: tuple[str, ...]
    findings: tuple[str, ...]
    covers: tuple[CoveredRecord, ...]
    state: str
    decision: Decision | None
    kind: str = ""
    type: str = ""
    severity: str = "none"
    votes_needed: int = 1


class ReviewQueue:
    """The queue in a database that is passed in."""

    def __init__(self, engine: Engine) -> None:
        """Use a database; its tables are made, or brought up to date."""
        self.engine = engine
        upgrade(engine)

    def sync(self, run: str, gate: str, requests: Sequence[ReviewRequest]) -> None:
        """Make a run's open items at a gate exactly those requested.

        Decided items keep their decision, and what other runs asked for stays open, as do
        assignments.
        """
        self._put(run, gate, requests, lambda row: row.kind != ASSIGNMENT)

    def assign(
        self, run: str, gate: str, requests: Sequence[ReviewRequest], *, all_there_are: bool = False
    ) -> None:
        """Add assignments of a run; an open one of the same record in another state is stale.

        Args:
            run: Name of the run.
            gate: Stage whose gate asks.
            requests: The assignments.
            all_there_are: Whether every other open one of the run at the gate is stale, too.
        """
        records = {request.record for request in requests}
        self._put(
            run,
            gate,
            requests,
            lambda row: row.kind == ASSIGNMENT and (all_there_are or row.record in records),
        )

    def _put(
        self,
        run: str,
        gate: str,
        requests: Sequence[ReviewRequest],
        replaced: Callable[[Any], bool],
    ) -> None:
        """Queue what is requested; of what waits otherwise, that is stale which is replaced."""
        wanted = {request.item: request for request in _ordered(requests)}
        with self.engine.begin() as connection:
            mine = (ITEMS.c.run == run) & (ITEMS.c.gate == gate) & ITEMS.c.state.in_(_WAITING)
            columns = (ITEMS.c.id, ITEMS.c.kind, ITEMS.c.record)
            rows = connection.execute(select(*columns).where(mine)).all()
            waiting = {row.id for row in rows if replaced(row)}
            _set_stale(connection, sorted(waiting - wanted.keys()))
            known = _states(connection, list(wanted))
            for item in wanted.keys() & known.keys():
                self._ask_again(connection, run, wanted[item], known[item])
            last = connection.execute(select(func.coalesce(func.max(ITEMS.c.position), 0)))
            fresh = [request for item, request in wanted.items() if item not in known]
            first = int(last.scalar_one()) + 1
            for start in range(0, len(fresh), _BATCH):
                new = [
                    {"run": run, **_row(request), "position": first + start + number, "taken": 0}
                    for number, request in enumerate(fresh[start : start + _BATCH])
                ]
                connection.execute(insert(ITEMS), new)

    def _ask_again(
        self, connection: Connection, run: str, request: ReviewRequest, state: str
    ) -> None:
        """Bring an item up to date; votes that were cast on it count."""
        if state == "decided":
            return
        # The record is as it was, but rules may have learned to say more about it.
        row = _row(request)
        names = ("reason", "severity", "rules", "findings", "votes_needed", "priority")
        again = {"run": run, **{name: row[name] for name in names}}
        if state == "stale":
            again["state"] = "open"
        connection.execute(update(ITEMS).where(ITEMS.c.id == request.item).values(**again))
        ask_again(connection, request.item)

    def remember(self, run: str, gate: str, contexts: Mapping[str, Sequence[str]]) -> None:
        """Keep, by conversation, the content hashes of all its records as a gate saw them."""
        with self.engine.begin() as connection:
            mine = (CONTEXTS.c.run == run) & (CONTEXTS.c.gate == gate)
            connection.execute(delete(CONTEXTS).where(mine))
            for conversation, hashes in contexts.items():
                row = {"run": run, "gate": gate, "conversation": conversation}
                connection.execute(insert(CONTEXTS).values(**row, hashes=json.dumps(list(hashes))))

    def context(self, run: str, gate: str, conversation: str) -> list[str]:
        """Content hashes of all that belonged to a conversation at its gate; empty if unknown."""
        query = select(CONTEXTS.c.hashes).where(
            CONTEXTS.c.run == run,
            CONTEXTS.c.gate == gate,
            CONTEXTS.c.conversation == conversation,
        )
        with self._reading() as connection:
            text = connection.execute(query).scalar()
        return [] if text is None else list(json.loads(text))

    def contexts(self) -> list[tuple[str, str, str]]:
        """Run, gate and conversation of every context that is kept, in order."""
        columns = (CONTEXTS.c.run, CONTEXTS.c.gate, CONTEXTS.c.conversation)
        with self._reading() as connection:
            return [tuple(row) for row in connection.execute(select(*columns).order_by(*columns))]

    def contexts_of(self, conversation: str) -> list[tuple[str, str]]:
        """Run and gate of every context that is kept of a conversation, in order."""
        columns = (CONTEXTS.c.run, CONTEXTS.c.gate)
        query = select(*columns).where(CONTEXTS.c.conversation == conversation).order_by(*columns)
        with self._reading() as connection:
            return [(row.run, row.gate) for row in connection.execute(query)]

    def decisions(self, gate: str, current: dict[str, str]) -> dict[str, Decision]:
        """Decisions of a gate by record, where everything they covered is still as it was.

        Args:
            gate: Stage of the gate.
            current: Present content hash by record id.
        """
        found: dict[str, Decision] = {}
        for item in self.items(gate, ("decided",)):
            if item.decision and all(
                current.get(cover.id) == cover.sha256 for cover in item.decision.covers
            ):
                found[item.record] = item.decision
        return found

    def items(self, gate: str | None = None, states: Iterable[str] = _WAITING) -> list[ReviewItem]:
        """Items of a gate (or all) in some states (by default all that wait for people).

        Errors come first, then they go by record.
        """
        query = select(ITEMS).where(ITEMS.c.state.in_(list(states)))
        if gate is not None:
            query = query.where(ITEMS.c.gate == gate)
        with self._reading() as connection:
            items = [_item(row) for row in connection.execute(query)]
        return sorted(
            items,
            key=lambda item: (_PRIORITY.get(item.reason, 2), natural_key(item.record), item.id),
        )

    def _reading(self) -> Connection:
        # Where transactions begin with the write lock, those that only read say so.
        return self.engine.connect().execution_options(reading=True)

    def item(self, item_id: str) -> ReviewItem:
        """One item.

        Raises:
            UsageError: There is no such item.
        """
        with self._reading() as connection:
            row = connection.execute(select(ITEMS).where(ITEMS.c.id == item_id)).one_or_none()
        if row is None:
            raise UsageError(
                f"review item {item_id}: not in the queue; `memassay review list` shows all"
            )
        return _item(row)


def _ordered(requests: Iterable[ReviewRequest]) -> list[ReviewRequest]:
    return sorted(requests, key=lambda one: natural_key(one.record))


def _set_stale(connection: Connection, items: Sequence[str]) -> None:
    for start in range(0, len(items), _BATCH):
        batch = ITEMS.c.id.in_(items[start : start + _BATCH])
        connection.execute(update(ITEMS).where(batch).values(state="stale"))


def _states(connection: Connection, items: Sequence[str]) -> dict[str, str]:
    """The state of those items that there are."""
    found: dict[str, str] = {}
    for start in range(0, len(items), _BATCH):
        batch = ITEMS.c.id.in_(items[start : start + _BATCH])
        rows = connection.execute(select(ITEMS.c.id, ITEMS.c.state).where(batch))
        found |= {row.id: row.state for row in rows}
    return found


def _row(request: ReviewRequest) -> dict[str, Any]:
    return {
        "id": request.item,
        "gate": request.gate,
        "record": request.record,
        "conversation": request.conversation or conversation_of(request.record),
        "kind": request.kind,
        "type": request.type,
        "reason": request.reason,
        "severity": request.severity,
        "writer": request.writer,
        "rules": json.dumps(request.rules),
        "findings": json.dumps(request.findings),
        "covers": json.dumps([cover.model_dump() for cover in request.covers]),
        "priority": _PRIORITY.get(request.reason, 2),
        "votes_needed": request.votes,
        "state": "open",
    }


def _item(row: Any) -> ReviewItem:
    return ReviewItem(
        id=row.id,
        run=row.run,
        gate=row.gate,
        record=row.record,
        reason=row.reason,
        rules=tuple(json.loads(row.rules)),
        findings=tuple(json.loads(row.findings)),
        covers=tuple(CoveredRecord(**cover) for cover in json.loads(row.covers)),
        state=row.state,
        decision=Decision.model_validate_json(row.decision) if row.decision else None,
        kind=row.kind,
        type=row.type,
        severity=row.severity,
        votes_needed=row.votes_needed,
    )

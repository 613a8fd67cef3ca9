"""The review queue: what waits for people, and what they decided.

An item is a record in one state at one gate. A decision covers the states its reviewer saw;
when one of them changes the item is stale and a new one takes its place.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select, update

from memassay.annotation.review_tables import ITEMS, METADATA
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.review import CoveredRecord, Decision, ReasonCode, Ruling

_PRIORITY = {"error": 0, "warning": 1}
"""What is decided first; everything else comes after."""
_WAITING = ("open", "disputed")


@dataclass(frozen=True)
class ReviewRequest:
    """A gate's wish that people look at a record.

    Attributes:
        gate: Stage whose gate asks.
        record: Id of the record.
        reason: `error`, `warning`, `drawn`, `policy` or `decided`.
        rules: Ids of the rules that found something.
        findings: Content hashes of what they found.
        covers: The record, and what it must be read with, in their present states.
        kind: Kind of the record.
        type: For a question, its type.
        severity: The worst of what was found, `none` for nothing.
        votes: Votes needed.
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

    @property
    def item(self) -> str:
        """Id of the queue item: the same for the same states at the same gate."""
        covered = sorted((cover.id, cover.sha256) for cover in self.covers)
        return f"R{content_hash([self.gate, self.record, covered])[:12]}"


@dataclass(frozen=True)
class ReviewItem:
    """An item of the queue as stored."""

    id: str
    gate: str
    record: str
    reason: str
    rules: tuple[str, ...]
    findings: tuple[str, ...]
    covers: tuple[CoveredRecord, ...]
    state: str
    decision: Decision | None


class ReviewQueue:
    """The queue in a database that is passed in."""

    def __init__(self, engine: Engine) -> None:
        """Use a database; the table is made if it is not there."""
        self.engine = engine
        METADATA.create_all(engine)

    def sync(self, run: str, gate: str, requests: Sequence[ReviewRequest]) -> None:
        """Make a run's open items at a gate exactly those requested.

        Decided items keep their decision, and what other runs asked for stays open.
        """
        with self.engine.begin() as connection:
            mine = (ITEMS.c.run == run) & (ITEMS.c.gate == gate)
            gone = mine & (ITEMS.c.state.in_(_WAITING))
            connection.execute(update(ITEMS).where(gone).values(state="stale"))
            known = set(connection.execute(select(ITEMS.c.id)).scalars())
            last = connection.execute(select(func.coalesce(func.max(ITEMS.c.position), 0)))
            position = int(last.scalar_one())
            fresh: dict[str, dict[str, Any]] = {}
            for request in sorted(requests, key=lambda one: natural_key(one.record)):
                row = {"run": run, **_row(request)}
                if request.item not in known:
                    position += 1
                    fresh[request.item] = {**row, "position": position, "taken": 0}
                    continue
                # The record is as it was, but rules may have learned to say more about it.
                names = ("run", "reason", "severity", "rules", "findings", "votes_needed")
                again = {name: row[name] for name in names}
                stale = (ITEMS.c.id == request.item) & (ITEMS.c.state == "stale")
                connection.execute(update(ITEMS).where(stale).values(state="open", **again))
            if fresh:
                connection.execute(insert(ITEMS), list(fresh.values()))

    def decisions(self, gate: str, current: dict[str, str]) -> dict[str, Decision]:
        """Decisions of a gate by record, where everything they covered is still as it was.

        Args:
            gate: Stage of the gate.
            current: Present content hash by record id.
        """
        found: dict[str, Decision] = {}
        for item in self.items(gate, ("decided",)):
            if item.decision and all(
                current.get(cover.id) == cover.sha256 for cover in item.covers
            ):
                found[item.record] = item.decision
        return found

    def items(self, gate: str | None = None, states: Iterable[str] = ("open",)) -> list[ReviewItem]:
        """Items of a gate (or all) in some states, errors first, then by record."""
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

    def decide(
        self, item_id: str, ruling: Ruling, reason: ReasonCode, reviewer: str, comment: str
    ) -> Decision:
        """Decide an open item; deciding the same again changes nothing.

        Raises:
            UsageError: The item does not exist, is stale, or was decided otherwise.
        """
        item = self.item(item_id)
        decision = Decision(
            id=f"decision-{item.id}",
            covers=list(item.covers),
            gate=item.gate,
            reviewer=reviewer,
            ruling=ruling,
            reason=reason,
            comment=comment,
        )
        if item.decision == decision:
            return decision
        open_item = (ITEMS.c.id == item_id) & (ITEMS.c.state.in_(_WAITING))
        text = decision.model_dump_json()
        with self.engine.begin() as connection:
            values = {"state": "decided", "decision": text}
            changed = connection.execute(update(ITEMS).where(open_item).values(values)).rowcount
        if changed != 1:
            current = self.item(item_id)
            raise UsageError(
                f"review item {item_id}: expected an open item, got a {current.state} one; "
                "`memassay review list` shows what is open"
            )
        return decision


def _row(request: ReviewRequest) -> dict[str, Any]:
    return {
        "id": request.item,
        "gate": request.gate,
        "record": request.record,
        "conversation": conversation_of(request.record),
        "kind": request.kind,
        "type": request.type,
        "reason": request.reason,
        "severity": request.severity,
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
        gate=row.gate,
        record=row.record,
        reason=row.reason,
        rules=tuple(json.loads(row.rules)),
        findings=tuple(json.loads(row.findings)),
        covers=tuple(CoveredRecord(**cover) for cover in json.loads(row.covers)),
        state=row.state,
        decision=Decision.model_validate_json(row.decision) if row.decision else None,
    )

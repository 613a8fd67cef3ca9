"""The review queue: what waits for people, and what they decided.

An item is a record in one state at one gate. A decision covers the states its reviewer saw;
when one of them changes the item is stale and a new one takes its place.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, Text, select, update
from sqlalchemy.dialects.sqlite import insert

from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key
from memassay.schemas.review import CoveredRecord, Decision, ReasonCode, Ruling

METADATA = MetaData()

ITEMS = Table(
    "review_items",
    METADATA,
    Column("id", String(20), primary_key=True),
    Column("run", String(300), nullable=False),
    Column("gate", String(60), nullable=False),
    Column("record", String(300), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("rules", Text, nullable=False),
    Column("findings", Text, nullable=False),
    Column("covers", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("decision", Text),
)
"""State is `open`, `decided` or `stale`; an item's id follows from gate, record and states.

`run` is the run that asked for it last; a decision holds for every run.
"""


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
    """

    gate: str
    record: str
    reason: str
    rules: tuple[str, ...]
    findings: tuple[str, ...]
    covers: tuple[CoveredRecord, ...]

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
        rows = [{"run": run, **_row(request)} for request in requests]
        with self.engine.begin() as connection:
            mine = (ITEMS.c.run == run) & (ITEMS.c.gate == gate)
            gone = mine & (ITEMS.c.state == "open")
            connection.execute(update(ITEMS).where(gone).values(state="stale"))
            for row in rows:
                # The record is as it was, but rules may have learned to say more about it.
                names = ("run", "state", "reason", "rules", "findings")
                again = {name: row[name] for name in names}
                connection.execute(
                    insert(ITEMS)
                    .values(row)
                    .on_conflict_do_update(
                        index_elements=["id"], set_=again, where=ITEMS.c.state == "stale"
                    )
                )

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
        order = {"error": 0, "warning": 1}
        return sorted(
            items, key=lambda item: (order.get(item.reason, 2), natural_key(item.record), item.id)
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
        open_item = (ITEMS.c.id == item_id) & (ITEMS.c.state == "open")
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
        "reason": request.reason,
        "rules": json.dumps(request.rules),
        "findings": json.dumps(request.findings),
        "covers": json.dumps([cover.model_dump() for cover in request.covers]),
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

"""What is read of the queue, without changing it: its rows, counts, votes, and what was decided."""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, func, literal, select, tuple_

from memassay.annotation.storage.tables import EDITS, ITEMS, VOTES
from memassay.annotation.voting.statements import HEAD, neighbour, sought
from memassay.schemas.errors import UsageError

_FILTERS: Final = ("gate", "reason", "severity", "kind", "type", "conversation", "state")
_FACETS: Final = ("reason", "gate", "type", "severity", "conversation")
_FACET_SECONDS: Final = 30.0
_WAITING: Final = ("open", "disputed")


@dataclass(frozen=True)
class ItemHead:
    """One row of the queue.

    Attributes:
        item: Id of the item.
        gate: Stage whose gate asks.
        record: Id of the record.
        reason: Why people are asked.
        rules: Ids of the rules that found something.
        severity: The worst of what was found.
        type: For a question, its type.
        conversation: Id of its conversation.
        kind: Kind of the record.
        state: `open`, `disputed`, `decided` or `stale`.
        priority: The smaller, the sooner.
        position: Place in the order of the queue among those of one priority.
    """

    item: str
    gate: str
    record: str
    reason: str
    rules: tuple[str, ...]
    severity: str
    type: str
    conversation: str
    kind: str
    state: str
    priority: int
    position: int


class QueueReader:
    """The queue in a database that is passed in."""

    def __init__(self, engine: Engine) -> None:
        """Use a database that has the tables."""
        self.engine = engine
        self._facets: dict[str, tuple[float, dict[str, list[str]]]] = {}

    def page(
        self, filters: Mapping[str, str], after: tuple[int, int], limit: int
    ) -> Sequence[ItemHead]:
        """Rows in the order of the queue, from behind a priority and position on."""
        wanted = [ITEMS.c[name] == filters[name] for name in _FILTERS if filters.get(name)]
        place = tuple_(ITEMS.c.priority, ITEMS.c.position)
        query = (
            select(ITEMS)
            .where(place > tuple_(*map(literal, after)), *wanted)
            .order_by(ITEMS.c.priority, ITEMS.c.position)
            .limit(limit)
        )
        with self._reading() as connection:
            return [_head(row) for row in connection.execute(query)]

    def facets(self, state: str) -> Mapping[str, Sequence[str]]:
        """By filter, the values that items of a state have; as of half a minute ago at most."""
        known = self._facets.get(state)
        if known is not None and time.monotonic() - known[0] < _FACET_SECONDS:
            return known[1]
        found: dict[str, list[str]] = {}
        with self._reading() as connection:
            for name in _FACETS:
                query = select(ITEMS.c[name]).where(ITEMS.c.state == state).distinct()
                found[name] = sorted(value for value in connection.execute(query).scalars())
        self._facets[state] = (time.monotonic(), found)
        return found

    def counts(self) -> Mapping[str, int]:
        """Items by state; stale ones are nobody's."""
        query = select(ITEMS.c.state, func.count()).where(ITEMS.c.state != "stale")
        with self._reading() as connection:
            rows = connection.execute(query.group_by(ITEMS.c.state))
            return {str(state): int(number) for state, number in rows}

    def head(self, item: str) -> ItemHead:
        """The row of an item.

        Raises:
            UsageError: There is no such item.
        """
        with self._reading() as connection:
            row = connection.execute(HEAD, {"of_item": item}).one_or_none()
        if row is None:
            raise UsageError(f"review item {item!r}: not in the queue; see what is open at /")
        return _head(row)

    def neighbour(
        self, head: ItemHead, reviewer: str, filters: Mapping[str, str], *, forward: bool
    ) -> str | None:
        """The next item in the order of the queue that a reviewer may open, or the one before."""
        state = "disputed" if head.state == "disputed" else "open"
        here = {"of_priority": head.priority, "of_position": head.position, "of_state": state}
        query = neighbour(tuple(sorted(filters)), forward=forward)
        with self._reading() as connection:
            given = {"of_reviewer": reviewer, **here, **sought(filters)}
            return connection.execute(query, given).scalar()

    def find_named(self, name: str) -> ItemHead | None:
        """The item of an id, or of a record's id: one that waits before one that is decided."""
        mine = (ITEMS.c.id == name) | (ITEMS.c.record == name)
        query = select(ITEMS).where(mine, ITEMS.c.state != "stale")
        with self._reading() as connection:
            order = (ITEMS.c.state == "decided", ITEMS.c.position.desc())
            row = connection.execute(query.order_by(*order).limit(1)).one_or_none()
        return None if row is None else _head(row)

    def histories(self) -> Sequence[tuple[str, str]]:
        """Conversations in review, each with an item through which it can be read."""
        query = select(ITEMS.c.conversation, func.min(ITEMS.c.id)).where(
            ITEMS.c.state != "stale", ITEMS.c.kind.in_(("question", "conversation"))
        )
        grouped = query.group_by(ITEMS.c.conversation).order_by(ITEMS.c.conversation)
        with self._reading() as connection:
            return [(name, item) for name, item in connection.execute(grouped)]

    def waiting(self, run: str) -> int:
        """How many items of a run wait for people."""
        query = select(func.count()).where(ITEMS.c.run == run, ITEMS.c.state.in_(_WAITING))
        with self._reading() as connection:
            return int(connection.execute(query).scalar_one())

    def decisions_and_edits(self, run: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Decisions and edits of a run that stand, each as its id and its document."""
        decisions = select(ITEMS.c.id, ITEMS.c.decision).where(
            ITEMS.c.run == run, ITEMS.c.state == "decided"
        )
        edits = select(EDITS.c.id, EDITS.c.document).where(EDITS.c.run == run, EDITS.c.active)
        with self._reading() as connection:
            decided = connection.execute(decisions.order_by(ITEMS.c.id)).all()
            written = connection.execute(edits.order_by(EDITS.c.number)).all()
        return [(row[0], row[1]) for row in decided], [(row[0], row[1]) for row in written]

    def votes(self, purposes: Collection[str]) -> dict[str, list[Any]]:
        """The votes that stand and were cast for some purposes, by item, oldest first."""
        wanted = VOTES.c.withdrawn.is_(False) & VOTES.c.purpose.in_(list(purposes))
        found: dict[str, list[Any]] = {}
        with self._reading() as connection:
            for row in connection.execute(select(VOTES).where(wanted).order_by(VOTES.c.id)):
                found.setdefault(row.item, []).append(row)
        return found

    def _reading(self) -> Connection:
        return self.engine.connect().execution_options(reading=True)


def _head(row: Any) -> ItemHead:
    return ItemHead(
        item=row.id,
        gate=row.gate,
        record=row.record,
        reason=row.reason,
        rules=tuple(json.loads(row.rules)),
        severity=row.severity,
        type=row.type,
        conversation=row.conversation,
        kind=row.kind,
        state=row.state,
        priority=row.priority,
        position=row.position,
    )

"""The review queue: what waits for people, and what they decided.

An item is a record in one state at one gate. A decision covers the states its reviewer saw;
when one of them changes the item is stale and a new one takes its place.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Engine, delete, exists, func, insert, select, update

from memassay.annotation.storage.tables import CONTEXTS, ITEMS, VOTES
from memassay.annotation.storage.turns import take_turn
from memassay.annotation.storage.upgrade import upgrade
from memassay.annotation.voting.rows import ADJUDICATION, ASSIGNMENT, PROPOSAL, VOTE, ask_again
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.review import CoveredRecord, Decision

_PRIORITY = {"error": 0, "edit": 0, "proposal": 0, "warning": 1}
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
        history: Content hash of the conversation that is shown beside it, covered or not.
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
    history: str = ""

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
    history: str = ""


@dataclass(frozen=True)
class VoidedVotes:
    """Votes on a record that is not as their voters saw it any more.

    Attributes:
        record: Id of the record.
        decisions: 1 if it was decided, else 0.
        votes: How many votes were cast on it.
    """

    record: str
    decisions: int
    votes: int


class ReviewQueue:
    """The queue in a database that is passed in."""

    def __init__(self, engine: Engine) -> None:
        """Use a database; its tables are made, or brought up to date."""
        self.engine = engine
        upgrade(engine)

    def sync(self, run: str, gate: str, requests: Sequence[ReviewRequest]) -> list[VoidedVotes]:
        """Make a run's open items at a gate exactly those requested; gives the votes this voids.

        A record that was decided, or voted on before rules found more, is asked about together
        with its whole history where that has changed since.

        Decided items keep their decision, and what other runs asked for stays open, as do
        assignments and proposed edits of histories.
        """
        asked = [self._with_history(one) for one in requests]
        return self._put(run, gate, asked, lambda row: row.kind not in (ASSIGNMENT, PROPOSAL))

    def _with_history(self, request: ReviewRequest) -> ReviewRequest:
        """A request, for a new item if people spoke of it with less before their eyes."""
        if not request.history:
            return request
        history = CoveredRecord(id=conversation_of(request.record), sha256=request.history)
        if history in request.covers:
            return request
        voted = exists().where(VOTES.c.item == ITEMS.c.id, VOTES.c.withdrawn.is_(False))
        query = select(ITEMS, voted.label("voted")).where(ITEMS.c.id == request.item)
        with self._reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None or _item(row).history == request.history or row.state == "stale":
            return request
        unseen = row.voted and not set(request.findings) <= set(json.loads(row.findings))
        if row.state != "decided" and not unseen:
            return request
        return replace(request, covers=(*request.covers, history))

    def propose(self, run: str, request: ReviewRequest) -> None:
        """Add a proposed edit of a history; asked again, one that is there stays as it is."""
        self._put(run, request.gate, [request], lambda _: False)

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
    ) -> list[VoidedVotes]:
        """Queue what is requested; of what waits otherwise, that is stale which is replaced."""
        wanted = {request.item: request for request in _in_order(requests)}
        with self.engine.begin() as connection:
            take_turn(connection)
            mine = (ITEMS.c.run == run) & (ITEMS.c.gate == gate) & ITEMS.c.state.in_(_WAITING)
            columns = (ITEMS.c.id, ITEMS.c.kind, ITEMS.c.record)
            rows = connection.execute(select(*columns).where(mine)).all()
            waiting = {row.id for row in rows if replaced(row)}
            gone = sorted(waiting - wanted.keys())
            voided = _votes_on(connection, gone)
            _set_stale(connection, gone)
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
        return voided

    def _ask_again(
        self, connection: Connection, run: str, request: ReviewRequest, state: str
    ) -> None:
        """Bring an item up to date; votes that were cast on it count."""
        if state == "decided":
            return
        # The record is as it was, but rules may have learned to say more about it.
        row = _row(request)
        names = (
            *("reason", "severity", "rules", "findings", "votes_needed", "priority"),
            "history",
        )
        again = {"run": run, **{name: row[name] for name in names}}
        if state == "stale":
            again["state"] = "open"
        connection.execute(update(ITEMS).where(ITEMS.c.id == request.item).values(**again))
        ask_again(connection, request.item)

    def remember(self, run: str, gate: str, contexts: Mapping[str, Sequence[str]]) -> None:
        """Keep, by conversation, the content hashes of all its records as a gate saw them."""
        with self.engine.begin() as connection:
            take_turn(connection)
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

    def proposed_histories(self, run: str, gate: str) -> set[str]:
        """Conversations with proposed edits of their histories, from items of a run's gate."""
        query = select(ITEMS.c.conversation).where(
            ITEMS.c.run == run,
            ITEMS.c.gate == gate,
            ITEMS.c.kind == PROPOSAL,
            ITEMS.c.state != "stale",
        )
        with self._reading() as connection:
            return set(connection.execute(query.distinct()).scalars())

    def standing(self, conversation: str) -> list[tuple[ReviewItem, int]]:
        """Items about records of a conversation that were voted on, each with its votes."""
        votes = (
            select(VOTES.c.item, func.count().label("number"))
            .where(VOTES.c.withdrawn.is_(False), VOTES.c.purpose.in_((VOTE, ADJUDICATION)))
            .group_by(VOTES.c.item)
            .subquery()
        )
        query = (
            select(ITEMS, votes.c.number)
            .join(votes, votes.c.item == ITEMS.c.id)
            .where(ITEMS.c.conversation == conversation, ITEMS.c.state != "stale")
            .where(ITEMS.c.kind.not_in((ASSIGNMENT, PROPOSAL)))
            .order_by(ITEMS.c.position)
        )
        with self._reading() as connection:
            return [(_item(row), int(row.number)) for row in connection.execute(query)]

    def decided_items(self, gate: str) -> list[ReviewItem]:
        """The decided items of a gate, oldest first; whether they hold is looked at elsewhere."""
        query = select(ITEMS).where(
            ITEMS.c.gate == gate, ITEMS.c.state == "decided", ITEMS.c.kind != PROPOSAL
        )
        with self._reading() as connection:
            rows = connection.execute(query.order_by(ITEMS.c.position, ITEMS.c.id))
            return [_item(row) for row in rows]

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
            raise UsageError(f"review item {item_id}: not in the queue, which shows all there are")
        return _item(row)


def _in_order(requests: Iterable[ReviewRequest]) -> list[ReviewRequest]:
    return sorted(requests, key=lambda one: natural_key(one.record))


def _votes_on(connection: Connection, items: Sequence[str]) -> list[VoidedVotes]:
    """Of items that are not decided, those that were voted on."""
    found: list[VoidedVotes] = []
    for start in range(0, len(items), _BATCH):
        query = (
            select(ITEMS.c.record, func.count())
            .join(VOTES, VOTES.c.item == ITEMS.c.id)
            .where(ITEMS.c.id.in_(items[start : start + _BATCH]))
            .where(VOTES.c.withdrawn.is_(False), VOTES.c.purpose == VOTE)
            .group_by(ITEMS.c.record)
        )
        found += [VoidedVotes(record, 0, n) for record, n in connection.execute(query)]
    return found


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
        "history": request.history,
        "priority": _PRIORITY.get(request.reason, 2),
        "votes_needed": request.votes,
        "state": "open",
    }


def _item(row: Any) -> ReviewItem:
    covers = tuple(CoveredRecord(**cover) for cover in json.loads(row.covers))
    beside = (one.sha256 for one in covers if one.id == row.conversation)
    return ReviewItem(
        id=row.id,
        run=row.run,
        gate=row.gate,
        record=row.record,
        reason=row.reason,
        rules=tuple(json.loads(row.rules)),
        findings=tuple(json.loads(row.findings)),
        covers=covers,
        state=row.state,
        decision=Decision.model_validate_json(row.decision) if row.decision else None,
        kind=row.kind,
        type=row.type,
        severity=row.severity,
        votes_needed=row.votes_needed,
        # Older ones cover the conversation that is shown.
        history=row.history or next(beside, ""),
    )

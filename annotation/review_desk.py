"""The desk: hands items to reviewers and takes their votes, each in one short transaction.

An item is leased to as many reviewers as it still needs votes of, never twice to the same one. A
lease that runs out gives its place to somebody else. Votes are blind: nobody is given what others
said before their own vote. When all votes are in and agree the item is decided; when they differ
it is disputed, and an adjudicator's vote decides.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, and_, delete, exists, insert, select, update

from memassay.annotation.review_tables import DRAFTS, ITEMS, LEASES, LOG, ROOM, SKIPS, VOTES
from memassay.schemas.errors import UsageError
from memassay.schemas.review import CoveredRecord, Decision, ReasonCode, Ruling

LEASE_SECONDS: Final = 300.0
_RECLAIMED: Final = 64
"""Leases that ran out and are taken back by one request at most."""
_FILTERS: Final = ("gate", "reason", "severity", "kind", "type", "conversation")


class LeaseExpired(UsageError):
    """A lease ran out and somebody else took the place; the draft is kept."""


@dataclass(frozen=True)
class Lease:
    """An item in a reviewer's hands.

    Attributes:
        item: Id of the item.
        until: When the lease runs out, in seconds since 1970.
    """

    item: str
    until: float


@dataclass(frozen=True)
class Vote:
    """What a reviewer says about an item.

    Attributes:
        ruling: Accept or reject.
        reason: Why.
        comment: In their words.
        edit: RFC 6902 patch of the record, if they changed it.
        seconds: How long they looked at it.
    """

    ruling: Ruling
    reason: ReasonCode
    comment: str = ""
    edit: list[dict[str, Any]] | None = None
    seconds: float = 0.0

    @property
    def said(self) -> tuple[str, str]:
        """What must be equal for two votes to agree."""
        return str(self.ruling), json.dumps(self.edit, sort_keys=True)


@dataclass(frozen=True)
class Submitted:
    """What became of a vote.

    Attributes:
        item: Id of the item.
        state: `open` while votes are missing, `disputed`, or `decided`.
    """

    item: str
    state: str


@dataclass
class ReviewDesk:
    """The desk over a database that is passed in; SQLite or PostgreSQL.

    Attributes:
        engine: The database.
        clock: Seconds since 1970.
        lease_seconds: How long an item is held without a heartbeat.
    """

    engine: Engine
    clock: Callable[[], float] = time.time
    lease_seconds: float = LEASE_SECONDS

    def __post_init__(self) -> None:
        """Threads that write to SQLite queue up here: its own waiting is neither fast nor fair."""
        own = self.engine.dialect.name == "sqlite"
        self._turn: AbstractContextManager[Any] = threading.Lock() if own else nullcontext()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._turn, self.engine.begin() as connection:
            yield connection

    def next_item(self, reviewer: str, filters: Mapping[str, str] | None = None) -> Lease | None:
        """The first item that needs a vote of this reviewer, leased to them; None if there is none.

        An item that they hold already, from before a reload, comes first.

        Args:
            reviewer: Their name.
            filters: Values of gate, reason, severity, kind, type or conversation.
        """
        now = self.clock()
        wanted = _matching(filters or {})
        with self._writing() as connection:
            self._reclaim(connection, now)
            item = _held(connection, reviewer, wanted)
            if item is not None:
                return self._extend(connection, item, reviewer, now)
            item = connection.execute(_with_room(reviewer, wanted)).scalar()
            if item is None:
                return None
            return self._lease(connection, item, reviewer, now)

    def open_item(self, item: str, reviewer: str) -> Lease:
        """A particular item, leased to a reviewer.

        Raises:
            UsageError: It is not open, needs no more votes, or they have voted on it.
        """
        now = self.clock()
        with self._writing() as connection:
            self._reclaim(connection, now)
            mine = (LEASES.c.item == item) & (LEASES.c.reviewer == reviewer)
            if connection.execute(select(LEASES.c.item).where(mine)).scalar() is not None:
                return self._extend(connection, item, reviewer, now)
            free = _with_room(reviewer, [ITEMS.c.id == item], skipped_too=True)
            if connection.execute(free).scalar() is None:
                raise UsageError(
                    f"review item {item}: expected an open item that needs your vote, got one "
                    "that is decided, fully taken, or has it already"
                )
            return self._lease(connection, item, reviewer, now)

    def heartbeat(self, item: str, reviewer: str) -> Lease:
        """Hold an item for longer.

        Raises:
            LeaseExpired: The lease has run out.
        """
        with self._writing() as connection:
            return self._extend(connection, item, reviewer, self.clock())

    def submit(self, item: str, reviewer: str, token: str, vote: Vote) -> Submitted:
        """Take a vote; the same token again changes nothing and gives the same answer.

        A lease that ran out does no harm as long as nobody else has taken the place.

        Raises:
            LeaseExpired: Somebody else has.
            UsageError: There is no such item, it is stale, or the reviewer has voted on it.
        """
        now = self.clock()
        with self._writing() as connection:
            said = connection.execute(
                select(VOTES.c.item, VOTES.c.reviewer).where(VOTES.c.token == token)
            ).one_or_none()
            if said is not None and tuple(said) == (item, reviewer):
                return Submitted(item, _row(connection, item).state)
            self._take_place(connection, item, reviewer)
            _insert_vote(connection, item, reviewer, token, vote, now, adjudicates=False)
            state = _settle(connection, item)
            connection.execute(delete(DRAFTS).where(_mine(DRAFTS, item, reviewer)))
            _note(connection, now, reviewer, "vote", item, vote)
            return Submitted(item, state)

    def adjudicate(self, item: str, reviewer: str, token: str, vote: Vote) -> Submitted:
        """Decide a disputed item.

        Raises:
            UsageError: It is not disputed.
        """
        now = self.clock()
        with self._writing() as connection:
            row = _row(connection, item)
            said = connection.execute(select(VOTES.c.item).where(VOTES.c.token == token)).scalar()
            if said == item:
                return Submitted(item, row.state)
            if row.state != "disputed":
                raise UsageError(
                    f"review item {item}: expected a disputed item, got a {row.state} one"
                )
            connection.execute(delete(VOTES).where(_mine(VOTES, item, reviewer)))
            _insert_vote(connection, item, reviewer, token, vote, now, adjudicates=True)
            _decide(connection, row, reviewer, vote)
            _note(connection, now, reviewer, "adjudicate", item, vote)
            return Submitted(item, "decided")

    def undo(self, reviewer: str) -> str | None:
        """Withdraw a reviewer's latest vote, and give its item, theirs again.

        An item whose decision a run has followed is open again at the next run, as after any
        change of mind.
        """
        now = self.clock()
        with self._writing() as connection:
            latest = (
                select(VOTES.c.id, VOTES.c.item)
                .where(VOTES.c.reviewer == reviewer, VOTES.c.adjudicates.is_(False))
                .order_by(VOTES.c.id.desc())
                .limit(1)
            )
            found = connection.execute(latest).one_or_none()
            if found is None:
                return None
            connection.execute(delete(VOTES).where(VOTES.c.id == found.id))
            again = {"state": "open", "decision": None}
            connection.execute(update(ITEMS).where(ITEMS.c.id == found.item).values(**again))
            lease = {"item": found.item, "reviewer": reviewer, "since": now}
            connection.execute(insert(LEASES).values(**lease, until=now + self.lease_seconds))
            _note(connection, now, reviewer, "undo", found.item, None)
            return str(found.item)

    def skip(self, item: str, reviewer: str, reason: str = "skipped", comment: str = "") -> None:
        """Give an item back for good: skipped, or escalated to an adjudicator.

        Raises:
            UsageError: There is no such item.
        """
        now = self.clock()
        with self._writing() as connection:
            row = _row(connection, item)
            self._drop(connection, item, reviewer)
            connection.execute(delete(SKIPS).where(_mine(SKIPS, item, reviewer)))
            connection.execute(insert(SKIPS).values(item=item, reviewer=reviewer, reason=reason))
            if reason == "escalated" and row.state == "open":
                connection.execute(update(ITEMS).where(ITEMS.c.id == item).values(state="disputed"))
            _note(connection, now, reviewer, reason, item, None, comment)

    def give_back(self, item: str, reviewer: str) -> None:
        """Let go of an item without a word; it may come again."""
        with self._writing() as connection:
            self._drop(connection, item, reviewer)

    def save_draft(self, item: str, reviewer: str, document: Mapping[str, Any]) -> None:
        """Keep what a reviewer has written so far."""
        row = {"document": json.dumps(document), "at": self.clock()}
        with self._writing() as connection:
            changed = connection.execute(
                update(DRAFTS).where(_mine(DRAFTS, item, reviewer)).values(**row)
            )
            if changed.rowcount == 0:
                connection.execute(insert(DRAFTS).values(item=item, reviewer=reviewer, **row))

    def draft(self, item: str, reviewer: str) -> dict[str, Any] | None:
        """What a reviewer has written and not submitted; nobody else's draft can be had."""
        query = select(DRAFTS.c.document).where(_mine(DRAFTS, item, reviewer))
        with self.engine.connect() as connection:
            document = connection.execute(query).scalar()
        return None if document is None else dict(json.loads(document))

    def votes(self, item: str, reviewer: str, *, adjudicates: bool = False) -> list[dict[str, Any]]:
        """The votes on an item, for those who have voted on it, and for adjudicators.

        Raises:
            UsageError: The reviewer has not voted on it yet.
        """
        query = select(VOTES).where(VOTES.c.item == item).order_by(VOTES.c.id)
        with self.engine.connect() as connection:
            rows = [dict(row._mapping) for row in connection.execute(query)]
        if not adjudicates and all(row["reviewer"] != reviewer for row in rows):
            raise UsageError(f"review item {item}: others' votes are shown after your own")
        return rows

    def _reclaim(self, connection: Connection, now: float) -> None:
        """Take back leases that ran out."""
        past = select(LEASES.c.item, LEASES.c.reviewer).where(LEASES.c.until < now)
        for item, reviewer in connection.execute(past.limit(_RECLAIMED)).all():
            self._drop(connection, item, reviewer)

    def _drop(self, connection: Connection, item: str, reviewer: str) -> None:
        gone = connection.execute(delete(LEASES).where(_mine(LEASES, item, reviewer)))
        if gone.rowcount:
            fewer = ITEMS.c.taken - gone.rowcount
            connection.execute(update(ITEMS).where(ITEMS.c.id == item).values(taken=fewer))

    def _lease(self, connection: Connection, item: str, reviewer: str, now: float) -> Lease:
        until = now + self.lease_seconds
        row = {"item": item, "reviewer": reviewer, "since": now, "until": until}
        connection.execute(insert(LEASES).values(**row))
        more = ITEMS.c.taken + 1
        connection.execute(update(ITEMS).where(ITEMS.c.id == item).values(taken=more))
        return Lease(item, until)

    def _extend(self, connection: Connection, item: str, reviewer: str, now: float) -> Lease:
        until = now + self.lease_seconds
        held = connection.execute(
            update(LEASES).where(_mine(LEASES, item, reviewer)).values(until=until)
        )
        if held.rowcount == 0:
            raise LeaseExpired(
                f"review item {item}: expected you to hold it, but the lease ran out; what you "
                "wrote is kept as a draft, open the item again"
            )
        return Lease(item, until)

    def _take_place(self, connection: Connection, item: str, reviewer: str) -> None:
        """Turn a lease into the place of a vote; without one, take a free place."""
        gone = connection.execute(delete(LEASES).where(_mine(LEASES, item, reviewer)))
        if gone.rowcount:
            return
        row = _row(connection, item)
        if _has_voted(connection, item, reviewer):
            raise UsageError(f"review item {item}: you have voted on it; undo that vote first")
        if row.state != "open":
            raise UsageError(
                f"review item {item}: expected an open item, got a {row.state} one; "
                "`memassay review list` shows what is open"
            )
        if row.taken >= row.votes_needed:
            raise LeaseExpired(
                f"review item {item}: your lease ran out and somebody else has taken the item; "
                "what you wrote is kept as a draft"
            )
        more = ITEMS.c.taken + 1
        connection.execute(update(ITEMS).where(ITEMS.c.id == item).values(taken=more))


def _matching(filters: Mapping[str, str]) -> list[Any]:
    unknown = sorted(set(filters) - set(_FILTERS))
    if unknown:
        raise UsageError(f"filters: expected {', '.join(_FILTERS)}, got {', '.join(unknown)}")
    return [ITEMS.c[name] == value for name, value in filters.items()]


def _held(connection: Connection, reviewer: str, wanted: list[Any]) -> str | None:
    """The first open item that a reviewer holds already."""
    own = select(LEASES.c.item).where(LEASES.c.reviewer == reviewer).order_by(LEASES.c.since)
    for item in connection.execute(own).scalars().all():
        fits = select(ITEMS.c.id).where(ITEMS.c.id == item, ITEMS.c.state == "open", *wanted)
        if connection.execute(fits).scalar() is not None:
            return str(item)
    return None


def _with_room(reviewer: str, wanted: list[Any], *, skipped_too: bool = False) -> Any:
    """The first item in order that has room for this reviewer."""
    seen = [VOTES, LEASES] if skipped_too else [VOTES, LEASES, SKIPS]
    own = [
        ~exists().where(and_(table.c.item == ITEMS.c.id, table.c.reviewer == reviewer))
        for table in seen
    ]
    return (
        select(ITEMS.c.id)
        .where(ROOM, *wanted, *own)
        .order_by(ITEMS.c.priority, ITEMS.c.position)
        .limit(1)
        .with_for_update(skip_locked=True, of=ITEMS)
    )


def _mine(table: Any, item: str, reviewer: str) -> Any:
    return and_(table.c.item == item, table.c.reviewer == reviewer)


def _has_voted(connection: Connection, item: str, reviewer: str) -> bool:
    query = select(VOTES.c.id).where(_mine(VOTES, item, reviewer))
    return connection.execute(query).scalar() is not None


def _row(connection: Connection, item: str) -> Any:
    query = select(ITEMS).where(ITEMS.c.id == item).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        raise UsageError(f"review item {item}: not in the queue; `memassay review list` shows all")
    return row


def _insert_vote(
    connection: Connection,
    item: str,
    reviewer: str,
    token: str,
    vote: Vote,
    now: float,
    *,
    adjudicates: bool,
) -> None:
    connection.execute(
        insert(VOTES).values(
            item=item,
            reviewer=reviewer,
            token=token,
            ruling=str(vote.ruling),
            reason=str(vote.reason),
            comment=vote.comment,
            edit=None if vote.edit is None else json.dumps(vote.edit, sort_keys=True),
            seconds=vote.seconds,
            at=now,
            adjudicates=adjudicates,
        )
    )


def _settle(connection: Connection, item: str) -> str:
    """The state of an item after a vote: decided if all agree, disputed if they do not."""
    row = _row(connection, item)
    query = select(VOTES).where(VOTES.c.item == item).order_by(VOTES.c.id)
    votes = connection.execute(query).all()
    if row.state != "open" or len(votes) < row.votes_needed:
        return str(row.state)
    said = {(vote.ruling, vote.edit) for vote in votes}
    if len(said) > 1:
        connection.execute(update(ITEMS).where(ITEMS.c.id == item).values(state="disputed"))
        return "disputed"
    last = votes[-1]
    names = ", ".join(sorted(vote.reviewer for vote in votes))
    edit = None if last.edit is None else json.loads(last.edit)
    vote = Vote(Ruling(last.ruling), ReasonCode(last.reason), last.comment, edit)
    _decide(connection, row, names, vote)
    return "decided"


def _decide(connection: Connection, row: Any, reviewers: str, vote: Vote) -> None:
    decision = Decision(
        id=f"decision-{row.id}",
        covers=[CoveredRecord(**cover) for cover in json.loads(row.covers)],
        gate=row.gate,
        reviewer=reviewers,
        ruling=vote.ruling,
        reason=vote.reason,
        comment=vote.comment,
    )
    decided = {"state": "decided", "decision": decision.model_dump_json()}
    connection.execute(update(ITEMS).where(ITEMS.c.id == row.id).values(**decided))


def _note(
    connection: Connection,
    now: float,
    reviewer: str,
    action: str,
    item: str,
    vote: Vote | None,
    comment: str = "",
) -> None:
    row = _row(connection, item)
    covered = json.loads(row.covers)
    connection.execute(
        insert(LOG).values(
            at=now,
            reviewer=reviewer,
            action=action,
            item=item,
            record=row.record,
            before=covered[0]["sha256"] if covered else None,
            after=None,
            reason=f"{vote.ruling}: {vote.reason}" if vote else comment[:200],
            seconds=vote.seconds if vote else None,
        )
    )

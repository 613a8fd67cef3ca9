"""The desk: hands items to reviewers and takes their votes, each in one short transaction.

An item is leased to as many reviewers as it still needs votes of, never twice to the same one. A
lease that runs out gives its place to somebody else. Votes are blind: nobody sees the votes of
others before their own. When all votes are in and agree the item is decided; when they differ
it is disputed, and an adjudicator's vote decides. Items whose answer is known, and items that a
reviewer has decided before, are mixed in at a rate; they look like all others.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, delete, insert, select, update

from memassay.annotation.storage.invitations import reviewers, shut_out
from memassay.annotation.storage.tables import CONTROLS, SKIPS, VOTES
from memassay.annotation.voting import places, rows
from memassay.annotation.voting import statements as ask
from memassay.annotation.voting.adjudication import require_may_decide
from memassay.annotation.voting.drafts import Draft, draft_of, keep_draft
from memassay.annotation.voting.edit_log import require_latest
from memassay.annotation.voting.rows import ADJUDICATION, PROPOSAL, VOTE
from memassay.annotation.voting.shapes import Change as Change
from memassay.annotation.voting.shapes import Lease as Lease
from memassay.annotation.voting.shapes import LeaseExpired as LeaseExpired
from memassay.annotation.voting.shapes import Submitted as Submitted
from memassay.annotation.voting.shapes import Vote as Vote
from memassay.annotation.voting.transactions import Transactions
from memassay.schemas.errors import UsageError

LEASE_SECONDS: Final = 300.0
UNDOABLE: Final = 20
"""A reviewer's latest votes that they may withdraw."""
_RECLAIMED: Final = 64
"""Leases that ran out and are taken back by one request at most."""
_RECLAIM_SECONDS: Final = 1.0
_JUST_SECONDS: Final = 2.0
"""A lease of so long ago is the one that the page being opened was handed out with."""


@dataclass
class ReviewDesk:
    """The desk over a database that is passed in; SQLite or PostgreSQL.

    Attributes:
        engine: The database.
        clock: Seconds since 1970.
        lease_seconds: How long an item is held without a heartbeat.
        control_rate: Share of items whose answer is known.
        repeat_rate: Share of items that the reviewer has decided before.
    """

    engine: Engine
    clock: Callable[[], float] = time.time
    lease_seconds: float = LEASE_SECONDS
    control_rate: float = 0.0
    repeat_rate: float = 0.0

    def __post_init__(self) -> None:
        """Nobody has been given anything yet."""
        transactions = Transactions(self.engine)
        self._writing, self._reading = transactions.writing, transactions.reading
        self._seen: dict[tuple[Any, ...], dict[int, int]] = {}
        self._reclaimed_at = float("-inf")

    def next_item(self, reviewer: str, filters: Mapping[str, str] | None = None) -> Lease | None:
        """The first item that needs a vote of this reviewer, leased to them; None if there is none.

        An item that they hold already, from before a reload, comes first.

        Args:
            reviewer: Their name.
            filters: Values of run, gate, reason, severity, kind, type or conversation.
        """
        now, wanted = self.clock(), dict(filters or {})
        rows.require_known(wanted)
        held = ask.held_item(tuple(sorted(wanted)))
        self._reclaim(now)
        with self._writing(durable=False) as connection:
            item = connection.execute(held, rows.by(reviewer) | ask.sought(wanted)).scalar()
            if item is not None:
                return self._extend(connection, item, reviewer, now)
            for purpose in self._draw_measures(connection, reviewer):
                item = connection.execute(ask.to_measure(purpose), rows.by(reviewer)).scalar()
                if item is not None:
                    return self._lease(connection, item, reviewer, now, purpose)
            seen = self._seen.setdefault((reviewer, *sorted(wanted.items())), {})
            item = rows.take_room(connection, reviewer, wanted, seen)
            return None if item is None else self._lease(connection, item, reviewer, now, VOTE)

    def peek(self, reviewer: str, filters: Mapping[str, str] | None = None) -> str | None:
        """The item that a reviewer would be given next, beside those they hold; not leased.

        Another may be given it first, and what measures a reviewer is not foreseen.

        Args:
            reviewer: Their name.
            filters: As for `next_item`.
        """
        wanted = dict(filters or {})
        rows.require_known(wanted)
        seen = dict(self._seen.get((reviewer, *sorted(wanted.items())), {}))
        with self._reading() as connection:
            return rows.with_room(connection, reviewer, wanted, seen)

    def open_item(self, item: str, reviewer: str) -> Lease:
        """A particular item, leased to a reviewer.

        Raises:
            UsageError: It is not open, has no room, is theirs, or they have voted on it.
        """
        now, own = self.clock(), rows.by(reviewer, item)
        with self._reading() as connection:
            lent = connection.execute(ask.LENT, own).one_or_none()
        # A page that is opened right after its item was handed out need not write again.
        if lent is not None and lent.until - now > self.lease_seconds - _JUST_SECONDS:
            return Lease(item, lent.until)
        self._reclaim(now)
        with self._writing(durable=False) as connection:
            if connection.execute(ask.LENT, own).one_or_none() is not None:
                return self._extend(connection, item, reviewer, now)
            places.require_room(connection, item, reviewer)
            connection.execute(ask.TAKE, {"of_item": item})
            return self._lease(connection, item, reviewer, now, VOTE)

    def heartbeat(self, item: str, reviewer: str, page: str = "") -> Lease:
        """Hold an item for longer.

        Args:
            item: Id of the item.
            reviewer: Who holds it.
            page: The page that they have open, if it is one.

        Raises:
            LeaseExpired: The lease has run out.
        """
        now = self.clock()
        with self._writing(durable=False) as connection:
            lease = self._extend(connection, item, reviewer, now)
            places.note_page(connection, lease, reviewer, page)
            return lease

    def submit(self, item: str, reviewer: str, token: str, vote: Vote) -> Submitted:
        """Take a vote; the same token again changes nothing and gives the same answer.

        A lease that ran out does no harm as long as nobody else has taken the place.

        Raises:
            LeaseExpired: Somebody else has.
            UsageError: There is no such item, it is stale, or the reviewer has voted on it.
        """
        now = self.clock()
        with self._writing() as connection:
            # Locked first: of one vote that is sent twice at once, the second waits for the first.
            row = rows.item_row(connection, item, reviewer)
            votes = rows.votes_so_far(connection, item, token)
            if places.is_among(votes, item, reviewer, token):
                return Submitted(item, row.state)
            rows.require_fit(row, vote)
            cast = rows.cast_among(votes)
            purpose = places.take_place(connection, row, reviewer, cast)
            rows.insert_vote(connection, item, reviewer, token, vote, now, purpose)
            state = "decided"
            if purpose == VOTE:
                state = rows.settle(connection, row, [*cast, (reviewer, vote)])
            rows.drop_draft(connection, row, reviewer)
            rows.note(connection, now, reviewer, purpose, row, vote)
            return Submitted(item, state)

    def adjudicate(
        self, item: str, reviewer: str, token: str, vote: Vote, *, owner: bool = False
    ) -> Submitted:
        """Decide a disputed item, or, as an owner, a proposed edit of a history.

        Raises:
            UsageError: It is not disputed, it is theirs, or others can decide who have not voted.
        """
        now = self.clock()
        with self._writing() as connection:
            # Locked first: of one vote that is sent twice at once, the second waits for the first.
            row = rows.item_row(connection, item, reviewer)
            votes = rows.votes_so_far(connection, item, token)
            if places.is_among(votes, item, reviewer, token):
                return Submitted(item, row.state)
            require_may_decide(connection, row, reviewer, owner=owner)
            rows.require_fit(row, vote)
            rows.insert_vote(connection, item, reviewer, token, vote, now, ADJUDICATION)
            rows.decide(connection, row, reviewer, vote)
            rows.drop_draft(connection, row, reviewer)
            rows.note(connection, now, reviewer, ADJUDICATION, row, vote)
            return Submitted(item, "decided")

    def undo(self, reviewer: str) -> str | None:
        """Withdraw a reviewer's latest vote, and give its item, theirs again; None if none is left.

        Votes on records that changed since are passed over. An item whose decision a run has
        followed is open again at the next run, as after any change of mind.

        Raises:
            UsageError: An adjudicator has decided the item since, or they have seen others' votes.
        """
        now = self.clock()
        with self._writing() as connection:
            found = rows.undoable(connection, reviewer, UNDOABLE)
            if found is None:
                return None
            item = str(found.item)
            row = rows.item_row(connection, item)
            if found.purpose == VOTE and rows.is_adjudicated(connection, item):
                raise UsageError(f"review item {item}: an adjudicator has decided it since")
            if found.purpose != ADJUDICATION:
                rows.require_unseen(connection, item, reviewer)
            require_latest(connection, item)
            connection.execute(update(VOTES).where(VOTES.c.id == found.id).values(withdrawn=True))
            if found.purpose == ADJUDICATION:
                rows.set_state(connection, item, "open" if row.kind == PROPOSAL else "disputed")
            else:
                self._hand_back(connection, item, reviewer, now, found.purpose)
            rows.note(connection, now, reviewer, "undo", row, None)
            return item

    def _hand_back(
        self, connection: Connection, item: str, reviewer: str, now: float, purpose: str
    ) -> None:
        if purpose == VOTE:
            # The place of the vote becomes that of a lease: nothing changes in what is taken.
            rows.set_state(connection, item, "open")
        # They may hold it already, to decide it again as a measure.
        places.end_lease(connection, item, reviewer)
        self._lease(connection, item, reviewer, now, purpose)

    def skip(self, item: str, reviewer: str, reason: str = "skipped", comment: str = "") -> None:
        """Give an item back: skipped until they ask for it again, or escalated to an adjudicator.

        Raises:
            UsageError: There is no such item, or it is not theirs to escalate.
        """
        now = self.clock()
        with self._writing() as connection:
            row = rows.item_row(connection, item)
            held = places.drop_lease(connection, item, reviewer)
            if reason == "escalated" and row.state == "open" and not held:
                free = connection.execute(ask.IS_FREE, rows.by(reviewer, item)).scalar()
                if free is None:
                    raise LeaseExpired(
                        f"review item {item}: expected one in your hands, got one that is in "
                        "somebody else's, or has your vote"
                    )
            mine = (SKIPS.c.item == item) & (SKIPS.c.reviewer == reviewer)
            connection.execute(delete(SKIPS).where(mine))
            connection.execute(insert(SKIPS).values(item=item, reviewer=reviewer, reason=reason))
            if reason == "escalated" and row.state == "open":
                rows.set_state(connection, item, "disputed")
            rows.note(connection, now, reviewer, reason, row, None, comment)

    def skip_count(self, reviewer: str) -> int:
        """How many items that still have room a reviewer has skipped."""
        with self._reading() as connection:
            return len(places.skipped_by(connection, reviewer))

    def offer_skipped(self, reviewer: str) -> int:
        """Offer a reviewer again what they skipped and what still has room; gives how many."""
        with self._writing() as connection:
            return places.offer_again(connection, reviewer)

    def reviewers(self) -> list[dict[str, Any]]:
        """Name, role and whether they are shut out, of everybody who has joined, by name."""
        return reviewers(self.engine)

    def shut_out(self, name: str, by: str, *, disabled: bool = True) -> None:
        """Take a reviewer's right to log in, sessions and leases, or give the right back; logged.

        Raises:
            UsageError: Nobody has this name, or it is their own, or the last owner's.
        """
        with self._writing() as connection:
            for item in shut_out(connection, name, by, self.clock(), disabled=disabled):
                places.drop_lease(connection, item, name)

    def give_back(
        self, item: str, reviewer: str, until: float | None = None, page: str = ""
    ) -> None:
        """Let go of an item without a word; it may come again.

        Args:
            item: Id of the item.
            reviewer: Who holds it.
            until: The end of the lease that is meant; one that was extended since stays.
            page: The page that is left; with another one open, the item is held as long as that.
        """
        now = self.clock()
        with self._writing(durable=False) as connection:
            places.close_page(connection, item, reviewer, page)
            lent = connection.execute(ask.LENT, rows.by(reviewer, item)).one_or_none()
            if lent is not None and until in (None, lent.until):
                places.leave(connection, item, reviewer, now)

    def close_page(self, item: str, reviewer: str, page: str) -> None:
        """Forget a page of an item that was left for another page of it."""
        with self._writing(durable=False) as connection:
            places.close_page(connection, item, reviewer, page)

    def held_until(self, item: str, reviewer: str) -> float | None:
        """When a reviewer's lease of an item runs out; None if they have none."""
        with self._reading() as connection:
            lent = connection.execute(ask.LENT, rows.by(reviewer, item)).one_or_none()
        return None if lent is None else float(lent.until)

    def save_draft(
        self, item: str, reviewer: str, document: Mapping[str, Any], seen: str | None = None
    ) -> Draft:
        """Keep what a reviewer has written so far, in place of the draft of revision `seen`.

        Raises:
            DraftChanged: Another page of theirs has saved one since.
        """
        now = self.clock()
        with self._writing() as connection:
            return keep_draft(connection, item, reviewer, document, seen=seen, now=now)

    def draft(self, item: str, reviewer: str) -> Draft:
        """What a reviewer has written and not submitted; nobody else's draft can be had."""
        with self._reading() as connection:
            return draft_of(connection, item, reviewer)

    def votes(self, item: str, reviewer: str, *, adjudicates: bool = False) -> list[dict[str, Any]]:
        """The votes on an item, for those who have voted on it, and for adjudicators.

        People who saw what others say can no longer take their own vote back: that is logged.

        Raises:
            UsageError: The reviewer has not voted on it yet.
        """
        query = select(VOTES).where(VOTES.c.item == item, VOTES.c.withdrawn.is_(False))
        with self._reading() as connection:
            found = [row._asdict() for row in connection.execute(query.order_by(VOTES.c.id))]
        if not adjudicates and all(row["reviewer"] != reviewer for row in found):
            raise UsageError(f"review item {item}: others' votes are shown after your own")
        if not adjudicates and any(row["reviewer"] != reviewer for row in found):
            with self._writing() as connection:
                rows.note_look(connection, self.clock(), item, reviewer)
        return [rows.vote_shown(row) for row in found if row["purpose"] in (VOTE, ADJUDICATION)]

    def has_voted(self, item: str, reviewer: str) -> bool:
        """Whether a reviewer has a valid vote of any purpose on an item."""
        with self._reading() as connection:
            return connection.execute(ask.HAS_CAST, rows.by(reviewer, item)).scalar() is not None

    def make_control(self, item: str) -> None:
        """Show a decided item to others too, to measure them against its decision.

        Raises:
            UsageError: It is not decided.
        """
        with self._writing() as connection:
            row = rows.item_row(connection, item)
            if row.state != "decided":
                raise UsageError(f"{item}: expected a decided item, got one that is {row.state}")
            connection.execute(delete(CONTROLS).where(CONTROLS.c.item == item))
            ruling = json.loads(row.decision)["ruling"]
            connection.execute(insert(CONTROLS).values(item=item, ruling=ruling))

    def _draw_measures(self, connection: Connection, reviewer: str) -> list[str]:
        """Whether the next item is to measure a reviewer; drawn by how much they have done."""
        if self.control_rate + self.repeat_rate == 0:
            return []
        done = connection.execute(ask.DONE_BY, rows.by(reviewer)).scalar_one()
        return places.draw_measures(reviewer, done, self.control_rate, self.repeat_rate)

    def _reclaim(self, now: float) -> None:
        """Take back leases that ran out; looked for once a second."""
        if 0 <= now - self._reclaimed_at < _RECLAIM_SECONDS:
            return
        self._reclaimed_at = now
        past = {"now": now, "at_once": _RECLAIMED}
        # By itself: who holds what others wait for must not wait for them.
        with self._writing(durable=False) as connection:
            for item, reviewer in connection.execute(ask.PAST, past).all():
                places.drop_lease(connection, item, reviewer)

    def _lease(
        self, connection: Connection, item: str, reviewer: str, now: float, purpose: str
    ) -> Lease:
        return places.lend(
            connection, Lease(item, now + self.lease_seconds), reviewer, now, purpose
        )

    def _extend(self, connection: Connection, item: str, reviewer: str, now: float) -> Lease:
        return places.extend(connection, Lease(item, now + self.lease_seconds), reviewer)

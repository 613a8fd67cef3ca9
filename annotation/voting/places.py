"""Places at items: a lease turns into the place of a vote, a free one is taken, or skipped."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, exists, select

from memassay.annotation.storage.tables import ITEMS, ROOM, SKIPS, VOTES
from memassay.annotation.voting import rows
from memassay.annotation.voting import statements as ask
from memassay.annotation.voting.rows import CONTROL, REPEAT, VOTE
from memassay.annotation.voting.shapes import Lease, LeaseExpired, Vote
from memassay.schemas.errors import UsageError


def end_lease(connection: Connection, item: str, reviewer: str) -> str | None:
    """End a lease; gives its purpose, None if there was none."""
    return connection.execute(ask.END_LEASE, rows.by(reviewer, item)).scalar()


def lend(connection: Connection, lease: Lease, reviewer: str, now: float, purpose: str) -> Lease:
    """Give a lease to a reviewer; its place is taken already."""
    row = {"item": lease.item, "reviewer": reviewer, "since": now, "until": lease.until}
    connection.execute(ask.LEASE, row | {"purpose": purpose})
    return lease


def extend(connection: Connection, lease: Lease, reviewer: str) -> Lease:
    """Move the end of a lease.

    Raises:
        LeaseExpired: It has run out.
    """
    moved = rows.by(reviewer, lease.item) | {"new_until": lease.until}
    if connection.execute(ask.EXTEND, moved).scalar() is None:
        raise LeaseExpired(
            f"review item {lease.item}: expected you to hold it, but the lease ran out; what you "
            "wrote is kept as a draft, open the item again"
        )
    return lease


def drop_lease(connection: Connection, item: str, reviewer: str) -> bool:
    """End a lease and free its place; gives whether there was one."""
    connection.execute(ask.CLOSE_PAGES, rows.by(reviewer, item))
    purpose = end_lease(connection, item, reviewer)
    if purpose == VOTE:
        connection.execute(ask.FREE, {"of_item": item})
    return purpose is not None


def note_page(connection: Connection, lease: Lease, reviewer: str, page: str) -> None:
    """Note that a page of an item is open, as long as its lease; without a name it is none."""
    if page:
        row = {"item": lease.item, "reviewer": reviewer, "page": page, "until": lease.until}
        connection.execute(ask.keep_page(connection.dialect.name), row)


def close_page(connection: Connection, item: str, reviewer: str, page: str) -> None:
    """Forget a page of an item that was left."""
    if page:
        connection.execute(ask.CLOSE_PAGE, rows.by(reviewer, item) | {"of_page": page})


def leave(connection: Connection, item: str, reviewer: str, now: float) -> None:
    """End a lease, or let it last as long as the other pages of the item that are open."""
    other = connection.execute(ask.LAST_PAGE, rows.by(reviewer, item) | {"now": now}).scalar()
    if other is None:
        drop_lease(connection, item, reviewer)
    else:
        extend(connection, Lease(item, other), reviewer)


def require_room(connection: Connection, item: str, reviewer: str) -> None:
    """See that an item has room for a vote of a reviewer.

    Raises:
        UsageError: It has none; says which of the causes it is.
    """
    if connection.execute(ask.IS_FREE, rows.by(reviewer, item)).scalar() is not None:
        return
    row = rows.item_row(connection, item)
    _require_open(row, reviewer, rows.cast_among(rows.votes_so_far(connection, item)))
    raise UsageError(
        f"review item {item}: expected one with room for a vote, got one whose votes are all in or "
        "in the hands of others; the queue shows what is open"
    )


def _require_open(row: Any, reviewer: str, cast: Sequence[tuple[str, Vote]]) -> None:
    if any(name == reviewer for name, _ in cast):
        raise UsageError(f"review item {row.id}: you have voted on it; undo that vote first")
    if row.writer == reviewer:
        raise UsageError(f"review item {row.id}: you wrote it; others decide about it")
    if row.state != "open":
        raise UsageError(
            f"review item {row.id}: expected an open item, got a {row.state} one; "
            "the queue shows what is open"
        )


def take_place(
    connection: Connection, row: Any, reviewer: str, cast: Sequence[tuple[str, Vote]]
) -> str:
    """Turn a lease into the place of a vote, or take a free place; gives the purpose.

    Raises:
        LeaseExpired: The lease ran out, and somebody else has taken the place.
        UsageError: The item takes no vote of this reviewer.
    """
    item = str(row.id)
    purpose = end_lease(connection, item, reviewer)
    if purpose not in (None, VOTE):
        return str(purpose)
    if purpose is None or row.state != "disputed":
        _require_open(row, reviewer, cast if purpose is None else ())
    if purpose is None and row.taken >= row.votes_needed:
        raise LeaseExpired(
            f"review item {item}: your lease ran out and somebody else has taken the item; "
            "what you wrote is kept as a draft"
        )
    if purpose is None:
        connection.execute(ask.TAKE, {"of_item": item})
    return VOTE


def is_among(votes: Iterable[Any], item: str, reviewer: str, token: str) -> bool:
    """Whether a token's vote was taken before.

    Raises:
        UsageError: It was another vote's.
    """
    before = next((vote for vote in votes if vote.token == token), None)
    if before is not None and (before.item, before.reviewer) != (item, reviewer):
        raise UsageError("token: expected a new one for every vote, got one of another vote")
    return before is not None


def skipped_by(connection: Connection, reviewer: str) -> list[str]:
    """Ids of the items that a reviewer skipped and that could be offered to them again."""
    voted = exists().where(
        VOTES.c.item == ITEMS.c.id, VOTES.c.reviewer == reviewer, VOTES.c.withdrawn.is_(False)
    )
    query = (
        select(SKIPS.c.item)
        .join(ITEMS, ITEMS.c.id == SKIPS.c.item)
        .where(SKIPS.c.reviewer == reviewer, SKIPS.c.reason == "skipped", ROOM, ~voted)
    )
    return [str(item) for item in connection.execute(query).scalars()]


def offer_again(connection: Connection, reviewer: str) -> int:
    """Forget what a reviewer skipped of all that has room; gives how many items that are."""
    items = skipped_by(connection, reviewer)
    for item in items:
        own = and_(SKIPS.c.item == item, SKIPS.c.reviewer == reviewer)
        connection.execute(delete(SKIPS).where(own))
    return len(items)


def draw_measures(reviewer: str, done: int, controls: float, repeats: float) -> list[str]:
    """Whether the next item measures a reviewer, drawn by how much they have done; or nothing.

    Args:
        reviewer: Their name.
        done: Votes that they have cast.
        controls: Share of items whose answer is known.
        repeats: Share of items that they have decided before.
    """
    digest = hashlib.sha256(f"{reviewer}\x1f{done}".encode()).digest()
    drawn = int.from_bytes(digest[:8], "big") / 2**64
    if drawn < controls:
        return [CONTROL]
    return [REPEAT] if drawn < controls + repeats else []

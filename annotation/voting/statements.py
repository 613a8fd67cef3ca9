"""The statements of the desk, built once: building one takes longer than the database does.

Values are parameters, named after the column, with `of_` before those that a row is sought by.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Delete,
    Insert,
    Integer,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert, ReturningUpdate

from memassay.annotation.storage.tables import (
    CONTROLS,
    DRAFTS,
    ITEMS,
    LEASES,
    LOG,
    OPEN_PAGES,
    ROOM,
    SKIPS,
    VOTES,
)

VOTE, ADJUDICATION, CONTROL, REPEAT = "vote", "adjudication", "control", "repeat"
PROPOSAL: Final = "history_edit"
"""Kind of the items that are proposed edits of a history."""
JUDGE: Final = "judge"
"""Purposes of a vote; a judge is a model, and decides nothing."""

PRIORITIES: Final = (0, 1, 2)
"""What comes first: errors and edits, then warnings, then all else."""

_STANDS: Final = text("NOT review_votes.withdrawn")
"""Votes that were not withdrawn, word for word as in the index that finds them at once."""
_ITEM: Final[ColumnElement[str]] = bindparam("of_item")
_REVIEWER: Final[ColumnElement[str]] = bindparam("of_reviewer")


def mine(table: Table) -> ColumnElement[bool]:
    """The rows of a table that are of an item and a reviewer."""
    return and_(table.c.item == _ITEM, table.c.reviewer == _REVIEWER)


def stands(item: Any, purpose: str) -> ColumnElement[bool]:
    """The votes of a reviewer on an item for a purpose that were not withdrawn."""
    own = and_(VOTES.c.item == item, VOTES.c.reviewer == _REVIEWER, VOTES.c.purpose == purpose)
    return and_(own, _STANDS)


def sought(filters: Mapping[str, str]) -> dict[str, str]:
    """The parameters that filters stand for."""
    return {f"of_{name}": value for name, value in filters.items()}


def _matching(filters: tuple[str, ...]) -> list[ColumnElement[bool]]:
    return [ITEMS.c[name] == bindparam(f"of_{name}") for name in filters]


@cache
def held_item(filters: tuple[str, ...]) -> Select[Any]:
    """The first item that a reviewer holds already and may still decide."""
    live = or_(ITEMS.c.state == "open", LEASES.c.purpose != VOTE)
    return (
        select(LEASES.c.item, LEASES.c.until)
        .join(ITEMS, ITEMS.c.id == LEASES.c.item)
        .where(LEASES.c.reviewer == _REVIEWER, live, *_matching(filters))
        .order_by(LEASES.c.since)
        .limit(1)
    )


def _free_for_reviewer() -> list[ColumnElement[bool]]:
    lent = exists().where(LEASES.c.item == ITEMS.c.id, LEASES.c.reviewer == _REVIEWER)
    return [~exists().where(stands(ITEMS.c.id, VOTE)), ~lent, ITEMS.c.writer != _REVIEWER]


@cache
def _room(filters: tuple[str, ...], *, lock: bool) -> ColumnElement[str]:
    """The id of the first item in order that has room for a reviewer, behind where they were.

    A search for each priority, and the next only where one found nothing. Two that search at once
    find two items where they are locked.
    """
    skipped = exists().where(SKIPS.c.item == ITEMS.c.id, SKIPS.c.reviewer == _REVIEWER)
    searches = []
    for priority in PRIORITIES:
        behind = ITEMS.c.position > bindparam(f"behind_{priority}")
        search = (
            select(ITEMS.c.id)
            .where(ROOM, ITEMS.c.priority == priority, behind, *_matching(filters))
            .where(*_free_for_reviewer(), ~skipped)
            .order_by(ITEMS.c.position)
            .limit(1)
            # Of the items themselves, also where it is within an update of them.
            .correlate(None)
        )
        locked = search.with_for_update(skip_locked=True, of=ITEMS) if lock else search
        searches.append(locked.scalar_subquery())
    return func.coalesce(*searches)


@cache
def with_room(filters: tuple[str, ...]) -> Select[Any]:
    """The first item that has room for a reviewer; `filters` names the columns that are given."""
    return select(_room(filters, lock=False))


@cache
def take_room(filters: tuple[str, ...]) -> ReturningUpdate[Any]:
    """Take a place at the first item that has room for a reviewer."""
    found = update(ITEMS).where(ITEMS.c.id == _room(filters, lock=True))
    taken = found.values(taken=ITEMS.c.taken + 1)
    return taken.returning(ITEMS.c.id, ITEMS.c.priority, ITEMS.c.position)


@cache
def neighbour(filters: tuple[str, ...], *, forward: bool) -> Select[Any]:
    """The item of a state after a place of the queue, or before it, that a reviewer may open."""
    place = tuple_(ITEMS.c.priority, ITEMS.c.position)
    here = tuple_(bindparam("of_priority", type_=Integer), bindparam("of_position", type_=Integer))
    lent = exists().where(LEASES.c.item == ITEMS.c.id, LEASES.c.reviewer == _REVIEWER)
    theirs = or_(ITEMS.c.state == "disputed", lent, ROOM)
    voted = exists().where(stands(ITEMS.c.id, VOTE))
    order = (ITEMS.c.priority, ITEMS.c.position)
    return (
        select(ITEMS.c.id)
        .where(ITEMS.c.state == bindparam("of_state"), place > here if forward else place < here)
        .where(theirs, ~voted, ITEMS.c.writer != _REVIEWER, *_matching(filters))
        .order_by(*(order if forward else (column.desc() for column in order)))
        .limit(1)
    )


IS_FREE: Final = (
    select(ITEMS.c.id)
    .where(ROOM, ITEMS.c.id == _ITEM, *_free_for_reviewer())
    .with_for_update(skip_locked=True, of=ITEMS)
)
"""Whether an item has room for a reviewer; one that they skipped has, too."""


@cache
def to_measure(purpose: str) -> Select[Any]:
    """The first item that measures a reviewer: a control, or the oldest of their own votes."""
    # Seen again at once, an item is remembered and not judged.
    fresh = ~exists().where(stands(ITEMS.c.id, purpose))
    # Not a bare column: the few controls, or votes, are to be gone through, not all items.
    decided = func.coalesce(ITEMS.c.state, "") == "decided"
    of_records = ITEMS.c.kind != PROPOSAL
    theirs_not = ITEMS.c.writer != _REVIEWER
    query = select(ITEMS.c.id).where(decided, of_records, fresh, theirs_not).limit(1)
    if purpose == CONTROL:
        unseen = ~exists().where(stands(ITEMS.c.id, VOTE))
        query = query.join(CONTROLS, CONTROLS.c.item == ITEMS.c.id).where(unseen)
        return query.order_by(CONTROLS.c.item)
    of_theirs = and_(VOTES.c.reviewer == _REVIEWER, VOTES.c.purpose == VOTE, _STANDS)
    own = select(VOTES.c.item, VOTES.c.id).where(of_theirs).subquery()
    return query.join(own, own.c.item == ITEMS.c.id).order_by(own.c.id)


_DECIDED_BY: Final = (
    *(ITEMS.c.id, ITEMS.c.run, ITEMS.c.gate, ITEMS.c.record, ITEMS.c.kind, ITEMS.c.writer),
    *(ITEMS.c.covers, ITEMS.c.votes_needed, ITEMS.c.taken, ITEMS.c.state, ITEMS.c.decision),
)
_DRAFTED: Final = exists().where(mine(DRAFTS)).label("drafted")
ITEM: Final = select(*_DECIDED_BY, _DRAFTED).where(ITEMS.c.id == _ITEM).with_for_update(of=ITEMS)
"""What an item is decided by, and if a reviewer has a draft; locked until the transaction ends."""
HEAD: Final = select(
    *(ITEMS.c.id, ITEMS.c.gate, ITEMS.c.record, ITEMS.c.reason, ITEMS.c.rules, ITEMS.c.severity),
    *(ITEMS.c.type, ITEMS.c.conversation, ITEMS.c.kind, ITEMS.c.state, ITEMS.c.priority),
    ITEMS.c.position,
).where(ITEMS.c.id == _ITEM)
"""What the pages say of an item: not what it covers or was decided as, which are long."""
TAKE: Final = update(ITEMS).where(ITEMS.c.id == _ITEM).values(taken=ITEMS.c.taken + 1)
SET_STATE: Final = (
    update(ITEMS)
    .where(ITEMS.c.id == _ITEM)
    .values(state=bindparam("new_state"), decision=bindparam("new_decision"))
)
FREE: Final = update(ITEMS).where(ITEMS.c.id == _ITEM).values(taken=ITEMS.c.taken - 1)

LEASE: Final = insert(LEASES)
LENT: Final = select(LEASES.c.purpose, LEASES.c.until).where(mine(LEASES))
EXTEND: Final = (
    update(LEASES).where(mine(LEASES)).values(until=bindparam("new_until")).returning(LEASES.c.item)
)
END_LEASE: Final = delete(LEASES).where(mine(LEASES)).returning(LEASES.c.purpose)
PAST: Final = (
    select(LEASES.c.item, LEASES.c.reviewer)
    .join(ITEMS, ITEMS.c.id == LEASES.c.item)
    .where(LEASES.c.until < bindparam("now"))
    # Locked with their items, and passed over where others have either: a vote locks its item
    # first and ends its lease then, so who held a lease and waited for the item waited in a circle.
    .order_by(LEASES.c.item)
    .limit(bindparam("at_once"))
    .with_for_update(skip_locked=True)
)
"""Leases that ran out."""

HAS_CAST: Final = (
    select(VOTES.c.id)
    .where(VOTES.c.item == _ITEM, VOTES.c.reviewer == _REVIEWER, VOTES.c.withdrawn.is_(False))
    .limit(1)
)
HAS_LOOKED: Final = (
    select(LOG.c.id)
    .where(LOG.c.item == _ITEM, LOG.c.reviewer == _REVIEWER, LOG.c.action == "look")
    .limit(1)
)
VOTES_SO_FAR: Final = (
    select(
        *(VOTES.c.item, VOTES.c.reviewer, VOTES.c.token, VOTES.c.purpose, VOTES.c.ruling),
        *(VOTES.c.reason, VOTES.c.comment, VOTES.c.edits, VOTES.c.answer),
        VOTES.c.wrong_fields,
    )
    .where(or_(and_(VOTES.c.item == _ITEM, _STANDS), VOTES.c.token == bindparam("token")))
    .order_by(VOTES.c.id)
)
"""Votes on an item that were not withdrawn, in the order they came; and the vote of a token."""
DONE_BY: Final = select(func.count()).select_from(VOTES).where(VOTES.c.reviewer == _REVIEWER)
# Nobody asks for the number of the new row.
ADD_VOTE: Final = insert(VOTES).inline()
ADD_LINE: Final = insert(LOG).inline()


def _upsert(dialect: str, table: Table) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


@cache
def keep_draft(dialect: str) -> ReturningInsert[Any]:
    """Keep a draft in place of the one before, as it was read; gives nothing if it has changed."""
    keep = _upsert(dialect, DRAFTS)
    kept = keep.on_conflict_do_update(
        index_elements=["item", "reviewer"],
        set_={"document": keep.excluded.document, "at": keep.excluded.at},
        where=DRAFTS.c.document == bindparam("of_before", type_=DRAFTS.c.document.type),
    )
    return kept.returning(DRAFTS.c.item)


@cache
def keep_page(dialect: str) -> Insert:
    """Note that a page of an item is open, and until when that is believed."""
    keep = _upsert(dialect, OPEN_PAGES)
    new = {"until": keep.excluded.until}
    return keep.on_conflict_do_update(index_elements=["item", "reviewer", "page"], set_=new)


CLOSE_PAGE: Final = delete(OPEN_PAGES).where(
    mine(OPEN_PAGES), OPEN_PAGES.c.page == bindparam("of_page")
)
CLOSE_PAGES: Final = delete(OPEN_PAGES).where(mine(OPEN_PAGES))
LAST_PAGE: Final = select(func.max(OPEN_PAGES.c.until)).where(
    mine(OPEN_PAGES), OPEN_PAGES.c.until > bindparam("now")
)
"""Until when a page of an item that a reviewer has open is there at the latest."""


DRAFT: Final = select(DRAFTS.c.document).where(mine(DRAFTS))
DROP_DRAFT: Final[Delete] = delete(DRAFTS).where(mine(DRAFTS))

"""How far a queue is, for people who work on it: votes that are in, and what is left to whom."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, case, func, select

from memassay.annotation.storage.tables import ITEMS, LEASES, VOTES
from memassay.annotation.voting.rows import VOTE


@dataclass(frozen=True)
class VotesIn:
    """The votes of a queue.

    Attributes:
        cast: Votes that are in; of an item that needs none any more, all that it needed.
        needed: Votes that all items need together.
    """

    cast: int
    needed: int


@dataclass(frozen=True)
class Left:
    """What is open where nothing more is offered to a reviewer.

    Attributes:
        voted: Open items that have their vote and wait for others'.
        skipped: Open items with room that they skipped.
        others: Open items that are in others' hands, or that they wrote themselves.
    """

    voted: int
    skipped: int
    others: int


def votes_in(engine: Engine) -> VotesIn:
    """The votes of a queue that are in, and those that it needs; stale items need none."""
    is_open = ITEMS.c.state == "open"
    free = func.sum(case((is_open, ITEMS.c.votes_needed - ITEMS.c.taken), else_=0))
    items = select(func.sum(ITEMS.c.votes_needed), free).where(ITEMS.c.state != "stale")
    # A lease takes a place, but is no vote yet.
    lent = (
        select(func.count())
        .select_from(LEASES)
        .join(ITEMS, ITEMS.c.id == LEASES.c.item)
        .where(is_open, LEASES.c.purpose == VOTE)
    )
    with engine.connect().execution_options(reading=True) as connection:
        needed, missing = connection.execute(items).one()
        held = connection.execute(lent).scalar_one()
    return VotesIn(int((needed or 0) - (missing or 0) - held), int(needed or 0))


def votes_by(engine: Engine, reviewer: str) -> int:
    """Votes of a reviewer that stand."""
    with engine.connect().execution_options(reading=True) as connection:
        return int(connection.execute(_count(*_theirs(reviewer))).scalar_one())


def left_for(engine: Engine, reviewer: str, skipped: int) -> Left:
    """What is open, by why it is not offered to a reviewer.

    Args:
        engine: A database that has the tables.
        reviewer: Their name.
        skipped: Items with room that they skipped.
    """
    is_open = ITEMS.c.state == "open"
    cast = _count(*_theirs(reviewer), is_open)
    voted = cast.select_from(VOTES).join(ITEMS, ITEMS.c.id == VOTES.c.item)
    with engine.connect().execution_options(reading=True) as connection:
        every = connection.execute(_count(is_open)).scalar_one()
        done = connection.execute(voted).scalar_one()
    return Left(done, skipped, max(every - done - skipped, 0))


def _theirs(reviewer: str) -> tuple[ColumnElement[bool], ...]:
    return VOTES.c.reviewer == reviewer, VOTES.c.purpose == VOTE, VOTES.c.withdrawn.is_(False)


def _count(*conditions: ColumnElement[bool]) -> Select[Any]:
    return select(func.count()).where(*conditions)

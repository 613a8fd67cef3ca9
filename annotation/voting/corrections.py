"""Votes that came from another tool, and what becomes of one that was changed there since."""

from dataclasses import dataclass

from sqlalchemy import Engine, select, update

from memassay.annotation.storage.tables import VOTES
from memassay.annotation.voting import rows
from memassay.annotation.voting.rows import VOTE
from memassay.annotation.voting.shapes import Submitted, Vote
from memassay.annotation.voting.transactions import Transactions
from memassay.schemas.errors import UsageError


@dataclass(frozen=True)
class CastVote:
    """A vote on an item as it was cast, with the token that says where it came from.

    Attributes:
        number: Its number in the table.
        reviewer: Who cast it.
        token: Its token.
        ruling: Accept or reject.
        withdrawn: Whether it was taken back, or replaced.
    """

    number: int
    reviewer: str
    token: str
    ruling: str
    withdrawn: bool


def votes_cast(engine: Engine, item: str) -> list[CastVote]:
    """The votes that were ever cast to decide an item, oldest first."""
    columns = (VOTES.c.id, VOTES.c.reviewer, VOTES.c.token, VOTES.c.ruling, VOTES.c.withdrawn)
    query = select(*columns).where(VOTES.c.item == item, VOTES.c.purpose == VOTE)
    with engine.connect().execution_options(reading=True) as connection:
        return [CastVote(*row) for row in connection.execute(query.order_by(VOTES.c.id))]


def replace_vote(
    engine: Engine, item: str, before: CastVote, token: str, vote: Vote, now: float
) -> Submitted:
    """Put a corrected vote in the place of one that counts, while its item is open.

    Raises:
        UsageError: The item is not open any more, or the vote was taken back.
    """
    with Transactions(engine).writing() as connection:
        row = rows.item_row(connection, item)
        if row.state != "open":
            raise UsageError(
                f"review item {item}: the vote was changed after it was taken, but the item is "
                f"{row.state} by now; the vote stays {before.ruling}"
            )
        rows.require_fit(row, vote)
        own = (VOTES.c.id == before.number) & VOTES.c.withdrawn.is_(False)
        if not connection.execute(update(VOTES).where(own).values(withdrawn=True)).rowcount:
            raise UsageError(f"review item {item}: the vote was taken back meanwhile; try again")
        rows.insert_vote(connection, item, before.reviewer, token, vote, now, VOTE)
        cast = rows.cast_among(rows.votes_so_far(connection, item))
        state = rows.settle(connection, row, cast)
        rows.note(connection, now, before.reviewer, "correct", row, vote)
        return Submitted(item, state)

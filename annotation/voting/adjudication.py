"""Who may decide a dispute: not a party to it, as long as there is anybody else."""

from typing import Final

from sqlalchemy import Connection, select

from memassay.annotation.storage.tables import REVIEWERS, VOTES
from memassay.annotation.voting.rows import VOTE
from memassay.schemas.errors import UsageError

_DECIDES: Final = ("adjudicator", "owner")


def require_third(connection: Connection, item: str, reviewer: str) -> None:
    """See that a dispute is decided by somebody who has not voted on it.

    Votes that were taken back count, too. Where every adjudicator and owner who can log in has
    voted, or nobody has an account as when one person works alone, whoever is left decides.

    Raises:
        UsageError: The reviewer has voted on it, and another could decide.
    """
    cast = select(VOTES.c.reviewer).where(VOTES.c.item == item, VOTES.c.purpose == VOTE)
    parties = set(connection.execute(cast).scalars())
    if reviewer not in parties:
        return
    able = select(REVIEWERS.c.name).where(
        REVIEWERS.c.role.in_(_DECIDES), REVIEWERS.c.disabled.is_(False)
    )
    others = set(connection.execute(able).scalars()) - parties
    if others:
        raise UsageError(
            f"review item {item}: expected somebody to decide who has not voted on it, got one of "
            f"its voters; leave it to {', '.join(sorted(others))}"
        )

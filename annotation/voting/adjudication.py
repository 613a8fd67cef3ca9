"""Who may decide a dispute: not a party to it, as long as there is anybody else."""

from collections.abc import Sequence
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
    others = _thirds(connection, [item], reviewer).get(item)
    if others:
        raise UsageError(
            f"review item {item}: expected somebody to decide who has not voted on it, got one of "
            f"its voters; leave it to {', '.join(sorted(others))}"
        )


def barred(connection: Connection, items: Sequence[str], reviewer: str) -> frozenset[str]:
    """Those of some disputes that a reviewer may not decide."""
    found = _thirds(connection, items, reviewer)
    return frozenset(item for item, others in found.items() if others)


def _thirds(connection: Connection, items: Sequence[str], reviewer: str) -> dict[str, set[str]]:
    """By item that a reviewer has voted on, who else could decide it."""
    cast = select(VOTES.c.item, VOTES.c.reviewer).where(
        VOTES.c.item.in_(items), VOTES.c.purpose == VOTE
    )
    parties: dict[str, set[str]] = {}
    for item, name in connection.execute(cast):
        parties.setdefault(item, set()).add(name)
    able = select(REVIEWERS.c.name).where(
        REVIEWERS.c.role.in_(_DECIDES), REVIEWERS.c.disabled.is_(False)
    )
    names = set(connection.execute(able).scalars())
    return {item: names - voted for item, voted in parties.items() if reviewer in voted}

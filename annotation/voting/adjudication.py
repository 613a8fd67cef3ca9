"""Who may decide a dispute: not a party to it, as long as there is anybody else."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, select

from memassay.annotation.storage.tables import REVIEWERS, VOTES
from memassay.annotation.voting.rows import PROPOSAL, VOTE
from memassay.schemas.errors import UsageError

_DECIDES: Final = ("adjudicator", "owner")


def require_may_decide(
    connection: Connection, row: Any, reviewer: str, *, owner: bool = False
) -> None:
    """See that somebody may decide an item against, or without, the votes of others.

    An owner may decide any proposed edit of a history, their own as well.

    Raises:
        UsageError: It is not disputed, it is theirs, or others can decide who have not voted.
    """
    waits = row.state in ("open", "disputed")
    if owner and row.kind == PROPOSAL and waits:
        return
    if row.state != "disputed":
        raise UsageError(f"review item {row.id}: expected a disputed item, got a {row.state} one")
    if row.writer == reviewer:
        raise UsageError(f"review item {row.id}: you wrote it; others decide about it")
    require_third(connection, row.id, reviewer)


def require_third(connection: Connection, item: str, reviewer: str) -> None:
    """See that a dispute is decided by somebody who has not voted on it.

    Votes that were taken back count, too. Where every adjudicator and owner who can log in has
    voted, or nobody has an account as when one person works alone, those who are left decide.

    Raises:
        UsageError: The reviewer has voted on it, and another could decide.
    """
    others = _thirds(connection, [item], reviewer).get(item)
    if others:
        raise UsageError(
            f"review item {item}: expected somebody to decide who has not voted on it, got one of "
            f"its voters; leave it to {', '.join(sorted(others))}"
        )


def barred_items(connection: Connection, items: Sequence[str], reviewer: str) -> frozenset[str]:
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

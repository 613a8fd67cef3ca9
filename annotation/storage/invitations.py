"""Invitations: who may become a reviewer, in which role, until when; used once."""

import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection, Engine, delete, insert, select, update

from memassay.annotation.storage.tables import INVITATIONS, LEASES, LOG, REVIEWERS, WEB_SESSIONS
from memassay.schemas.errors import UsageError

ROLES: Final = ("annotator", "adjudicator", "owner")
"""What a reviewer may do: vote; decide what is disputed; see everybody's work."""

DAY_SECONDS: Final = 86_400.0


def invite(
    engine: Engine, role: str, days: float = 14.0, clock: Callable[[], float] = time.time
) -> str:
    """A new invitation; gives its token, of which only the hash is kept.

    Raises:
        UsageError: There is no such role.
    """
    if role not in ROLES:
        raise UsageError(f"role: expected one of {', '.join(ROLES)}, got {role!r}")
    token = secrets.token_urlsafe(24)
    digest = hashlib.sha256(token.encode()).hexdigest()
    row = {"token": digest, "role": role, "until": clock() + days * DAY_SECONDS, "used_by": None}
    with engine.begin() as connection:
        connection.execute(insert(INVITATIONS).values(**row))
    return token


def reviewers(engine: Engine) -> list[dict[str, Any]]:
    """Name, role and whether they are shut out, of everybody who has joined, by name."""
    columns = (REVIEWERS.c.name, REVIEWERS.c.role, REVIEWERS.c.disabled)
    with engine.connect().execution_options(reading=True) as connection:
        rows = connection.execute(select(*columns).order_by(REVIEWERS.c.name)).all()
    return [row._asdict() for row in rows]


def shut_out(
    connection: Connection, name: str, by: str, now: float, *, disabled: bool = True
) -> list[str]:
    """Take a reviewer's right to log in, and their sessions, or give it back; it is logged.

    What they did stays.

    Args:
        connection: The transaction.
        name: Who is shut out or let in.
        by: Who does it.
        now: Seconds since 1970.
        disabled: Whether to shut them out.

    Returns:
        Ids of the items that they hold.

    Raises:
        UsageError: Nobody has this name, or it is their own, or the last owner's.
    """
    if disabled and name == by:
        raise UsageError(f"reviewer {name!r}: expected somebody else, got yourself")
    row = connection.execute(select(REVIEWERS).where(REVIEWERS.c.name == name)).one_or_none()
    if row is None:
        raise UsageError(f"reviewer {name!r}: expected one who has joined, got nobody")
    owners = (REVIEWERS.c.role == "owner") & REVIEWERS.c.disabled.is_(False)
    able = set(connection.execute(select(REVIEWERS.c.name).where(owners)).scalars())
    if disabled and able == {name}:
        raise UsageError(f"reviewer {name!r}: expected another owner to be left, got the last one")
    change = update(REVIEWERS).where(REVIEWERS.c.name == name).values(disabled=disabled)
    connection.execute(change)
    connection.execute(delete(WEB_SESSIONS).where(WEB_SESSIONS.c.reviewer == name))
    line = {
        "at": now,
        "reviewer": by,
        "action": "shut out" if disabled else "let in",
        "item": "",
        "record": "",
        "reason": name,
    }
    connection.execute(insert(LOG).values(**line))
    held = select(LEASES.c.item).where(LEASES.c.reviewer == name)
    return list(connection.execute(held).scalars())

"""Invitations: who may become a reviewer, in which role, until when; used once."""

import hashlib
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Engine, delete, insert, select, update

from memassay.annotation.storage.tables import INVITATIONS, REVIEWERS, WEB_SESSIONS
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


def shut_out(engine: Engine, name: str, *, disabled: bool = True) -> None:
    """Take a reviewer's right to log in, and their sessions, or give it back.

    What they did stays.

    Raises:
        UsageError: Nobody has this name.
    """
    change = update(REVIEWERS).where(REVIEWERS.c.name == name).values(disabled=disabled)
    with engine.begin() as connection:
        if connection.execute(change).rowcount != 1:
            raise UsageError(f"reviewer {name!r}: expected one who has joined, got nobody")
        connection.execute(delete(WEB_SESSIONS).where(WEB_SESSIONS.c.reviewer == name))

"""Who may log in to the review pages: names, argon2 hashes, roles, invitations."""

import hashlib
import time
from collections.abc import Callable
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Engine, insert, select, update

from memassay.annotation.storage.tables import INVITATIONS, REVIEWERS
from memassay.schemas.errors import UsageError

_SHORTEST: Final = 10
_LONGEST: Final = 200


class ReviewerAccounts:
    """The reviewers in a database that has the tables."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        """Use a database."""
        self.engine = engine
        self.clock = clock
        self._hasher = PasswordHasher()
        # Checked for names that nobody has, so that the time taken does not show which names exist.
        self._nobody = self._hasher.hash("nobody")

    def role_of(self, name: str, password: str) -> str | None:
        """The role of who knows the password, else None."""
        query = select(REVIEWERS).where(REVIEWERS.c.name == name, REVIEWERS.c.disabled.is_(False))
        with self.engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(query).one_or_none()
        known = self._nobody if row is None else row.password
        try:
            self._hasher.verify(known, password[:_LONGEST])
        except (Argon2Error, InvalidHashError):
            return None
        return None if row is None else str(row.role)

    def join(self, token: str, name: str, password: str) -> str:
        """Become a reviewer by an invitation, once; gives the role.

        Raises:
            UsageError: The invitation is unknown, used or too old, the name is taken or none, or
                the password is too short.
        """
        if not name.isprintable() or not 1 <= len(name.strip()) <= 80:
            raise UsageError("name: expected 1 to 80 characters; it is your pseudonym")
        if not _SHORTEST <= len(password) <= _LONGEST:
            raise UsageError(f"password: expected {_SHORTEST} to {_LONGEST} characters")
        name, hashed = name.strip(), self._hasher.hash(password)
        digest = hashlib.sha256(token.encode()).hexdigest()
        free = (
            (INVITATIONS.c.token == digest)
            & INVITATIONS.c.used_by.is_(None)
            & (INVITATIONS.c.until > self.clock())
        )
        with self.engine.begin() as connection:
            use = update(INVITATIONS).where(free).values(used_by=name)
            role = connection.execute(use.returning(INVITATIONS.c.role)).scalar()
            if role is None:
                raise UsageError("invitation: expected one that is open; ask the owner for another")
            taken = select(REVIEWERS.c.name).where(REVIEWERS.c.name == name)
            if connection.execute(taken).scalar() is not None:
                raise UsageError(f"name: {name!r} is taken; choose another")
            row = {"name": name, "role": role, "password": hashed, "disabled": False}
            connection.execute(insert(REVIEWERS).values(**row))
        return str(role)

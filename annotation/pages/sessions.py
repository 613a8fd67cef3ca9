"""Sessions of the review pages and wrong tries to log in, in the database.

They outlive a server and hold for all servers of one database. The cookie holds a random name;
the database holds its hash. A server trusts what it read of a session for a second, so that a
session ended elsewhere is of no use a second later; ended here, it is of none at once.
"""

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from anyio import to_thread
from fastapi import HTTPException, Request
from sqlalchemy import Engine, bindparam, delete, exists, func, insert, or_, select, update

from memassay.annotation.pages.security import COOKIE, Reviewers, Session
from memassay.annotation.storage.tables import REVIEWERS, WEB_SESSIONS, WEB_TRIES
from memassay.schemas.errors import UsageError

IDLE_SECONDS: Final = 12 * 3600.0
"""A session that is not used for as long has ended."""
LONGEST_SECONDS: Final = 30 * 86400.0
"""A session ends after as long, used or not."""
TRUSTED_SECONDS: Final = 1.0
"""How long a server goes by what it read of a session."""
TOUCH_SECONDS: Final = 60.0
"""How often it is written down at most that a session is used."""
_ALONE: Final = "alone"
"""The role of who works without a login; it is of no use where people log in."""
_TRIES: Final = 20
"""Wrong tries of one address within a minute."""
_TRIES_OF_NAME: Final = 100
"""Those for one name: many, so that nobody is locked out by what others try from one address."""
_WINDOW_SECONDS: Final = 60.0
_KEPT: Final = 1000

_shut_out = exists().where(
    REVIEWERS.c.name == WEB_SESSIONS.c.reviewer, REVIEWERS.c.disabled.is_(True)
)
_FIND: Final = select(WEB_SESSIONS).where(WEB_SESSIONS.c.token == bindparam("token"), ~_shut_out)


@dataclass
class Sessions:
    """Sessions on the server; the cookie holds a random name of one and nothing else.

    Attributes:
        reviewers: Who may log in; None where one person works alone on this machine.
        engine: A database that has the tables.
        clock: Seconds since 1970.
    """

    reviewers: Reviewers | None
    engine: Engine
    clock: Callable[[], float] = time.time
    _kept: dict[str, tuple[float, Session]] = field(default_factory=dict)

    async def of(self, request: Request) -> Session:
        """The session of a request.

        Raises:
            HTTPException: 303 to the login page.
        """
        session = await self.session_of(request)
        if session is None:
            raise HTTPException(303, headers={"Location": _login(request)})
        return session

    async def session_of(self, request: Request) -> Session | None:
        """The session of a request; None if there is none, or it has ended."""
        name = request.cookies.get(COOKIE, "")
        if not name:
            return None
        token = _digest(name)
        read, session = self._kept.get(token, (float("-inf"), None))
        if session is not None and 0 <= self.clock() - read < TRUSTED_SECONDS:
            return session
        return await to_thread.run_sync(self._read, token)

    def _read(self, token: str) -> Session | None:
        now = self.clock()
        with self.engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(_FIND, {"token": token}).one_or_none()
        alone = self.reviewers is None
        if row is None or now > min(row.until, row.seen + IDLE_SECONDS):
            self._kept.pop(token, None)
            return None
        if alone != (row.role == _ALONE):
            return None
        if now - row.seen >= TOUCH_SECONDS:
            own = WEB_SESSIONS.c.token == token
            self._write(update(WEB_SESSIONS).where(own).values(seen=now))
        session = Session(row.reviewer, "owner" if alone else row.role, row.csrf)
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept[token] = (now, session)
        return session

    def _write(self, *statements: Any) -> None:
        with self.engine.begin() as connection:
            for statement in statements:
                connection.execute(statement)

    def log_in(self, request: Request, name: str, password: str) -> str | None:
        """Name of a new session, a fresh one at every login; None if the password is wrong.

        Raises:
            HTTPException: 429 after twenty wrong tries within a minute from one address, or a
                hundred for one name.
        """
        if self.reviewers is None:
            return None
        tried = self._try(request, name)
        role = self.reviewers.role_of(name, password)
        if role is None:
            return None
        self._take_back(tried)
        return self.begin(name, role)

    def join(self, request: Request, invitation: str, name: str, password: str) -> str | None:
        """Name of a new session for who comes by an invitation; None where nobody logs in.

        Raises:
            HTTPException: 429 after too many tries.
            UsageError: The invitation, the name or the password will not do.
        """
        if self.reviewers is None:
            return None
        tried = self._try(request, name)
        role = self.reviewers.join(invitation, name, password)
        self._take_back(tried)
        return self.begin(name.strip(), role)

    def begin_alone(self) -> str:
        """Open a session for who works without a login, and give its name."""
        if self.reviewers is not None:
            raise UsageError("session: expected a login where people log in")
        return self.begin("me", _ALONE)

    def begin(self, reviewer: str, role: str) -> str:
        """Open a session and give its name; sessions that have ended are cleared away."""
        name, now = secrets.token_urlsafe(32), self.clock()
        row = {
            "token": _digest(name),
            "reviewer": reviewer,
            "role": role,
            "csrf": secrets.token_urlsafe(24),
            "created": now,
            "seen": now,
            "until": now + LONGEST_SECONDS,
        }
        ended = or_(WEB_SESSIONS.c.until < now, WEB_SESSIONS.c.seen < now - IDLE_SECONDS)
        self._write(delete(WEB_SESSIONS).where(ended), insert(WEB_SESSIONS).values(**row))
        return name

    def end(self, request: Request) -> None:
        """Close the session of a request."""
        token = _digest(request.cookies.get(COOKIE, ""))
        self._write(delete(WEB_SESSIONS).where(WEB_SESSIONS.c.token == token))
        self._kept.pop(token, None)

    def _try(self, request: Request, name: str) -> list[int]:
        """Count a try to log in; gives the rows to take back once it has succeeded.

        Counted before the password is looked at: tries sent at once do not overtake the limit.

        Raises:
            HTTPException: 429 after too many.
        """
        now, tried, limits = self.clock(), [], _limits(request, name)
        with self.engine.begin() as connection:
            connection.execute(delete(WEB_TRIES).where(WEB_TRIES.c.at < now - _WINDOW_SECONDS))
            for who, _ in limits:
                made = connection.execute(insert(WEB_TRIES).values(who=who, at=now))
                key: Any = made.inserted_primary_key
                tried.append(int(key[0]))
        counted = select(func.count()).select_from(WEB_TRIES)
        with self.engine.connect().execution_options(reading=True) as connection:
            for who, limit in limits:
                mine = counted.where(WEB_TRIES.c.who == who)
                if connection.execute(mine).scalar_one() > limit:
                    break
            else:
                return tried
        self._take_back(tried)
        raise HTTPException(429, "Too many tries. Wait a minute and try again.")

    def _take_back(self, tried: list[int]) -> None:
        """Take tries back that do not count: they succeeded, or were refused unseen."""
        self._write(delete(WEB_TRIES).where(WEB_TRIES.c.id.in_(tried)))


def _login(request: Request) -> str:
    """Where to log in, and from there back to the page that was asked for."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    again = request.method == "GET" and wanted != "/"
    return f"/login?{urlencode({'next': wanted})}" if again else "/login"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _limits(request: Request, name: str) -> list[tuple[str, int]]:
    """What tries are counted by, and how many each may have; an office has one address."""
    address = request.client.host if request.client else ""
    return [
        (_digest(f"name {name.strip()}"), _TRIES_OF_NAME),
        (_digest(f"address {address}"), _TRIES),
    ]

"""Owners in a database that machines share: each lives for as long as its session does.

The session of an owner holds an advisory lock. The server lets go of it when the connection ends,
however that comes about, so that every machine sees at once who lives, and no clock is compared.
"""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Pipe, wait
from typing import Any, Final

from sqlalchemy import Connection, Engine, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from memassay.flows.store.tables import UNITS, reading

GRACE_SECONDS: Final = 1.0
"""How long an owner that lost its connection has for another one (our choice)."""
_RETRY_SECONDS: Final = 0.2

_HOLD: Final = text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")
_LET_GO: Final = text("SELECT pg_advisory_unlock_all()")
_IS_FREE: Final = text("SELECT pg_try_advisory_xact_lock_shared(hashtextextended(:name, 0))")


class OwnerSessions:
    """Owners of a workspace whose database is a PostgreSQL server."""

    def __init__(self, engine: Engine) -> None:
        """Use an open database."""
        self.engine = engine
        self._missed: dict[str, float] = {}

    def enter(self) -> "OwnerSession":
        """Begin to live, under a name of its own."""
        return OwnerSession(self.engine)

    def is_dead(self, name: str) -> bool:
        """Whether an owner has been without a connection for so long that it will not come back."""
        if not self._is_gone(name):
            self._missed.pop(name, None)
            return False
        return time.monotonic() - self._missed.setdefault(name, time.monotonic()) >= GRACE_SECONDS

    def dead(self) -> Iterator[str]:
        """Names of owners that hold leases, and have no connection now."""
        holders = select(UNITS.c.owner).where(UNITS.c.owner.is_not(None)).distinct()
        with reading(self.engine) as connection:
            names = sorted(str(name) for name in connection.execute(holders).scalars())
        return (name for name in names if self._is_gone(name))

    def clear(self, name: str) -> None:
        """Forget an owner whose leases are free; the server has forgotten it already."""
        self._missed.pop(name, None)

    def _is_gone(self, name: str) -> bool:
        # Asked outside of a transaction, the lock is let go of at once.
        with reading(self.engine) as connection:
            return bool(connection.execute(_IS_FREE, {"name": name}).scalar_one())


class OwnerSession:
    """The session of one owner; should its connection be cut, it takes another at once.

    Attributes:
        name: Name of the owner.
    """

    def __init__(self, engine: Engine) -> None:
        """Connect, and hold the lock of a new name."""
        self.name = uuid.uuid4().hex
        self._engine = engine
        self._wake, self._woken = Pipe()
        self._connection = self._connect()
        self._watch = threading.Thread(target=self._stay, name="memassay-session", daemon=True)
        self._watch.start()

    def _connect(self) -> Connection:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()
        if not connection.execute(_HOLD, {"name": self.name}).scalar_one():
            connection.close()
            raise ConnectionError(f"owner {self.name}: its earlier session has not ended yet")
        return connection

    def _stay(self) -> None:
        """Watch the connection until we leave: a server that is silent has nothing to say."""
        while True:
            driver: Any = self._connection.connection.dbapi_connection
            if self._woken in wait([driver.fileno(), self._woken]):
                return
            try:
                # A notice of the server is no reason to go; this reads it, too.
                self._connection.exec_driver_sql("SELECT 1")
            except DBAPIError:
                if not self._come_back():
                    return

    def _come_back(self) -> bool:
        """Connect until it works, or until we leave; what was taken from us meanwhile is lost."""
        self._connection.close()
        while not self._woken.poll():
            try:
                self._connection = self._connect()
            except (DBAPIError, ConnectionError):
                self._woken.poll(_RETRY_SECONDS)
            else:
                return True
        return False

    def leave(self) -> None:
        """Live no more."""
        self._wake.send(None)
        self._watch.join()
        for end in (self._wake, self._woken):
            end.close()
        with suppress(SQLAlchemyError), self._connection:
            # The server hears of a connection's end a moment later.
            self._connection.execute(_LET_GO)

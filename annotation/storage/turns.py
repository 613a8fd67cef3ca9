"""Turns of runs: one that looks at what waits and then writes is alone with it."""

from typing import Final

from sqlalchemy import Connection, func, select

_LOCK: Final = 7_143_209


def take_turn(connection: Connection) -> None:
    """Wait for other runs that change the queue; SQLite lets nobody else write anyway.

    Taken first in a transaction, so that nobody waits in a circle.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))

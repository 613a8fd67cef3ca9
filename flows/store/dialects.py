"""What SQLite and PostgreSQL say differently."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlalchemy import Connection, Engine, String, Table, Text, text

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    Insert: TypeAlias = "sqlite.Insert" | "postgresql.Insert"

SERVER: Final = "postgresql"
"""The dialect of a database that many machines share."""
_TAKE_TURNS: Final = text("SELECT pg_advisory_xact_lock(:turn)")


def name_column(length: int) -> String:
    """A column of names: compared by code points in every database, whatever its locale.

    Args:
        length: What SQLite is told, which does not cut; PostgreSQL would refuse longer ones.
    """
    return String(length).with_variant(Text(collation="C"), SERVER)


def inserting(engine: Engine) -> "Callable[[Table], Insert]":
    """How the dialect of a database inserts, with what it does about rows that are there."""
    # Only those who have a server load its dialect.
    if engine.dialect.name == SERVER:
        from sqlalchemy.dialects import postgresql

        return postgresql.insert
    from sqlalchemy.dialects import sqlite

    return sqlite.insert


def take_turns(connection: Connection, turn: int) -> None:
    """Let one transaction of a kind run at a time, as all that write do in SQLite.

    Args:
        connection: In a transaction, at the end of which the next one runs.
        turn: Number of the kind.
    """
    if connection.dialect.name == SERVER:
        connection.execute(_TAKE_TURNS, {"turn": turn})

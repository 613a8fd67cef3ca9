"""Brings the tables of a workspace up to date, whatever version made them.

A database carries its version: SQLite in its header (`PRAGMA user_version`), PostgreSQL in a table
of its own. Every change of a table that
some workspace already has raises `VERSION` and adds a step here; new tables alone need no step,
but raise it, too.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    Table,
    delete,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import OperationalError

from memassay.flows.store.dialects import SERVER, take_turns
from memassay.flows.store.tables import METADATA, reading
from memassay.schemas.errors import UsageError

VERSION: Final = 7
"""Version of the tables as they are now."""

CLOSED: Final = (
    "which may not be written; make it writable once, or copy it, and it is brought up to date"
)

_STEPS: Final[dict[int, Sequence[str]]] = {
    # A lease is kept by being renewed, whatever the clocks of the machines say.
    2: (
        "ALTER TABLE units ADD COLUMN beats INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE units DROP COLUMN lease_until",
    ),
    # A table that is new: calls without a reply.
    3: (),
    # Another: what servers of one's own take.
    4: (),
    # Which bytes belong to a record, without a look into its document.
    5: (
        "ALTER TABLE records ADD COLUMN blob VARCHAR(64)",
        "UPDATE records SET blob = json_extract(document, '$.blob_sha256') WHERE kind = 'asset' "
        "AND json_extract(document, '$.availability') = 'present'",
    ),
    # Another table: what images measured.
    6: (),
    # How fast a stage goes.
    7: ("ALTER TABLE runs ADD COLUMN pace TEXT",),
}
"""Statements that lead to a version from the one before it; on servers, from the fifth on."""

_STAMP: Final = Table("workspace_version", MetaData(), Column("version", Integer, nullable=False))
_TURN: Final = 7_143_207


def upgrade(engine: Engine) -> None:
    """Make the tables, or bring them up to date; safe to call from several processes.

    Raises:
        UsageError: A newer version of memassay made them, or they are not of the version that
            their stamp says.
    """
    with reading(engine) as connection:
        if _version(connection) == VERSION and not _missing(connection):
            return
    with engine.begin() as connection:
        take_turns(connection, _TURN)
        found = _version(connection)
        _refuse_unknown(found)
        # Without a stamp, tables are of the first version, which had none.
        first = 1 if inspect(connection).has_table("units") else VERSION
        for step in range((found or first) + 1, VERSION + 1):
            _take(step, connection)
        METADATA.create_all(connection)
        _stamp(connection)


def is_made(engine: Engine) -> bool:
    """Whether a database has tables of a workspace, of any version."""
    with reading(engine) as connection:
        return _version(connection) > 0


def _take(step: int, connection: Connection) -> None:
    for statement in _STEPS[step]:
        try:
            connection.exec_driver_sql(statement)
        except OperationalError as error:
            if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR:
                raise
            # The file is whole, and its tables are not those that the statement is for.
            raise UsageError(
                f"workspace: expected the tables of version {step - 1}, as its database is "
                f"stamped, got others ({error.orig}); take a copy from before it was changed, or "
                "choose another with --workspace"
            ) from error


def demand_current(connection: Connection) -> None:
    """See to it that tables which may not be changed are of our version.

    Raises:
        UsageError: They are older, or newer.
    """
    found = _version(connection)
    _refuse_unknown(found)
    if found < VERSION:
        raise UsageError(
            f"workspace: expected one of version {VERSION}, got version {found or 1}, {CLOSED}"
        )


def _refuse_unknown(found: int) -> None:
    if found < 0:
        raise UsageError(
            f"workspace: expected a version from 1 to {VERSION}, got {found}: memassay writes no "
            "such one; take a copy from before it was changed, or choose another with --workspace"
        )
    if found > VERSION:
        raise UsageError(
            f"workspace: expected one of version {VERSION} or older, got version {found}; a newer "
            "memassay made it: install that one, or choose another with --workspace"
        )


def _version(connection: Connection) -> int:
    """The version a database is stamped with; 0 for none."""
    if connection.dialect.name != SERVER:
        return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    if not inspect(connection).has_table(_STAMP.name):
        return 0
    return int(connection.execute(select(_STAMP.c.version)).scalar_one())


def _stamp(connection: Connection) -> None:
    """Stamp a database with our version."""
    if connection.dialect.name != SERVER:
        connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
        return
    _STAMP.create(connection, checkfirst=True)
    connection.execute(delete(_STAMP))
    connection.execute(insert(_STAMP).values(version=VERSION))


def _missing(connection: Connection) -> set[str]:
    """Names of tables that are not there yet."""
    return set(METADATA.tables) - set(inspect(connection).get_table_names())

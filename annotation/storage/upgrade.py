"""Brings the review tables of a database up to date, whatever version made them."""

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, inspect, text

from memassay.annotation.storage.tables import METADATA
from memassay.schemas.errors import UsageError

VERSION: Final = "10"
"""The migration that gives the tables as they are now."""
_VERSION_TABLE: Final = "review_version"
_LOCK: Final = 7_143_206


def upgrade(engine: Engine) -> None:
    """Make the tables, or bring them up to date; safe to call from several processes.

    Raises:
        UsageError: They are of a version that we do not know.
    """
    with engine.connect().execution_options(reading=True) as connection:
        if _version(connection) == VERSION:
            return
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        version = _version(connection)
        if version is None:
            _create(connection)
            _stamp(connection, VERSION)
        elif version != VERSION:
            migrate(connection, version)


def _create(connection: Connection) -> None:
    """Make all tables; conditions of indexes hold in PostgreSQL as in SQLite.

    The tables say them for SQLite alone: saying them twice would load PostgreSQL's dialect for
    every command.
    """
    for table in METADATA.tables.values() if connection.dialect.name == "postgresql" else ():
        for index in table.indexes:
            where = index.dialect_options["sqlite"]["where"]
            index.dialect_options["postgresql"]["where"] = where
    METADATA.create_all(connection)


def _version(connection: Connection) -> str | None:
    """The migration a database is at, one of ours; None if it has no review tables."""
    found = inspect(connection)
    if found.has_table(_VERSION_TABLE):
        query = text(f"SELECT version_num FROM {_VERSION_TABLE}")
        version = str(connection.execute(query).scalar())
        if version not in map(str, range(1, int(VERSION) + 1)):
            raise UsageError(
                f"review tables: expected version {VERSION} or older, got {version!r}; if a newer "
                "memassay made them, install that one, or choose another workspace"
            )
        return version
    if not found.has_table("review_items"):
        return None
    # Workspaces older than this table are known by the tables they have.
    return "2" if found.has_table("review_votes") else "1"


def _stamp(connection: Connection, version: str) -> None:
    connection.execute(
        text(f"CREATE TABLE {_VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    )
    connection.execute(text(f"INSERT INTO {_VERSION_TABLE} VALUES ('{version}')"))


def migrate(connection: Connection, version: str | None) -> None:
    """Run the migrations that follow a version; None for all of them."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    if version is not None and not inspect(connection).has_table(_VERSION_TABLE):
        _stamp(connection, version)
    command.upgrade(config, "head")

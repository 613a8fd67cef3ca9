"""Opens the database of a workspace: to work in, or only to look at where nobody may write."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from memassay.flows.store.database.servers import open_server
from memassay.flows.store.database.upgrade import demand_current, is_made, upgrade
from memassay.flows.store.tables import reading
from memassay.schemas.errors import UsageError

_WAL = "-wal"


def may_be_written(path: Path) -> bool:
    """Whether a database and the folder that it is in may be written."""
    return os.access(path.parent, os.W_OK) and os.access(path, os.W_OK)


def open_database(path: Path) -> Engine:
    """The database in a file, made if it is not there; WAL, one writer at a time.

    Raises:
        UsageError: A newer version of memassay made it.
    """
    # Every history that is under way may read at once; the one writer is SQLite's own.
    engine = create_engine(
        f"sqlite:///{path}", connect_args={"timeout": 60}, pool_size=20, max_overflow=-1
    )
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin_immediate)
    upgrade(engine)
    return engine


def open_server_database(url: URL, name: str, *, create: bool) -> Engine:
    """The database on a server.

    Args:
        url: Its URL.
        name: What errors call it.
        create: Whether its tables are made if they are not there.

    Raises:
        UsageError: It has no tables (and may not get any), a newer version of memassay made it, or
            its driver is not installed.
    """
    engine = open_server(url, name)
    if not create and not is_made(engine):
        raise UsageError(
            f"{name}: expected tables of a workspace, got none; `memassay run RECIPE` makes them"
        )
    upgrade(engine)
    return engine


def look_at_database(path: Path) -> Engine:
    """The database in a file that may not be written; what is written to it fails.

    Raises:
        UsageError: Another version of memassay made it.
    """
    engine = create_engine("sqlite://", creator=_reader(path))
    event.listen(engine, "begin", _begin)
    with reading(engine) as connection:
        demand_current(connection)
    return engine


def _reader(path: Path) -> Callable[[], sqlite3.Connection]:
    """How to connect to a database that may not be written."""
    log = path.with_name(path.name + _WAL)
    if not log.is_file() or log.stat().st_size == 0:
        # Whole in its one file, and nobody here can change that: no lock is needed.
        return lambda: _connect(path, "mode=ro&immutable=1")
    try:
        # Another place may be writing it just now: with its index of the log we see that.
        with closing(_connect(path, "mode=ro")) as connection:
            connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    except sqlite3.Error:
        return _connect_copy(path, log)
    return lambda: _connect(path, "mode=ro")


def _connect_copy(path: Path, log: Path) -> Callable[[], sqlite3.Connection]:
    """Connect to a copy: what is in a log without its index can be read in no other way."""
    folder = tempfile.TemporaryDirectory(prefix="memassay-")
    for part in (path, log):
        shutil.copyfile(part, Path(folder.name) / part.name)

    def connect() -> sqlite3.Connection:
        return _connect(Path(folder.name) / path.name, "mode=rw")

    return connect


def _connect(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=60,
        isolation_level=None,
        check_same_thread=False,
    )


def _configure(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions on its own: every one of ours takes the write
    # lock at once, so that two processes can never both read before they write.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=60000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Connection) -> None:
    if connection.get_execution_options().get("reading"):
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")

"""Opens the database of a workspace: to work in, or only to look at where nobody may write."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from memassay.flows.store.database.servers import open_server
from memassay.flows.store.database.upgrade import demand_current, is_made, upgrade
from memassay.flows.store.tables import reading
from memassay.schemas.errors import UsageError

_WAL: Final = "-wal"
_WAIT_SECONDS: Final = 60
_RETRY_SECONDS: Final = 0.01


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
        f"sqlite:///{path}", connect_args={"timeout": _WAIT_SECONDS}, pool_size=20, max_overflow=-1
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
        timeout=_WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _configure(connection: Any, _record: Any) -> None:
    # The driver must not begin transactions on its own: every one of ours takes the write
    # lock at once, so that two processes can never both read before they write.
    connection.isolation_level = None
    for pragma in (f"busy_timeout={_WAIT_SECONDS * 1000}", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    _switch_to_log(connection)


def _switch_to_log(connection: sqlite3.Connection) -> None:
    """Switch a database to its write-ahead log, which a new one is without."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            # Of two that switch at once SQLite refuses one without waiting: each would wait for
            # the other to stop reading.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def _begin_immediate(connection: Connection) -> None:
    if connection.get_execution_options().get("reading"):
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")

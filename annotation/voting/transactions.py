"""Transactions of the desk: short, one writer at a time, on the disk before they are confirmed.

On SQLite the writers of a process queue up here: its own waiting is neither fast nor fair. Where
several processes serve, they queue up at a lock on a file beside the database.

SQLite waits for the disk at every commit while nobody else can write. Here a transaction is
committed to the write-ahead log without that wait, and then waits by itself: the first to wait
does it for all that were committed before (group commit). What is acknowledged is on the disk as
surely as with `synchronous=FULL`, which does the same within the lock. A lease needs no disk: if
the power fails it is lost with the connection of the reviewer who held it.
"""

import fcntl
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine


class Transactions:
    """Transactions over a database that is passed in; SQLite or PostgreSQL."""

    def __init__(self, engine: Engine) -> None:
        """Use a database."""
        self.engine = engine
        file = engine.url.database if engine.dialect.name == "sqlite" else None
        self._file = _FileTurns(Path(file)) if file else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that only reads, and waits for no writer; each statement by itself."""
        with self.engine.connect().execution_options(reading=True) as connection:
            yield connection

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Connection]:
        """A transaction; with `durable` it is on the disk when the block has ended."""
        if self._file is None:
            with self.engine.begin() as connection:
                yield connection
            return
        with self._file.turn(), self.engine.connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            logged = self._file.has_log(driver)
            if logged:
                # Outside of transactions only; who uses the connection next finds it as it was.
                driver.execute("PRAGMA synchronous=NORMAL")
            try:
                with connection.begin():
                    yield connection
            finally:
                driver.execute("PRAGMA synchronous=FULL")
        if durable and logged:
            self._file.wait_for_disk()


class _FileTurns:
    """Turns at writing to a SQLite file, and waiting for the disk."""

    def __init__(self, database: Path) -> None:
        self._log = Path(f"{database}-wal")
        self._beside = Path(f"{database}-desk")
        self._threads = threading.Lock()
        self._disk = threading.Lock()
        self._committed = 0
        self._on_disk = 0
        self._lock: int | None = None
        self._logged: bool | None = None

    def has_log(self, driver: Any) -> bool:
        """Whether there is a write-ahead log; some file systems of networks allow none."""
        if self._logged is None:
            self._logged = driver.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        return self._logged

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The only writer among the desks of this database, in all processes of this machine."""
        with self._threads:
            if self._lock is None:
                self._lock = os.open(self._beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
                weakref.finalize(self, os.close, self._lock)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            try:
                yield
                self._committed += 1
            finally:
                fcntl.flock(self._lock, fcntl.LOCK_UN)

    def wait_for_disk(self) -> None:
        """Wait until what was committed before the call is on the disk."""
        mine = self._committed
        with self._disk:
            if self._on_disk >= mine:
                return
            covered = self._committed
            if self._on_disk == 0:
                _sync(self._log.parent)
            # Where the log has gone, the database has taken all of it in, and waited for the disk.
            with suppress(FileNotFoundError):
                _sync(self._log)
            self._on_disk = covered


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

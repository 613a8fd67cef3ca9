"""The tables of a workspace's database and the one way to write to them."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    and_,
    create_engine,
    event,
    func,
)
from sqlalchemy.exc import DatabaseError, DisconnectionError

from memassay.schemas.errors import UsageError

_IDLE_SECONDS: Final = 1.0
"""After which a team's database is asked whether it is still there (our choice)."""

METADATA = MetaData()

RECORDS = Table(
    "records",
    METADATA,
    Column("sha256", String(64), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("id", String(300), nullable=False, index=True),
    Column("conversation", String(300), nullable=False),
    Column("document", Text, nullable=False),
)
"""Records by content hash; a row never changes."""

BLOB: Final = func.json_extract(RECORDS.c.document, "$.blob_sha256")
HAS_BYTES: Final = and_(
    RECORDS.c.kind == "asset",
    func.json_extract(RECORDS.c.document, "$.availability") == "present",
    BLOB.is_not(None),
)
"""Records that bytes belong to, and their hash; those of a remote or missing image are not ours."""

UNITS = Table(
    "units",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("stage", String(60), nullable=False),
    Column("shard", String(300), nullable=False),
    Column("owner", String(80)),
    Column("beats", Integer, nullable=False, server_default="0"),
    Column("outputs", Text),
    Column("starts", Integer, nullable=False, default=0),
    Column("completions", Integer, nullable=False, default=0),
)
"""Units of work by key; `outputs` (JSON list of content hashes) is set when one is done.

`beats` is raised as long as the run that holds the unit lives. It counts, and is no time of any
clock: two machines need not agree on what time it is.
"""

RUNS = Table(
    "runs",
    METADATA,
    Column("recipe", String(300), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("stage", String(60), nullable=False),
    Column("total", Integer, nullable=False),
    Column("finished", Integer, nullable=False),
    Column("gate", Text),
)
"""What the last run of each recipe reached, stage by stage."""

DRAFTS = Table(
    "drafts",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("recipe", String(300), nullable=False, index=True),
    Column("release", String(300), nullable=False),
    Column("changes", Text),
)
"""Releases that runs of a recipe ended in, in order, by the name of their folder.

One that two runs in a row end in is one row. `changes` says what differs from the row before, JSON.
"""

REVIEW_DATABASE: Final = "MEMASSAY_REVIEW_DATABASE"
"""Environment variable with the URL of the database that review lives in, if not the workspace."""

_HELD: Final = ("one that another run holds", "wait until that run has ended and run again")
_CLOSED: Final = (
    "one that may not be read and written",
    "make the workspace writable, or choose another with --workspace",
)
_TROUBLE: Final = {
    "BUSY": _HELD,
    "LOCKED": _HELD,
    "READONLY": _CLOSED,
    "CANTOPEN": _CLOSED,
    "PERM": _CLOSED,
    "FULL": ("one on a full disk", "make room and run again"),
    "IOERR": ("one on a disk that fails or is full", "mend that and run again"),
}
"""What SQLite's primary result codes mean to the user, and what helps."""


def database_trouble(path: Path, error: DatabaseError) -> UsageError:
    """The error that tells the user what is the matter with a database, and what helps."""
    if not isinstance(error.orig, sqlite3.Error):
        text = " ".join(str(error.orig).split())
        return UsageError(f"{REVIEW_DATABASE}: expected a database that answers, got: {text}")
    # An extended code such as SQLITE_IOERR_WRITE begins with its primary one.
    code = getattr(error.orig, "sqlite_errorname", "").removeprefix("SQLITE_").partition("_")[0]
    what, fix = _TROUBLE.get(code, ("a damaged one", "move it away and run again"))
    return UsageError(f"{path}: expected a database to work with, got {what} ({error.orig}); {fix}")


def open_review_database(url: str) -> Engine:
    """The PostgreSQL database of a team's review, by URL.

    Raises:
        UsageError: The URL is of no PostgreSQL database, or its driver is not installed.
    """
    if not url.startswith("postgresql"):
        raise UsageError(
            f"{REVIEW_DATABASE}: expected a URL such as postgresql+psycopg://name@host/database, "
            f"got {url.partition('://')[0]!r}"
        )
    try:
        engine = create_engine(url, pool_size=20)
    except ModuleNotFoundError as error:
        raise UsageError(f"{REVIEW_DATABASE}: {error}; install memassay[postgres]") from error
    _ask_if_idle(engine)
    event.listen(engine, "set_connection_execution_options", _read_alone)
    return engine


def _read_alone(_connection: Connection, options: dict[str, Any]) -> None:
    # One statement needs no transaction, and the server is asked a third as often.
    if options.get("reading"):
        options["isolation_level"] = "AUTOCOMMIT"


def _ask_if_idle(engine: Engine) -> None:
    """Ask a connection that lay idle whether its server is there; one in use costs no trip."""

    def note_use(_connection: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    def ask(connection: Any, record: Any, _proxy: Any) -> None:
        if time.monotonic() - record.info.get("used", time.monotonic()) > _IDLE_SECONDS:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError(str(error)) from error

    event.listen(engine, "checkin", note_use)
    event.listen(engine, "checkout", ask)


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads and never waits for a writer."""
    with engine.connect().execution_options(reading=True) as connection, connection.begin():
        yield connection

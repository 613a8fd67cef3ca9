"""Databases on a server: how they are opened, and what is said when one is in trouble."""

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError

from memassay.flows.store.dialects import SERVER
from memassay.schemas.errors import UsageError

REVIEW_DATABASE: Final = "MEMASSAY_REVIEW_DATABASE"
"""Environment variable with the URL of the database that review lives in, if not the workspace."""

_IDLE_SECONDS: Final = 1.0
"""After which a team's database is asked whether it is still there (our choice)."""
_DRIVER: Final = f"{SERVER}+psycopg"
_NAME: Final = "memassay_database"
"""Attribute of an error of a database: which one it is, in words."""

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


def database_trouble(path: Path, error: DBAPIError) -> UsageError:
    """The error that tells the user what is the matter with a database, and what helps.

    Args:
        path: The file of the workspace's database, if it is one.
        error: What was raised; one of a server says itself which it is.
    """
    if not isinstance(error.orig, sqlite3.Error):
        text = " ".join(str(error.orig).split())
        name = getattr(error, _NAME, REVIEW_DATABASE)
        return UsageError(
            f"{name}: expected a database that answers, got: {text}; see that its server runs, "
            "and run again: finished work is kept"
        )
    # An extended code such as SQLITE_IOERR_WRITE begins with its primary one.
    code = getattr(error.orig, "sqlite_errorname", "").removeprefix("SQLITE_").partition("_")[0]
    what, fix = _TROUBLE.get(code, ("a damaged one", "move it away and run again"))
    return UsageError(f"{path}: expected a database to work with, got {what} ({error.orig}); {fix}")


def server_url(url: str, name: str) -> URL:
    """The URL of a PostgreSQL database, with the driver that we use.

    Args:
        url: As it was given.
        name: What was given, for the error.

    Raises:
        UsageError: It is of no PostgreSQL database.
    """
    kind = url.partition("://")[0]
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or not kind.startswith(SERVER):
        # The rest of the URL may hold a password.
        raise UsageError(
            f"{name}: expected a URL such as {_DRIVER}://name@host/database, got {kind!r}"
        )
    return parsed.set(drivername=_DRIVER) if parsed.drivername == SERVER else parsed


def open_server(url: URL, name: str) -> Engine:
    """A PostgreSQL database.

    Args:
        url: Its URL.
        name: What errors call it; a password is not in it.

    Raises:
        UsageError: Its driver is not installed.
    """
    try:
        engine = create_engine(url, pool_size=20)
    except ModuleNotFoundError as error:
        raise UsageError(f"{name}: {error}; install memassay[postgres]") from error
    _ask_if_idle(engine)
    _name_errors(engine, name)
    event.listen(engine, "set_connection_execution_options", _read_alone)
    return engine


def _name_errors(engine: Engine, name: str) -> None:
    """Let every error say which database it came from: a workspace may have two."""

    def add_name(context: ExceptionContext) -> None:
        if context.sqlalchemy_exception is not None:
            setattr(context.sqlalchemy_exception, _NAME, name)

    event.listen(engine, "handle_error", add_name)


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

"""The tables of a workspace's database and the one way to write to them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
)

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

UNITS = Table(
    "units",
    METADATA,
    Column("key", String(64), primary_key=True),
    Column("stage", String(60), nullable=False),
    Column("shard", String(300), nullable=False),
    Column("owner", String(80)),
    Column("lease_until", Float),
    Column("outputs", Text),
    Column("starts", Integer, nullable=False, default=0),
    Column("completions", Integer, nullable=False, default=0),
)
"""Units of work by key; `outputs` (JSON list of content hashes) is set when one is done."""

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


def open_database(path: Path) -> Engine:
    """The database in a file, made if it is not there; WAL, one writer at a time."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 60})
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin_immediate)
    METADATA.create_all(engine)
    return engine


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


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads and never waits for a writer."""
    with engine.connect().execution_options(reading=True) as connection, connection.begin():
        yield connection

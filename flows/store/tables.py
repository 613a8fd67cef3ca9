"""The tables of a workspace's database, and the one way to read them."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Column, Connection, Engine, Integer, MetaData, Table, Text

from memassay.flows.store.dialects import name_column

METADATA = MetaData()

RECORDS = Table(
    "records",
    METADATA,
    Column("sha256", name_column(64), primary_key=True),
    Column("kind", name_column(20), nullable=False),
    Column("id", name_column(300), nullable=False, index=True),
    Column("conversation", name_column(300), nullable=False),
    Column("blob", name_column(64)),
    Column("document", Text, nullable=False),
)
"""Records by content hash; a row never changes. `blob` is the hash of bytes that belong to one."""

UNITS = Table(
    "units",
    METADATA,
    Column("key", name_column(64), primary_key=True),
    Column("stage", name_column(60), nullable=False),
    Column("shard", name_column(300), nullable=False),
    Column("owner", name_column(80)),
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
    Column("recipe", name_column(300), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("stage", name_column(60), nullable=False),
    Column("total", Integer, nullable=False),
    Column("finished", Integer, nullable=False),
    Column("gate", Text),
    Column("pace", Text),
)
"""What the last run of each recipe reached, stage by stage."""

MEASURES = Table(
    "measures",
    METADATA,
    Column("blob", name_column(64), primary_key=True),
    Column("measured_by", name_column(80), primary_key=True),
    Column("measured", Text, nullable=False),
)
"""What the bytes of an image measured, JSON, and the version of what measured them."""

DRAFTS = Table(
    "drafts",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("recipe", name_column(300), nullable=False, index=True),
    Column("release", name_column(300), nullable=False),
    Column("changes", Text),
)
"""Releases that runs of a recipe ended in, in order, by the name of their folder.

One that two runs in a row end in is one row. `changes` says what differs from the row before, JSON.
"""


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads and never waits for a writer."""
    with engine.connect().execution_options(reading=True) as connection, connection.begin():
        yield connection

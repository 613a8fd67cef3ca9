"""The tables of calls to models: replies, calls without one, reserves, batches, forms."""

from typing import Final

from sqlalchemy import BigInteger, Column, Float, Integer, Table, Text

from memassay.flows.store.dialects import name_column
from memassay.flows.store.tables import METADATA

CALLS_TURN: Final = 7_143_208
"""Whoever writes to these tables on a server takes this turn."""

CALLS = Table(
    "calls",
    METADATA,
    Column("key", name_column(64), primary_key=True),
    Column("stage", name_column(60), nullable=False),
    Column("task", name_column(60), nullable=False),
    Column("model", name_column(200), nullable=False),
    Column("day", name_column(10), nullable=False, index=True),
    Column("status", name_column(20), nullable=False),
    Column("input", Integer, nullable=False),
    Column("cached", Integer, nullable=False),
    Column("output", Integer, nullable=False),
    Column("images", Integer, nullable=False),
    Column("cost", BigInteger),
    Column("text", Text, nullable=False),
    Column("raw", Text, nullable=False),
)
"""Replies by request key, as they came; `cost` in billionths of a dollar, empty if unknown."""

RESERVES = Table(
    "reserves",
    METADATA,
    Column("key", name_column(64), primary_key=True),
    Column("owner", name_column(32), primary_key=True),
    Column("amount", BigInteger, nullable=False),
    Column("until", Float, nullable=False),
)
"""Under a budget, the most that calls under way can cost, in billionths of a dollar; `owner` is a
process, or `batch`; after `until` (seconds since the epoch) its process has died."""

UNANSWERED = Table(
    "unanswered",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("key", name_column(64), nullable=False),
    Column("stage", name_column(60), nullable=False),
    Column("task", name_column(60), nullable=False),
    Column("model", name_column(200), nullable=False),
    Column("day", name_column(10), nullable=False),
    Column("most", BigInteger),
)
"""Calls that were sent and brought no whole reply: nobody knows whether they are billed. `most` is
what they can cost, in billionths of a dollar, empty where the model has no price."""

BATCHES = Table(
    "batches",
    METADATA,
    Column("tag", name_column(64), primary_key=True),
    Column("endpoint", name_column(300), nullable=False),
    Column("batch", name_column(200)),
    Column("lines", Text, nullable=False),
)
"""Batches under way: our tag, the endpoint's id once it has one, and by key what each line is."""

FORMS = Table(
    "reply_forms",
    METADATA,
    Column("endpoint", name_column(300), primary_key=True),
    Column("model", name_column(200), primary_key=True),
    Column("form", name_column(20), nullable=False),
)
"""By address and model, how a server of one's own is asked for the shape of a reply."""

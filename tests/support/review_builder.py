"""A desk with items on it, on each kind of database, and a clock that tests turn."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from memassay.annotation.voting.desk import Change, ReviewDesk, Vote
from memassay.annotation.voting.review_queue import ReviewQueue, ReviewRequest
from memassay.flows.store.database.opening import open_database
from memassay.schemas.hashing import sha256
from memassay.schemas.judgements.review import CoveredRecord, ReasonCode, Ruling

POSTGRES = os.environ.get("MEMASSAY_POSTGRES", "")
"""Address of a PostgreSQL server to test on, e.g. `postgresql+psycopg://me:secret@localhost/me`."""

YES = Vote(Ruling.ACCEPT, ReasonCode.CORRECT, seconds=2.0)
NO = Vote(Ruling.REJECT, ReasonCode.WRONG_ANSWER, "the dog is black", seconds=4.0)


@contextmanager
def postgres(schema: str) -> Iterator[Engine]:
    """An empty schema of a PostgreSQL server; skips where none is named."""
    if not POSTGRES:
        pytest.skip("MEMASSAY_POSTGRES names no PostgreSQL server")
    pytest.importorskip("psycopg")
    engine = create_engine(POSTGRES)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA IF EXISTS {schema} CASCADE"))
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    engine.dispose()
    own = create_engine(POSTGRES, connect_args={"options": f"-csearch_path={schema}"})
    yield own
    own.dispose()


@contextmanager
def database(kind: str, folder: Path) -> Iterator[Engine]:
    """An empty database of a kind."""
    if kind == "postgresql":
        schema = f"memassay_{sha256(str(folder).encode())[:12]}"
        with postgres(schema) as engine:
            yield engine
            with engine.begin() as connection:
                connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
        return
    engine = open_database(folder / "review.sqlite")
    yield engine
    engine.dispose()


def request(record: str, reason: str = "error", votes: int = 1, **more: str) -> ReviewRequest:
    """A gate's wish to look at a record, whose state is its id."""
    covers = (CoveredRecord(id=record, sha256=sha256(record.encode())),)
    return ReviewRequest(
        "check",
        record,
        reason,
        ("test.rule",),
        (),
        covers,
        votes=votes,
        **{"kind": "question"} | more,
    )


def change(record: str, said: str) -> Change:
    """An edit of a record in the state of `request`."""
    patch = [{"op": "replace", "path": "/answer", "value": said}]
    return Change(record, "question", sha256(record.encode()), sha256(said.encode()), patch)


@dataclass
class Table:
    """A desk, its queue, and a clock."""

    desk: ReviewDesk
    queue: ReviewQueue
    now: list[float]
    tokens: Iterator[int] = field(default_factory=count)

    def ask(self, *requests: ReviewRequest) -> list[str]:
        """Put items on the desk; gives their ids."""
        self.queue.sync("run", "check", requests)
        return [one.item for one in requests]

    def vote(self, item: str, reviewer: str, vote: Vote = YES) -> str:
        """Take an item and vote on it; gives the state it is in then."""
        self.desk.open_item(item, reviewer)
        return self.desk.submit(item, reviewer, f"t{next(self.tokens)}", vote).state

    def state(self, item: str) -> str:
        """The state of an item."""
        return self.queue.item(item).state


def table_on(engine: Engine, **settings: float) -> Table:
    """A desk over an empty database."""
    queue = ReviewQueue(engine)
    now = [1000.0]
    clock: Callable[[], float] = lambda: now[0]  # noqa: E731
    return Table(ReviewDesk(engine, clock, **settings), queue, now)

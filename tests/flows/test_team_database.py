"""The PostgreSQL of a team's review: connections that were cut are opened anew."""

from typing import Any

import pytest
from sqlalchemy import create_engine, make_url, text
from support.review_builder import POSTGRES

from memassay.flows.store.database import servers

_WHO = text("SELECT pg_backend_pid()")


@pytest.mark.skipif(not POSTGRES, reason="MEMASSAY_POSTGRES names no PostgreSQL server")
def test_a_connection_that_postgres_has_closed_is_opened_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After lying idle a connection is asked before it is used; nobody sees that it was gone."""
    pytest.importorskip("psycopg")
    monkeypatch.setattr(servers, "_IDLE_SECONDS", -1.0)
    engine, other = servers.open_server(make_url(POSTGRES), "review"), create_engine(POSTGRES)
    with engine.connect() as connection:
        first = connection.execute(_WHO).scalar_one()
    with other.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": first})
    with engine.connect() as connection:
        assert connection.execute(_WHO).scalar_one() != first
    engine.dispose()
    other.dispose()


@pytest.mark.skipif(not POSTGRES, reason="MEMASSAY_POSTGRES names no PostgreSQL server")
def test_who_only_reads_leaves_no_transaction_open() -> None:
    """A read is over with its statement; the next who uses the connection may take theirs back."""
    pytest.importorskip("psycopg")
    engine = servers.open_server(make_url(POSTGRES), "review")
    states = []
    for options in ({"reading": True}, {}):
        with engine.connect().execution_options(**options) as connection:
            connection.execute(_WHO)
            driver: Any = connection.connection.dbapi_connection
            states.append(driver.info.transaction_status.name)
    assert states == ["IDLE", "INTRANS"]
    engine.dispose()

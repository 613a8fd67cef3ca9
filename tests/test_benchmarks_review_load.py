"""The load on the review pages, in fifteen seconds: crashes lose nothing and double nothing."""

import socket

import pytest
from review_builder import POSTGRES
from review_load import measure


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _database(kind: str) -> str:
    if kind == "sqlite":
        return ""
    if not POSTGRES:
        pytest.skip("MEMASSAY_POSTGRES names no PostgreSQL server")
    pytest.importorskip("psycopg")
    return POSTGRES


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_crashes_of_the_server_lose_and_double_nothing(kind: str) -> None:
    """Twenty annotators, a server killed twice: every acknowledged vote is there, once."""
    found = measure(_database(kind), 1000, annotators=20, seconds=15.0, kills=2, port=_free_port())
    assert found["decisions"] > 0
    assert set(found["wrong"].values()) == {0}

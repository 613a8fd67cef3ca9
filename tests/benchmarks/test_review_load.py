"""The load on the review pages, in five seconds: crashes lose nothing and double nothing."""

import pytest
from review_load import measure
from support.review_builder import POSTGRES

pytestmark = pytest.mark.ci


def _database(kind: str) -> str:
    if kind == "sqlite":
        return ""
    if not POSTGRES:
        pytest.skip("MEMASSAY_POSTGRES names no PostgreSQL server")
    pytest.importorskip("psycopg")
    return POSTGRES


@pytest.mark.slow(seconds=7)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_crashes_of_the_server_lose_and_double_nothing(kind: str) -> None:
    """Twenty annotators, a server killed twice: every acknowledged vote is there, once."""
    found = measure(_database(kind), 2500, annotators=20, seconds=5.0, kills=2)
    assert found["decisions"] > 0
    assert found["wrong"] == {"lost": 0, "doubled": 0, "over-voted": 0}


@pytest.mark.slow(seconds=6)
def test_several_servers_of_one_queue_lose_and_double_nothing() -> None:
    """Two processes over one SQLite file, killed once."""
    found = measure("", 2000, annotators=20, seconds=3.0, kills=1, workers=2)
    assert found["decisions"] > 0
    assert found["wrong"] == {"lost": 0, "doubled": 0, "over-voted": 0}

"""What a request costs the database: the load of twenty reviewers is a matter of statements."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from support.review_builder import YES, Table, database, request, table_on


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """A desk on each kind of database."""
    with database(request.param, tmp_path) as engine:
        yield table_on(engine)


@contextmanager
def _statements(engine: Engine) -> Iterator[list[str]]:
    """First words of the statements that are executed meanwhile; those of transactions aside."""
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        word = statement.split()[0]
        if word not in ("BEGIN", "COMMIT", "ROLLBACK"):
            said.append(word)

    event.listen(engine, "before_cursor_execute", note)
    yield said
    event.remove(engine, "before_cursor_execute", note)


def test_the_next_item_costs_three_statements(table: Table) -> None:
    """What they hold, the place that is taken, the lease; whatever the priority."""
    table.ask(request("alex/Q1", reason="drawn"), request("alex/Q2", reason="drawn"))
    table.desk.next_item("ada")  # Looks for leases that ran out, once a second.
    with _statements(table.desk.engine) as said:
        assert table.desk.next_item("ben") is not None
    assert said == ["SELECT", "UPDATE", "INSERT"]


def test_a_vote_that_others_must_follow_costs_five_statements(table: Table) -> None:
    """The item, the votes so far, the lease, the vote, the log."""
    (item,) = table.ask(request("alex/Q1", votes=2))
    table.desk.open_item(item, "ada")
    with _statements(table.desk.engine) as said:
        assert table.desk.submit(item, "ada", "t", YES).state == "open"
    assert said == ["SELECT", "SELECT", "DELETE", "INSERT", "INSERT"]


def test_a_draft_is_forgotten_when_its_vote_is_in(table: Table) -> None:
    """Of the reviewer who voted, and of nobody else."""
    (item,) = table.ask(request("alex/Q1", votes=2))
    for reviewer in ("ada", "ben"):
        table.desk.open_item(item, reviewer)
        table.desk.save_draft(item, reviewer, {"text": reviewer})
    table.desk.submit(item, "ada", "t", YES)
    assert table.desk.draft(item, "ada").document == {}
    assert table.desk.draft(item, "ben").document == {"text": "ben"}


def test_items_come_by_priority_then_position(table: Table) -> None:
    """An error that is asked about later still comes before what was there."""
    first, second = table.ask(request("alex/Q1", reason="drawn"), request("alex/Q2", "warning"))
    assert table.desk.peek("ada") == second
    given = [table.desk.next_item("ada")]
    table.desk.skip(second, "ada")
    everything = [request(f"alex/Q{n}", why) for n, why in ((1, "drawn"), (3, "error"))]
    third = table.ask(*everything)[1]
    for _ in range(2):
        lease = table.desk.next_item("ada")
        assert lease is not None
        given.append(lease)
        table.vote(lease.item, "ada")
    assert [lease.item for lease in given if lease] == [second, third, first]

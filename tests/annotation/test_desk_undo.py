"""Votes that are taken back: which can be, how many, and what becomes of their items."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.review_builder import NO, YES, Table, database, request, table_on

from memassay.schemas.errors import UsageError


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """An empty desk on each kind of database."""
    with database(request.param, tmp_path) as engine:
        yield table_on(engine)


def test_undo_gives_the_item_back(table: Table) -> None:
    """One vote at a time, latest first; the old token brings nothing back."""
    first, second = table.ask(request("a/Q1"), request("a/Q2"))
    table.vote(first, "ada")
    table.desk.open_item(second, "ada")
    table.desk.submit(second, "ada", "kept", YES)
    assert [table.desk.undo("ada") for _ in range(3)] == [second, first, None]
    assert [table.state(item) for item in (first, second)] == ["open", "open"]
    assert table.desk.submit(second, "ada", "kept", YES).state == "open"
    assert table.desk.next_item("eve") is None
    assert table.desk.submit(second, "ada", "new", NO).state == "decided"


def test_undo_of_a_disputed_vote_opens_the_item_and_settles_again(table: Table) -> None:
    """With the other vote still in."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.vote(item, "ada")
    table.vote(item, "eve", NO)
    table.desk.undo("eve")
    assert table.state(item) == "open"
    assert table.desk.submit(item, "eve", "again", YES).state == "decided"


def test_an_adjudicated_vote_cannot_be_undone(table: Table) -> None:
    """The adjudicator can undo the adjudication."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.vote(item, "ada")
    table.vote(item, "eve", NO)
    table.desk.adjudicate(item, "judge", "t", YES)
    with pytest.raises(UsageError, match="an adjudicator has decided it"):
        table.desk.undo("eve")
    assert table.desk.undo("judge") == item
    assert table.state(item) == "disputed"


def test_a_vote_stands_once_the_votes_of_others_were_seen(table: Table) -> None:
    """Who could look, take back and vote again would not vote blind; one's own may be looked at."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.vote(item, "ada")
    assert len(table.desk.votes(item, "ada")) == 1
    assert table.desk.undo("ada") == item
    table.desk.submit(item, "ada", "again", YES)
    table.vote(item, "eve", NO)
    assert len(table.desk.votes(item, "ada")) == 2
    with pytest.raises(UsageError, match="seen the votes of others"):
        table.desk.undo("ada")
    assert table.desk.undo("eve") == item


def test_undo_reaches_twenty_votes_back(table: Table) -> None:
    """And no further."""
    items = table.ask(*(request(f"a/Q{number}") for number in range(1, 23)))
    for item in items:
        table.vote(item, "ada")
    assert [table.desk.undo("ada") for _ in range(21)] == [*reversed(items[2:]), None]

"""Who may decide a dispute; alike on SQLite and PostgreSQL."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert
from support.review_builder import NO, YES, Table, change, database, request, table_on

from memassay.annotation.storage.tables import REVIEWERS
from memassay.schemas.errors import UsageError


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """An empty desk on each kind of database."""
    with database(request.param, tmp_path) as engine:
        yield table_on(engine)


def _account(table: Table, name: str, role: str, *, disabled: bool = False) -> None:
    row = {"name": name, "role": role, "password": "", "disabled": disabled}
    with table.desk.engine.begin() as connection:
        connection.execute(insert(REVIEWERS).values(**row))


def test_who_voted_does_not_decide_the_dispute(table: Table) -> None:
    """Nor who took their vote back, as long as somebody else can."""
    first, second = table.ask(request("a/Q1", votes=2), request("a/Q2", votes=2))
    for name, role in (("eve", "adjudicator"), ("zoe", "owner"), ("ada", "annotator")):
        _account(table, name, role)
    for item in (first, second):
        table.vote(item, "ada", YES)
        table.vote(item, "eve", NO)
    for item in (second, first):
        with pytest.raises(UsageError, match=r"has not voted on it.*leave it to zoe"):
            table.desk.adjudicate(item, "eve", f"e {item}", NO)
    table.desk.undo("eve")
    table.desk.skip(second, "eve", "escalated")
    assert table.state(second) == "disputed"
    with pytest.raises(UsageError, match="leave it to zoe"):
        table.desk.adjudicate(second, "eve", "again", NO)
    assert table.desk.adjudicate(first, "zoe", "z", NO).state == "decided"


def test_who_is_alone_decides_a_dispute_of_their_own(table: Table) -> None:
    """The only owner, where others may only vote, are shut out, or voted as well."""
    (item,) = table.ask(request("a/Q1", votes=3))
    for name, role in (("zoe", "owner"), ("ada", "annotator"), ("eve", "adjudicator")):
        _account(table, name, role)
    _account(table, "max", "owner", disabled=True)
    for name, vote in (("ada", YES), ("eve", NO), ("zoe", NO)):
        table.vote(item, name, vote)
    assert table.desk.adjudicate(item, "zoe", "z", NO).state == "decided"


def test_an_edit_of_a_history_is_never_its_proposer_s_to_decide(table: Table) -> None:
    """Neither by a vote nor as a dispute; an owner decides it alone, and nothing else."""
    proposal, other = request("a", kind="history_edit", writer="eve"), request("a/Q1")
    table.queue.propose("run", proposal)
    table.ask(other)
    for item in (proposal.item, other.item):
        with pytest.raises(UsageError, match="expected a disputed item"):
            table.desk.adjudicate(item, "eve", f"open {item}", YES)
    with pytest.raises(UsageError, match="you wrote it"):
        table.desk.submit(proposal.item, "eve", "own", YES)
    table.desk.skip(proposal.item, "ada", "escalated")
    with pytest.raises(UsageError, match="you wrote it"):
        table.desk.adjudicate(proposal.item, "eve", "disputed", YES)
    with pytest.raises(UsageError, match="expected a disputed item"):
        table.desk.adjudicate(other.item, "zoe", "no proposal", YES, owner=True)
    assert table.desk.adjudicate(proposal.item, "zoe", "z", YES, owner=True).state == "decided"


@pytest.mark.parametrize("kind", ["conversation", "history_edit", "question"])
def test_a_vote_carries_no_edit_of_a_history(table: Table, kind: str) -> None:
    """Whatever it is about: an edit of anything but the item's own record is refused."""
    (item,) = table.ask(request("a/Q1", kind=kind))
    target = "a" if kind == "question" else "a/Q1"
    with pytest.raises(UsageError, match="a proposal of its own"):
        table.vote(item, "ada", replace(YES, edits=(change(target, "rewritten"),)))
    assert table.state(item) == "open"

"""Requests that meet at the desk at once: nothing is done twice, and nobody waits in a circle."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import select
from support.review_builder import YES, Table, database, request, table_on

from memassay.annotation.storage.tables import LEASES, VOTES
from memassay.annotation.voting.edit_log import EditLog
from memassay.annotation.voting.shapes import LeaseExpired
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import sha256
from memassay.schemas.judgements.review import Edit

ROUNDS = 8


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """A desk on each kind of database."""
    with database(request.param, tmp_path) as engine:
        yield table_on(engine)


def _at_once(*calls: Callable[[], object]) -> list[Exception]:
    """Call all at the same moment; gives what went wrong."""
    wrong: list[Exception] = []
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> None:
        start.wait(60)
        try:
            call()
        except Exception as error:  # noqa: BLE001  (whatever it is, the test says so)
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return wrong


def _items(table: Table, number: int) -> Sequence[str]:
    return table.ask(*(request(f"alex/Q{at:03}") for at in range(number)))


def test_a_submit_that_is_sent_twice_at_once_gets_the_same_answer(table: Table) -> None:
    """The one that comes second waits for the first, and is told what became of it."""
    for item in _items(table, ROUNDS):
        table.desk.open_item(item, "ada")
        call = lambda item=item: table.desk.submit(item, "ada", f"t {item}", YES)  # noqa: E731
        assert _at_once(call, call, call) == []


def test_two_undos_at_once_undo_two_votes(table: Table) -> None:
    """As one after the other would."""
    for item in _items(table, 2 * ROUNDS):
        table.vote(item, "ada")
    for _ in range(ROUNDS):
        assert _at_once(lambda: table.desk.undo("ada"), lambda: table.desk.undo("ada")) == []
    with table.desk.engine.connect() as connection:
        assert connection.execute(select(VOTES.c.id).where(~VOTES.c.withdrawn)).all() == []


def test_two_drafts_at_once_are_both_kept_one_after_the_other(table: Table) -> None:
    """As two windows of one reviewer send them."""
    for item in _items(table, ROUNDS):
        call = lambda item=item: table.desk.save_draft(item, "ada", {"text": "x"})  # noqa: E731
        assert _at_once(call, call) == []
        assert table.desk.draft(item, "ada").document == {"text": "x"}


def test_late_submits_and_taking_leases_back_do_not_block_each_other(table: Table) -> None:
    """A lease that ran out is voted on, or taken back; neither fails for the other."""
    items = _items(table, 5 * ROUNDS)
    for at in range(ROUNDS):
        own = {f"r{n}": table.desk.open_item(items[5 * at + n], f"r{n}").item for n in range(4)}
        table.now[0] += 1000
        late = [
            lambda name=name, item=item: table.desk.submit(item, name, f"t {item} {name}", YES)
            for name, item in own.items()
        ]
        wrong = _at_once(*late, lambda: table.desk.next_item("zed"))
        assert [error for error in wrong if not isinstance(error, LeaseExpired)] == []


def test_a_vote_is_undone_while_its_item_measures_the_same_reviewer(tmp_path: Path) -> None:
    """The item that they were to decide again is theirs to decide anew."""
    with database("sqlite", tmp_path) as engine:
        table = table_on(engine, repeat_rate=0.999)
        (item,) = _items(table, 1)
        table.vote(item, "ada")
        assert table.desk.next_item("ada") is not None
        assert table.desk.undo("ada") == item
        with engine.connect() as connection:
            assert connection.execute(select(LEASES.c.purpose)).scalars().all() == ["vote"]
        assert table.desk.submit(item, "ada", "again", YES).state == "decided"


def test_an_item_in_other_hands_is_not_escalated(table: Table) -> None:
    """It is for who holds it to say; one that is free may be handed on unopened."""
    first, second = _items(table, 2)
    table.desk.open_item(first, "ada")
    with pytest.raises(LeaseExpired, match="in your hands"):
        table.desk.skip(first, "bob", "escalated")
    assert table.state(first) == "open"
    table.desk.skip(second, "bob", "escalated")
    assert table.state(second) == "disputed"


def _set(name: str) -> list[Edit]:
    """A set of one edit, of one state of one history."""
    step = {"op": "replace", "path": "/title", "value": name}
    return [
        Edit(
            id=f"E{sha256(name.encode())[:12]}",
            target="alex",
            kind="conversation",
            base_sha256=sha256(b"alex"),
            patch=[step],
            reviewer="ada",
            gate="dialogue",
            change_set=name,
        )
    ]


def _accepted(table: Table, record: str = "alex/Q1", who: str = "ada") -> str:
    (item,) = table.ask(request(record))
    table.vote(item, who)
    return item


def test_of_two_changes_of_one_history_at_once_one_is_kept(table: Table) -> None:
    """Who comes second is told to look again; nothing is laid over what they never saw."""
    book, item = EditLog(table.desk.engine), _accepted(table)
    for at in range(ROUNDS):
        known = list(book.change_sets("alex"))
        one, two = (_set(f"S{at}{which}") for which in "ab")
        wrong = _at_once(
            lambda one=one, known=known: book.keep_set("run", item, one, known, 1.0),
            lambda two=two, known=known: book.keep_set("run", item, two, known, 1.0),
        )
        assert [type(error) for error in wrong] == [UsageError]
        assert len(book.change_sets("alex")) == at + 1


def test_a_change_that_another_one_goes_on_from_is_not_taken_back(table: Table) -> None:
    """Not even by who looked before the other one was kept."""
    book, item = EditLog(table.desk.engine), _accepted(table)
    first, second = _set("S1"), _set("S2")
    book.keep_set("run", item, first, [], 1.0)
    book.keep_set("run", item, second, ["S1"], 1.0)
    with pytest.raises(UsageError, match="expected the latest change"):
        book.withdraw_set(first, "ada", 2.0)
    assert list(book.change_sets("alex")) == ["S1", "S2"]
    assert table.state(item) == "decided"


def test_what_is_undone_while_it_is_made_is_not_made(table: Table) -> None:
    """Nor is an accepted edit undone once another one goes on from it."""
    book, item = EditLog(table.desk.engine), _accepted(table)
    table.desk.undo("ada")
    book.keep_set("run", item, _set("S1"), [], 1.0)
    assert book.change_sets("alex") == {}
    table.desk.submit(item, "ada", "again", YES)
    for name, known in (("S1", []), ("S2", ["S1"])):
        other = item if name == "S1" else _accepted(table, "alex/Q2", "bob")
        book.keep_set("run", other, _set(name), known, 1.0)
    with pytest.raises(UsageError, match="go on from this one"):
        table.desk.undo("ada")
    assert table.desk.undo("bob") == other
    assert list(book.change_sets("alex")) == ["S1"]


def test_what_was_escalated_is_for_an_adjudicator_after_an_undo_too(table: Table) -> None:
    """A vote that is undone and cast again does not take the item from them."""
    (item,) = table.ask(request("alex/Q001", votes=2))
    table.vote(item, "ada")
    table.desk.skip(item, "bob", "escalated")
    table.desk.undo("ada")
    assert table.desk.submit(item, "ada", "again", YES).state == "open"
    assert table.vote(item, "cyd") == "disputed"

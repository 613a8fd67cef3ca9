"""The desk: leases, votes, disputes, undo; alike on SQLite and PostgreSQL."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from support.review_builder import NO, YES, Table, change, database, request, table_on

from memassay.annotation.storage.tables import EDITS, ITEMS, LOG, VOTES
from memassay.annotation.voting.desk import LeaseExpired, ReviewDesk, Vote
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import sha256
from memassay.schemas.judgements.review import Edit, ReasonCode, Ruling


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """An empty desk on each kind of database."""
    with database(request.param, tmp_path) as engine:
        yield table_on(engine)


def test_errors_come_first_and_nobody_is_given_the_same_item(table: Table) -> None:
    """Each reviewer the first item that has room."""
    warning, error = table.ask(request("a/Q1", "warning"), request("a/Q2", "error"))
    first, second = table.desk.next_item("ada"), table.desk.next_item("eve")
    assert (first and first.item, second and second.item) == (error, warning)
    assert table.desk.next_item("bob") is None


def test_an_item_in_hand_comes_back_after_a_reload(table: Table) -> None:
    """Rather than a second one."""
    table.ask(request("a/Q1"), request("a/Q2"))
    first, again = table.desk.next_item("ada"), table.desk.next_item("ada")
    assert first is not None
    assert first == again


@pytest.mark.parametrize(
    "filters", [{"type": "fact_recall"}, {"conversation": "b"}, {"severity": "warning"}]
)
def test_filters_choose(table: Table, filters: dict[str, str]) -> None:
    """By what the queue screen offers."""
    asked = request("b/Q1", type="fact_recall", severity="warning")
    table.ask(request("a/Q1"), asked)
    lease = table.desk.next_item("ada", filters)
    assert lease is not None
    assert lease.item == asked.item


def test_an_unknown_filter_is_refused(table: Table) -> None:
    """With those there are."""
    with pytest.raises(UsageError, match=r"filters: expected run, gate, .* got colour"):
        table.desk.next_item("ada", {"colour": "red"})


def test_a_lease_that_ran_out_gives_its_place_to_others(table: Table) -> None:
    """Unless a heartbeat has moved its end."""
    (item,) = table.ask(request("a/Q1"))
    table.desk.next_item("ada")
    table.now[0] += 200
    table.desk.heartbeat(item, "ada")
    table.now[0] += 200
    assert table.desk.next_item("eve") is None
    table.now[0] += 200
    lease = table.desk.next_item("eve")
    assert lease is not None
    with pytest.raises(LeaseExpired, match="the lease ran out"):
        table.desk.heartbeat(item, "ada")


def test_a_lease_is_given_back_by_its_end(table: Table) -> None:
    """One that was extended since is another page's, and stays."""
    (item,) = table.ask(request("a/Q1"))
    first = table.desk.open_item(item, "ada").until
    assert table.desk.held_until(item, "ada") == first
    table.now[0] += 0.1 + 0.2
    until = table.desk.heartbeat(item, "ada").until
    table.desk.give_back(item, "ada", first)
    assert table.desk.held_until(item, "ada") == until
    table.desk.give_back(item, "ada", float(repr(until)))
    assert table.desk.held_until(item, "ada") is None
    assert table.desk.next_item("bob") is not None


def test_a_vote_after_the_lease_counts_if_the_place_is_free(table: Table) -> None:
    """Nobody was harmed by the delay."""
    (item,) = table.ask(request("a/Q1"))
    table.desk.next_item("ada")
    table.now[0] += 1000
    assert table.desk.submit(item, "ada", "t", YES).state == "decided"


def test_a_vote_after_the_place_was_taken_is_refused_and_its_draft_kept(table: Table) -> None:
    """The other reviewer's vote is the one that counts."""
    (item,) = table.ask(request("a/Q1"))
    table.desk.next_item("ada")
    table.desk.save_draft(item, "ada", {"comment": "long thoughts"})
    table.now[0] += 1000
    table.desk.next_item("eve")
    with pytest.raises(LeaseExpired, match="somebody else has taken the item"):
        table.desk.submit(item, "ada", "t", YES)
    assert table.desk.draft(item, "ada").document == {"comment": "long thoughts"}
    assert table.desk.draft(item, "eve").document == {}
    assert table.desk.submit(item, "eve", "u", YES).state == "decided"


def test_a_submit_sent_twice_is_one_vote(table: Table) -> None:
    """The second answer says the same; another vote needs another token."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.desk.open_item(item, "ada")
    for _ in range(2):
        assert table.desk.submit(item, "ada", "t", YES).state == "open"
    with pytest.raises(UsageError, match="token: expected a new one"):
        table.desk.submit(item, "eve", "t", YES)
    with pytest.raises(UsageError, match="you have voted on it"):
        table.desk.submit(item, "ada", "u", NO)
    assert len(table.desk.votes(item, "ada")) == 1


def test_votes_that_agree_decide(table: Table) -> None:
    """All names are on the decision."""
    (item,) = table.ask(request("a/Q1", votes=2))
    assert [table.vote(item, name) for name in ("eve", "ada")] == ["open", "decided"]
    decision = table.queue.item(item).decision
    assert decision is not None
    assert (decision.reviewer, decision.ruling) == ("ada, eve", Ruling.ACCEPT)


def test_votes_that_differ_are_disputed_until_an_adjudicator_decides(table: Table) -> None:
    """Whose vote is the decision; nobody else is given the item."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.vote(item, "ada")
    assert table.vote(item, "eve", NO) == "disputed"
    assert table.desk.next_item("bob") is None
    for _ in range(2):
        assert table.desk.adjudicate(item, "judge", "t", NO).state == "decided"
    decision = table.queue.item(item).decision
    assert decision is not None
    assert (decision.reviewer, decision.ruling) == ("judge", Ruling.REJECT)
    with pytest.raises(UsageError, match="expected a disputed item, got a decided one"):
        table.desk.adjudicate(item, "other", "u", YES)


def test_the_same_ruling_with_another_edit_is_a_dispute(table: Table) -> None:
    """What the record becomes must be equal, however it was written."""
    first, second = table.ask(request("a/Q1", votes=2), request("a/Q2", votes=2))
    fixed = ReasonCode.CORRECT_AFTER_EDIT
    red, blue = (
        Vote(Ruling.ACCEPT, fixed, edits=(change("a/Q1", colour),)) for colour in ("red", "blue")
    )
    table.vote(first, "ada", red)
    assert table.vote(first, "eve", blue) == "disputed"
    again = Vote(Ruling.ACCEPT, fixed, "same", edits=(change("a/Q2", "red"),), seconds=9)
    table.vote(second, "ada", again)
    assert table.vote(second, "eve", again) == "decided"


def test_a_decision_with_an_edit_covers_what_the_record_becomes(table: Table) -> None:
    """And the edit stands until it is undone."""
    (item,) = table.ask(request("a/Q1"))
    said = Vote(Ruling.ACCEPT, ReasonCode.CORRECT_AFTER_EDIT, edits=(change("a/Q1", "red"),))
    table.vote(item, "ada", said)
    decision = table.queue.item(item).decision
    assert decision is not None
    assert decision.covers[0].sha256 == sha256(b"red")
    with table.desk.engine.connect() as connection:
        row = connection.execute(select(EDITS)).one()
    edit = Edit.model_validate_json(row.document)
    assert (edit.target, edit.base_sha256, row.active) == ("a/Q1", sha256(b"a/Q1"), True)
    table.desk.undo("ada")
    with table.desk.engine.connect() as connection:
        assert connection.execute(select(EDITS.c.active)).scalar() is False


def test_others_votes_are_read_after_ones_own(table: Table) -> None:
    """Adjudicators read them all."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.vote(item, "ada")
    with pytest.raises(UsageError, match="after your own"):
        table.desk.votes(item, "eve")
    table.vote(item, "eve", NO)
    assert [vote["reviewer"] for vote in table.desk.votes(item, "eve")] == ["ada", "eve"]
    assert len(table.desk.votes(item, "judge", adjudicates=True)) == 2


def test_a_skipped_item_comes_back_to_others_only(table: Table) -> None:
    """It can still be opened by name."""
    (item,) = table.ask(request("a/Q1"))
    table.desk.next_item("ada")
    table.desk.skip(item, "ada")
    assert table.desk.next_item("ada") is None
    assert table.desk.next_item("eve") is not None
    table.desk.give_back(item, "eve")
    assert table.desk.open_item(item, "ada").item == item


def test_what_was_skipped_is_offered_again_when_asked_for(table: Table) -> None:
    """All that still has room; what others decided meanwhile is not counted."""
    items = table.ask(*(request(f"a/Q{number}") for number in range(3)))
    for item in items:
        table.desk.open_item(item, "ada")
        table.desk.skip(item, "ada")
    table.vote(items[0], "eve")
    assert table.desk.next_item("ada") is None
    assert table.desk.skip_count("ada") == 2
    assert (table.desk.offer_skipped("ada"), table.desk.skip_count("ada")) == (2, 0)
    lease = table.desk.next_item("ada")
    assert lease is not None
    assert lease.item == items[1]


def test_an_escalated_item_waits_for_an_adjudicator(table: Table) -> None:
    """Also after the next run asks for it again."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.vote(item, "ada")
    table.desk.open_item(item, "eve")
    table.desk.skip(item, "eve", "escalated", "two dogs?")
    assert table.state(item) == "disputed"
    table.ask()
    table.ask(request("a/Q1", votes=2))
    assert table.state(item) == "disputed"


def test_nobody_reviews_what_they_wrote(table: Table) -> None:
    """Others do."""
    (item,) = table.ask(request("a/Q1", writer="ada"))
    assert table.desk.next_item("ada") is None
    with pytest.raises(UsageError, match="you wrote it; others decide"):
        table.desk.open_item(item, "ada")
    with pytest.raises(UsageError, match="you wrote it"):
        table.desk.submit(item, "ada", "t", YES)
    assert table.desk.next_item("eve") is not None


def test_a_record_that_changed_takes_no_vote(table: Table) -> None:
    """Its item is stale; undo passes over it."""
    (item,) = table.ask(request("a/Q1", votes=2))
    table.vote(item, "ada")
    table.desk.open_item(item, "eve")
    table.ask()
    with pytest.raises(UsageError, match="expected an open item, got a stale one"):
        table.desk.submit(item, "eve", "t", YES)
    assert table.desk.undo("ada") is None


def test_a_run_in_between_keeps_leases_votes_and_disputes(table: Table) -> None:
    """Asked for again, an item is as it was; fewer votes needed decide it."""
    one, two = request("a/Q1", votes=2), request("a/Q2", votes=2)
    first, second = table.ask(one, two)
    table.vote(first, "ada")
    table.vote(first, "eve", NO)
    table.vote(second, "ada")
    table.ask(one, two)
    assert [table.state(item) for item in (first, second)] == ["disputed", "open"]
    table.ask(one, request("a/Q2", votes=1))
    assert table.state(second) == "decided"


def test_the_log_says_who_did_what(table: Table) -> None:
    """With the state before, the state after, the reason and the seconds."""
    (item,) = table.ask(request("a/Q1"))
    edited = Vote(
        Ruling.ACCEPT, ReasonCode.CORRECT_AFTER_EDIT, edits=(change("a/Q1", "red"),), seconds=3.5
    )
    table.vote(item, "ada", edited)
    table.desk.undo("ada")
    with table.desk.engine.connect() as connection:
        vote, undo = connection.execute(select(LOG).order_by(LOG.c.id)).all()
    assert (vote.action, vote.reviewer, vote.before, vote.after, vote.reason, vote.seconds) == (
        *("vote", "ada", sha256(b"a/Q1"), sha256(b"red")),
        *("accept: correct_after_edit", 3.5),
    )
    assert (undo.action, undo.at) == ("undo", 1000.0)


def test_control_items_measure_and_change_nothing(table: Table) -> None:
    """They look like any other item; the decision and the places stay as they are."""
    known, fresh = table.ask(request("a/Q1"), request("a/Q2"))
    table.vote(known, "ada")
    table.desk.make_control(known)
    table.desk.control_rate = 1.0
    lease = table.desk.next_item("eve")
    assert lease is not None
    assert lease.item == known
    assert table.desk.submit(known, "eve", "t", NO).state == "decided"
    lease = table.desk.next_item("eve")
    assert lease is not None
    assert lease.item == fresh
    decision = table.queue.item(known).decision
    assert decision is not None
    assert (decision.ruling, decision.reviewer) == (Ruling.ACCEPT, "ada")
    with table.desk.engine.connect() as connection:
        purposes = connection.execute(select(VOTES.c.purpose).order_by(VOTES.c.id)).scalars().all()
        assert connection.execute(select(ITEMS.c.taken)).scalars().all() == [1, 1]
    assert purposes == ["vote", "control"]
    with pytest.raises(UsageError, match="expected a decided item"):
        table.desk.make_control(fresh)


def test_repeat_items_are_ones_own(table: Table) -> None:
    """Each once; undone, it is asked again."""
    (item,) = table.ask(request("a/Q1"))
    table.vote(item, "ada")
    table.desk.repeat_rate = 1.0
    assert table.desk.next_item("eve") is None
    lease = table.desk.next_item("ada")
    assert lease is not None
    table.desk.submit(item, "ada", "again", NO)
    assert table.desk.next_item("ada") is None
    assert table.desk.undo("ada") == item
    assert table.state(item) == "decided"


def test_new_errors_come_before_old_warnings(table: Table) -> None:
    """Also to a reviewer who is at the warnings; what was given back comes last."""
    old = [request(f"a/Q{number}", "warning", votes=2) for number in (1, 2, 3)]
    first, second, third = table.ask(*old)
    table.vote(first, "ada")
    for item in (second, third):
        assert table.desk.next_item("ada") is not None
        if item == second:
            table.desk.give_back(second, "ada")
    *_, error = table.ask(*old, request("a/Q4", "error"))
    table.desk.submit(third, "ada", "third", YES)
    given = []
    while (lease := table.desk.next_item("ada")) is not None:
        given.append(lease.item)
        table.desk.submit(lease.item, "ada", f"then {lease.item}", YES)
    assert given == [error, second]


def test_many_reviewers_at_once_give_no_item_more_votes_than_asked(table: Table) -> None:
    """Eight threads, forty items of two votes each: eighty votes, none twice."""
    items = table.ask(*(request(f"a/Q{number}", votes=2) for number in range(40)))

    def work(name: str) -> None:
        desk = ReviewDesk(table.desk.engine, table.desk.clock)
        while (lease := desk.next_item(name)) is not None:
            desk.submit(lease.item, name, f"{name} {lease.item}", YES)

    threads = [threading.Thread(target=work, args=(f"r{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {table.state(item) for item in items} == {"decided"}
    with table.desk.engine.connect() as connection:
        votes = connection.execute(select(VOTES.c.item, VOTES.c.reviewer)).all()
    assert len(votes) == len(set(votes)) == 80

"""What owners see: throughput, agreement, disagreements; and who may join."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.review_builder import NO, YES, Table, change, database, request, table_on

from memassay.annotation.measures.progress import Left, VotesIn, left_for, votes_by, votes_in
from memassay.annotation.measures.review_stats import audit_log, review_stats
from memassay.annotation.storage.invitations import invite
from memassay.annotation.storage.reviewers import ReviewerAccounts
from memassay.annotation.voting.desk import Vote
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.review import ReasonCode, Ruling


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """An empty desk."""
    with database(request.param, tmp_path) as engine:
        yield table_on(engine)


def test_nothing_done_is_told_as_nothing(table: Table) -> None:
    """No division by it."""
    stats = review_stats(table.desk.engine)
    assert (stats.states, stats.reviewers, stats.disagreements) == ({}, [], [])
    assert stats.agreement["ruling"].alpha is None


def test_throughput_and_agreement(table: Table) -> None:
    """By reviewer and by pair; an adjudication is work and no rating."""
    first, second, third = table.ask(*(request(f"a/Q{n}", votes=2) for n in (1, 2, 3)))
    for item in (first, second):
        table.vote(item, "ada")
    table.vote(first, "eve")
    table.vote(second, "eve", NO)
    table.desk.adjudicate(second, "judge", "j", NO)
    table.vote(third, "ada", NO)
    stats = review_stats(table.desk.engine)
    assert stats.states == {"decided": 2, "open": 1}
    assert stats.gates == {"check": {"decided": 2, "open": 1}}
    ada, eve, judge = stats.reviewers
    assert (ada.votes, ada.accepted, ada.seconds) == (3, 2 / 3, 2.0)
    assert (eve.votes, eve.hours, judge.votes) == (2, 6 / 3600, 1)
    ruling = stats.agreement["ruling"]
    assert (ruling.units, ruling.percent) == (2, 0.5)
    assert [pair.pair for pair in ruling.pairs] == [("ada", "eve")]
    (differ,) = stats.disagreements
    assert (differ.record, differ.state, list(differ.votes)) == (
        "a/Q2",
        "decided",
        ["ada", "eve", "judge"],
    )


def test_votes_that_are_in_are_counted_of_those_that_are_needed(table: Table) -> None:
    """A lease is no vote; what is decided needs none any more; stale items never did."""
    first, second, third = table.ask(*(request(f"a/Q{number}", votes=2) for number in range(3)))
    table.vote(first, "ada")
    table.vote(first, "bob")
    table.vote(second, "ada")
    table.desk.open_item(third, "ada")
    engine = table.desk.engine
    assert votes_in(engine) == VotesIn(cast=3, needed=6)
    assert [votes_by(engine, name) for name in ("ada", "bob", "eve")] == [2, 1, 0]
    assert left_for(engine, "ada", 0) == Left(voted=1, skipped=0, others=1)
    table.ask(request("a/Q1", votes=2))
    assert votes_in(engine) == VotesIn(cast=3, needed=4)


def test_other_edits_are_a_disagreement(table: Table) -> None:
    """The rulings are alike."""
    (item,) = table.ask(request("a/Q1", votes=2))
    fixed = ReasonCode.CORRECT_AFTER_EDIT
    for name in ("ada", "eve"):
        table.vote(item, name, Vote(Ruling.ACCEPT, fixed, edits=(change("a/Q1", name),)))
    stats = review_stats(table.desk.engine)
    assert (stats.agreement["ruling"].percent, stats.agreement["edits"].percent) == (1.0, 0.0)
    assert [one.item for one in stats.disagreements] == [item]


def test_what_measures_a_reviewer_is_told_apart(table: Table) -> None:
    """Known answers and repeats are not votes."""
    (item,) = table.ask(request("a/Q1"))
    table.vote(item, "ada")
    table.desk.make_control(item)
    table.desk.repeat_rate = 1.0
    assert table.desk.next_item("ada") is not None
    table.desk.submit(item, "ada", "again", YES)
    table.desk.repeat_rate, table.desk.control_rate = 0.0, 1.0
    assert table.desk.next_item("eve") is not None
    table.desk.submit(item, "eve", "measured", NO)
    ada, eve = review_stats(table.desk.engine).reviewers
    assert (ada.votes, ada.repeats, ada.repeats_alike, ada.controls) == (1, 1, 1, 0)
    assert (eve.votes, eve.controls, eve.controls_right) == (0, 1, 0)


def test_the_log_is_read_in_order(table: Table) -> None:
    """Every line has who, what and when."""
    (item,) = table.ask(request("a/Q1"))
    table.vote(item, "ada")
    table.desk.undo("ada")
    assert [(line["reviewer"], line["action"]) for line in audit_log(table.desk.engine)] == [
        ("ada", "vote"),
        ("ada", "undo"),
    ]


def test_an_invitation_makes_one_reviewer(table: Table) -> None:
    """In its role; nobody can use it again, and who is shut out cannot log in."""
    engine = table.desk.engine
    token = invite(engine, "adjudicator", clock=table.desk.clock)
    book = ReviewerAccounts(engine, table.desk.clock)
    assert book.join(token, "ada", "a long password") == "adjudicator"
    with pytest.raises(UsageError, match="invitation"):
        book.join(token, "eve", "a long password")
    assert table.desk.reviewers() == [{"name": "ada", "role": "adjudicator", "disabled": False}]
    table.desk.shut_out("ada", "zoe")
    assert book.role_of("ada", "a long password") is None
    table.desk.shut_out("ada", "zoe", disabled=False)
    assert book.role_of("ada", "a long password") == "adjudicator"
    with pytest.raises(UsageError, match="got nobody"):
        table.desk.shut_out("bob", "zoe")
    with pytest.raises(UsageError, match="role: expected one of annotator"):
        invite(engine, "king")


def test_who_is_shut_out_holds_nothing_and_the_last_owner_stays(table: Table) -> None:
    """Their leases end, it is in the log, and nobody shuts out themselves or the only owner."""
    engine, desk = table.queue.engine, table.desk
    book = ReviewerAccounts(engine, desk.clock)
    for name, role in (("ada", "annotator"), ("zoe", "owner")):
        book.join(invite(engine, role, clock=desk.clock), name, "a long password")
    (item,) = table.ask(request("a/Q1"))
    desk.open_item(item, "ada")
    desk.shut_out("ada", "zoe")
    assert desk.next_item("bob") is not None
    assert [(row["reviewer"], row["action"], row["reason"]) for row in audit_log(engine)] == [
        ("zoe", "shut out", "ada")
    ]
    for by in ("zoe", "ada"):
        with pytest.raises(UsageError, match=r"expected (somebody else|another owner)"):
            desk.shut_out("zoe", by)


def test_an_invitation_ends(table: Table) -> None:
    """After its days."""
    token = invite(table.desk.engine, "annotator", days=1, clock=table.desk.clock)
    table.now[0] += 2 * 86_400
    with pytest.raises(UsageError, match="invitation"):
        ReviewerAccounts(table.desk.engine, table.desk.clock).join(token, "ada", "a long password")

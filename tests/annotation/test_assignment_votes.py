"""Votes on assignments: answers agree or differ as rulings do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.review_builder import NO, YES, Table, database, request, table_on

from memassay.annotation.measures.review_stats import audit_log, review_stats
from memassay.annotation.voting.rows import ASSIGNMENT
from memassay.annotation.voting.shapes import Vote
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.review import ReasonCode, Ruling


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """An empty desk on each kind of database."""
    with database(request.param, tmp_path) as engine:
        yield table_on(engine)


def answer(said: str) -> Vote:
    """A vote that answers."""
    return Vote(Ruling.ACCEPT, ReasonCode.CORRECT, answer=said)


def asked(table: Table, kind: str = "score", votes: int = 2) -> str:
    """The item of one assignment."""
    (item,) = table.ask(request(f"a/{kind}", "asked", votes, kind=ASSIGNMENT, type=kind))
    return item


def test_equal_answers_decide_and_others_are_disputed(table: Table) -> None:
    """The decision holds the answer; one that differs needs an adjudicator, whose own holds."""
    item = asked(table)
    assert [table.vote(item, name, answer("4")) for name in ("ada", "eve")] == ["open", "decided"]
    decision = table.queue.item(item).decision
    assert decision is not None
    assert decision.answer == "4"
    other = asked(table, "choose")
    assert [table.vote(other, n, answer(n[0])) for n in ("ada", "eve")] == ["open", "disputed"]
    table.desk.adjudicate(other, "judge", "t", answer("e"))
    settled = table.queue.item(other).decision
    assert settled is not None
    assert (settled.answer, settled.reviewer) == ("e", "judge")


def test_an_assignment_is_accepted_with_an_answer_only(table: Table) -> None:
    """And a record without one: whoever votes, and however."""
    item = asked(table)
    (record,) = table.ask(request("a/Q1"))
    for wrong, vote in ((record, answer("4")), (item, YES)):
        with pytest.raises(UsageError, match=r"expected (an answer to an assignment|no answer)"):
            table.vote(wrong, "ada", vote)
    assert table.vote(item, "ada", NO) == "open"


def test_gates_leave_assignments_alone_and_they_the_records(table: Table) -> None:
    """What a gate no longer asks is stale, and no assignment with it; and the other way round."""
    table.ask(request("a/Q1"))
    task = request("a/score", "asked", kind=ASSIGNMENT, type="score")
    table.queue.assign("run", "check", [task])
    table.ask(request("a/Q2"))
    assert table.state(task.item) == "open"
    table.queue.assign("run", "check", [], all_there_are=True)
    assert table.state(task.item) == "stale"
    assert [item.record for item in table.queue.items("check")] == ["a/Q2"]


def test_controls_and_repeats_compare_answers(table: Table) -> None:
    """The same ruling with another answer is not right, and not the same again."""
    item = asked(table, votes=1)
    table.vote(item, "ada", answer("4"))
    table.desk.make_control(item)
    table.desk.repeat_rate = 1.0
    assert table.desk.next_item("ada") is not None
    table.desk.submit(item, "ada", "again", answer("2"))
    table.desk.repeat_rate, table.desk.control_rate = 0.0, 1.0
    assert table.desk.next_item("eve") is not None
    table.desk.submit(item, "eve", "measured", answer("4"))
    ada, eve = review_stats(table.desk.engine).reviewers
    assert (ada.repeats, ada.repeats_alike) == (1, 0)
    assert (eve.controls, eve.controls_right) == (1, 1)


def test_answers_have_an_agreement_of_their_own(table: Table) -> None:
    """Of what is chosen or scored; texts, which never agree word for word, do not count."""
    for kind, said in (("score", "44"), ("choose", "ab"), ("write", "xy")):
        item = asked(table, kind)
        for name, one in zip(("ada", "eve"), said, strict=True):
            table.vote(item, name, answer(one))
    found = review_stats(table.desk.engine).agreement["answer"]
    assert (found.units, found.percent) == (2, 0.5)


def test_the_log_says_what_was_answered(table: Table) -> None:
    """Cut to its room."""
    table.vote(asked(table, "write", 1), "ada", answer("x" * 500))
    (line,) = audit_log(table.desk.engine)
    assert line["reason"].startswith("accept: correct = xxx")
    assert len(line["reason"]) == 200

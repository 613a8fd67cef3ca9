"""The review queue: items by state, decisions for good, what changed asks again."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.annotation.voting.review_queue import ReviewQueue, ReviewRequest, VoidedVotes
from memassay.flows.store.database.opening import open_database
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import sha256
from memassay.schemas.judgements.review import CoveredRecord, ReasonCode, Ruling


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[ReviewQueue]:
    """An empty queue."""
    engine = open_database(tmp_path / "db.sqlite")
    yield ReviewQueue(engine)
    engine.dispose()


def _request(record: str = "a/Q1", state: str = "1", reason: str = "error") -> ReviewRequest:
    covers = (CoveredRecord(id=record, sha256=sha256(state.encode())),)
    return ReviewRequest("check", record, reason, ("test.rule",), (), covers)


def _decide(queue: ReviewQueue, item: str, ruling: Ruling = Ruling.ACCEPT, who: str = "r") -> None:
    desk = ReviewDesk(queue.engine)
    desk.open_item(item, who)
    desk.submit(item, who, str(uuid4()), Vote(ruling, ReasonCode.OTHER))


def test_errors_come_first_then_ids_in_natural_order(queue: ReviewQueue) -> None:
    """The order to decide in."""
    requests = [
        _request("a/Q10", reason="warning"),
        _request("a/Q9", reason="warning"),
        _request("b/Q1", reason="error"),
        _request("a/Q1", reason="drawn"),
    ]
    queue.sync("run", "check", requests)
    assert [item.record for item in queue.items()] == ["b/Q1", "a/Q9", "a/Q10", "a/Q1"]


def test_the_same_request_is_the_same_item(queue: ReviewQueue) -> None:
    """Asking again adds nothing."""
    for _ in range(2):
        queue.sync("run", "check", [_request()])
    assert [item.id for item in queue.items()] == [_request().item]


def test_a_decision_is_kept_when_asked_again(queue: ReviewQueue) -> None:
    """Decided items are not opened again and hold for their states."""
    queue.sync("run", "check", [_request()])
    _decide(queue, _request().item)
    queue.sync("run", "check", [_request()])
    assert queue.items() == []
    (item,) = queue.decided_items("check")
    assert item.decision is not None
    assert item.decision.ruling is Ruling.ACCEPT
    assert queue.decided_items("other") == []


def test_votes_do_not_speak_of_what_was_found_after_them(queue: ReviewQueue) -> None:
    """Decided, or voted on: with another history and a new finding it is another item."""
    old, new = sha256(b"old"), sha256(b"new")
    first = replace(_request(), votes=2, history=old)
    queue.sync("run", "check", [first])
    desk = ReviewDesk(queue.engine)
    desk.open_item(first.item, "ada")
    desk.submit(first.item, "ada", "t", Vote(Ruling.ACCEPT, ReasonCode.CORRECT))
    assert queue.sync("run", "check", [replace(first, history=new)]) == []
    again = replace(first, history=sha256(b"newer"), findings=("f",))
    assert queue.sync("run", "check", [again]) == [VoidedVotes(first.record, 0, 1)]
    (item,) = queue.items()
    assert item.id != first.item
    assert {cover.id for cover in item.covers} == {"a/Q1", "a"}


def test_a_stale_item_cannot_be_decided(queue: ReviewQueue) -> None:
    """The record changed while the reviewer read it."""
    queue.sync("run", "check", [_request(state="1")])
    queue.sync("run", "check", [_request(state="2")])
    with pytest.raises(UsageError, match="expected an open item, got a stale one"):
        _decide(queue, _request(state="1").item)
    assert [item.id for item in queue.items()] == [_request(state="2").item]


def test_contexts_are_those_of_the_last_run(queue: ReviewQueue) -> None:
    """By run, gate and conversation; what is not asked about any more is forgotten."""
    queue.remember("run", "check", {"a": ["1", "2"], "b": ["3"]})
    queue.remember("other", "check", {"a": ["9"]})
    queue.remember("run", "check", {"a": ["4"]})
    assert queue.context("run", "check", "a") == ["4"]
    assert queue.context("run", "check", "b") == []
    assert queue.contexts() == [("other", "check", "a"), ("run", "check", "a")]


def test_an_item_that_is_not_there_is_named(queue: ReviewQueue) -> None:
    """With the command that lists those that are."""
    with pytest.raises(UsageError, match="R0: not in the queue, which shows all"):
        queue.item("R0")


def test_of_two_who_decide_at_once_one_is_told(queue: ReviewQueue) -> None:
    """Exactly one decision is recorded."""
    queue.sync("run", "check", [_request()])
    refused: list[str] = []

    def decide(who: str) -> None:
        try:
            _decide(queue, _request().item, who=who)
        except UsageError:
            refused.append(who)

    threads = [threading.Thread(target=decide, args=(f"r{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (item,) = queue.items(states=("decided",))
    assert item.decision is not None
    assert sorted([*refused, item.decision.reviewer]) == [f"r{number}" for number in range(6)]

"""Votes of other tools that are corrected there, given twice, or broken."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.engine_builder import FlawsIn, SourceOf, finish

from memassay.annotation.exchange.label_studio_tasks import votes as read_votes
from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.flows.review.exchange import ExchangeReport, export_items, import_votes
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.review import ReasonCode, Ruling

ANA = {"id": 7, "email": "ana@example.org"}
MORNING, LATER = "2026-01-02T10:00:00Z", "2026-01-03T09:00:00Z"
Votes = Sequence[dict[str, Any]]


def _vote(
    number: int, ruling: str | None, by: Any = ANA, at: str = MORNING, **more: Any
) -> dict[str, Any]:
    """An annotation as Label Studio exports it."""
    value = {"choices": [ruling]}
    chosen = {"from_name": "ruling", "to_name": "question", "type": "choices", "value": value}
    whole = {"id": number, "completed_by": by, "updated_at": at, "lead_time": 12.5}
    return {**whole, "was_cancelled": False, "result": [chosen] if ruling else [], **more}


class Exchange:
    """A workspace whose tasks Label Studio has, and its exports of them."""

    def __init__(self, folder: Path) -> None:
        self.workspace = Workspace(folder / "work")
        flaws = {f"alex/Q000{at}": Severity.ERROR for at in (1, 2, 3)}
        gate = GateSection(policy="sample", on_open="continue", votes=2)
        finish(self.workspace, [SourceOf({"alex": "red"}), FlawsIn(flaws)], {"check": gate})
        export_items(self.workspace, "label-studio", folder / "tasks")
        self.tasks = json.loads((folder / "tasks" / "tasks.json").read_text("utf-8"))
        self.file = folder / "export.json"

    def export(self, *votes: Votes) -> ExchangeReport:
        """Import an export with annotations by task."""
        made = [
            {**task, "id": number, "annotations": list(own)}
            for number, (task, own) in enumerate(zip(self.tasks, votes, strict=False), 1)
        ]
        self.file.write_text(json.dumps(made), "utf-8")
        return import_votes(self.workspace, "label-studio", self.file)

    def rulings(self, task: int) -> dict[str, str]:
        """By reviewer, what stands on a task."""
        desk = ReviewDesk(self.workspace.engine)
        item = self.tasks[task - 1]["data"]["item"]
        return {one["reviewer"]: one["ruling"] for one in desk.votes(item, "", adjudicates=True)}


@pytest.fixture
def exchange(tmp_path: Path) -> Iterator[Exchange]:
    """Three questions that wait for two votes each."""
    made = Exchange(tmp_path)
    yield made
    made.workspace.close()


def _counts(report: ExchangeReport) -> tuple[int, int, int, int]:
    return report.applied, report.replaced, report.known, len(report.refused)


def test_a_corrected_annotation_replaces_its_vote(exchange: Exchange) -> None:
    """While the item is open; that is said, and the older export brings nothing back."""
    assert _counts(exchange.export([_vote(1, "accept")])) == (1, 0, 0, 0)
    report = exchange.export([_vote(1, "reject", at=LATER)])
    assert _counts(report) == (0, 1, 0, 0)
    assert report.notes == [
        "task 1, ana@example.org: changed after its vote was taken; reject replaces accept"
    ]
    assert exchange.rulings(1) == {"ana@example.org": "reject"}
    older = exchange.export([_vote(1, "accept")])
    assert _counts(older) == (0, 0, 1, 0)
    assert "an older answer, accept of 2026-01-02 10:00:00 UTC" in older.notes[0]
    assert exchange.rulings(1) == {"ana@example.org": "reject"}


def test_a_correction_back_counts_too(exchange: Exchange) -> None:
    """Accept, reject, accept again: the last of three times."""
    for at, ruling in ((MORNING, "accept"), (LATER, "reject"), ("2026-01-04T00:00:00Z", "accept")):
        exchange.export([_vote(1, ruling, at=at)])
    assert exchange.rulings(1) == {"ana@example.org": "accept"}


def test_a_corrected_reason_is_a_correction(exchange: Exchange) -> None:
    """The ruling alone is not the vote."""
    reason = {"from_name": "reason", "type": "choices", "value": {"choices": ["ambiguous"]}}
    first = _vote(1, "reject")
    exchange.export([first])
    again = {**first, "updated_at": LATER, "result": [*first["result"], reason]}
    assert _counts(exchange.export([again])) == (0, 1, 0, 0)


def test_a_person_named_otherwise_is_the_same_by_their_annotation(exchange: Exchange) -> None:
    """An export that gives the number of a user and not the address is no second voter."""
    exchange.export([_vote(1, "accept")])
    assert _counts(exchange.export([_vote(1, "reject", by=7, at=LATER)])) == (0, 1, 0, 0)
    assert exchange.rulings(1) == {"ana@example.org": "reject"}


def test_a_correction_of_what_is_not_open_is_refused(exchange: Exchange) -> None:
    """With that reason, the task and the person."""
    exchange.export([_vote(1, "accept"), _vote(2, "accept", by=4)])
    report = exchange.export([_vote(1, "reject", at=LATER)])
    assert _counts(report) == (0, 0, 0, 1)
    (line,) = report.refused
    assert line.startswith("task 1, ana@example.org: review item R")
    assert "changed after it was taken, but the item is decided by now" in line
    assert exchange.rulings(1)["ana@example.org"] == "accept"


def test_of_two_annotations_of_one_person_the_newer_counts(exchange: Exchange) -> None:
    """In whatever order they are in the file; it is said which."""
    twice = [_vote(4, "reject", by=3, at=LATER), _vote(3, "accept", by=3)]
    report = exchange.export(twice)
    assert _counts(report) == (1, 0, 0, 0)
    assert exchange.rulings(1) == {"label-studio-3": "reject"}
    assert report.notes == [
        "task 1, label-studio-3: 2 answers of one person; the newest counts, "
        "reject of 2026-01-03 09:00:00 UTC, not accept of 2026-01-02 10:00:00 UTC"
    ]


def test_a_broken_task_refuses_itself(exchange: Exchange) -> None:
    """One line with task, person and cause for each; the other votes of the file are taken."""
    broken: list[Votes] = [
        [_vote(1, "accept"), _vote(2, None, by=4), _vote(3, "maybe", by=5)],
        [_vote(4, "accept"), _vote(5, "accept", by=None), _vote(6, "accept", by=8, result=None)],
    ]
    report = exchange.export(*broken)
    assert _counts(report) == (2, 0, 0, 4)
    assert [
        line.partition(";")[0].replace(line.split(": ")[1][:13], "R") for line in report.refused
    ] == [
        "task 1, label-studio-4: R.ruling: expected one of accept, reject, got none",
        "task 1, label-studio-5: R.ruling: expected one of accept, reject, got 'maybe'",
        "task 2, label-studio-8: R.result: expected a list of results, got 'None'",
        "task 2, nobody: R.completed_by: expected who made the annotation, got none",
    ]


def test_each_cause_has_a_line_of_its_own(exchange: Exchange) -> None:
    """An item that is full, one that is decided, one that is not there."""
    exchange.export([_vote(1, "accept"), _vote(2, "accept", by=4)], [_vote(3, "accept")])
    exchange.tasks[2]["data"]["item"] = "R0"
    ReviewDesk(exchange.workspace.engine).open_item(exchange.tasks[1]["data"]["item"], "bo")
    third = [_vote(9, "accept", by=9)]
    report = exchange.export(third, third, third)
    assert [line.partition(": ")[0] for line in report.refused] == [
        f"task {number}, label-studio-9" for number in (1, 2, 3)
    ]
    for line, cause in zip(
        report.refused,
        ("got a decided one", "in the hands of others", "not in the queue"),
        strict=True,
    ):
        assert cause in line


def test_a_vote_that_was_cast_here_stays(exchange: Exchange) -> None:
    """An annotation of the same person elsewhere is refused with that."""
    item = exchange.tasks[0]["data"]["item"]
    vote = Vote(Ruling.ACCEPT, ReasonCode.CORRECT)
    ReviewDesk(exchange.workspace.engine).submit(item, "ana@example.org", "t", vote)
    report = exchange.export([_vote(1, "reject", at=LATER)])
    assert _counts(report) == (0, 0, 0, 1)
    assert "they voted here; the vote stays accept" in report.refused[0]


def test_a_vote_that_was_taken_back_does_not_come_again(exchange: Exchange) -> None:
    """An undone vote stays undone when its export is imported once more."""
    exchange.export([_vote(1, "accept")])
    ReviewDesk(exchange.workspace.engine).undo("ana@example.org")
    report = exchange.export([_vote(1, "accept")])
    assert _counts(report) == (0, 0, 0, 1)
    assert exchange.rulings(1) == {}


def test_a_task_that_is_skipped_later_is_said(exchange: Exchange) -> None:
    """Its vote stays; a skip without a vote is none."""
    exchange.export([_vote(1, "accept")])
    skipped = _vote(1, None, at=LATER, was_cancelled=True)
    report = exchange.export([skipped], [_vote(2, None, was_cancelled=True)])
    assert _counts(report) == (0, 0, 0, 1)
    assert "skipped after its vote was taken; the vote stays accept" in report.refused[0]
    assert report.notes == ["task 2, ana@example.org: skipped; it has no vote"]


def test_a_file_without_any_task_of_ours_is_refused() -> None:
    """One foreign task among others is a line."""
    ours = {"item": "R1", **dict.fromkeys(("gate", "record", "type", "reason", "severity"), "")}
    read = read_votes([{"data": ours, "annotations": []}, {"id": 90, "data": {}}])
    assert [line.partition(": ")[0] for line in read.refused] == ["task 2 (id 90)"]
    with pytest.raises(UsageError, match="task 1: expected data with item, gate"):
        read_votes([{"data": {}}])


def test_a_changed_answer_of_argilla_replaces_its_vote(exchange: Exchange, tmp_path: Path) -> None:
    """It gives no times: an answer that was replaced is not taken again."""
    out = tmp_path / "argilla"
    export_items(exchange.workspace, "argilla", out)
    records = json.loads((out / "records.json").read_text("utf-8"))

    def answer(ruling: str) -> ExchangeReport:
        records[0]["responses"] = {"ruling": [{"value": ruling, "user_id": "u1"}]}
        records[1]["responses"] = {"comment": [{"value": "?", "user_id": "u2"}]}
        (out / "records.json").write_text(json.dumps(records), "utf-8")
        return import_votes(exchange.workspace, "argilla", out)

    assert [_counts(answer(one)) for one in ("accept", "reject", "accept")] == [
        (1, 0, 0, 1),
        (0, 1, 0, 1),
        (0, 0, 1, 1),
    ]
    assert answer("reject").refused[0].startswith("record 2, argilla-u2: R")

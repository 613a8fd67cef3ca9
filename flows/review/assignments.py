"""Assignments of a workspace: asked from a file or by code, answered by people, read back."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from memassay.annotation.voting.queue_reader import QueueReader
from memassay.annotation.voting.review_queue import ReviewItem, ReviewRequest
from memassay.annotation.voting.rows import ADJUDICATION, ASSIGNMENT, VOTE
from memassay.exports.release.text_lines import json_object, written_lines
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.assignment import Assignment, problems
from memassay.schemas.judgements.review import CoveredRecord

ASK: Final = "ask"
"""Gate and run of what was asked from a file."""
REASON: Final = "asked"
"""Why an assignment is in the queue."""
_EXAMPLE: Final = (
    '{"id": "wei/outline-1", "kind": "write", "title": "Outline of session 3", '
    '"instructions": "Write it in five lines."}'
)


class AskReport(Shape):
    """What was asked.

    Attributes:
        asked: Assignments of the file.
        decided: Those that people have answered before; they are not asked again.
        items: Id of the queue item of each, in the order of the file.
    """

    asked: int
    decided: int
    items: list[str]


class AssignmentAnswer(Shape):
    """What became of an assignment that is decided."""

    assignment: Annotated[str, Field(description="Id of the assignment.")]
    item: Annotated[str, Field(description="Id of its queue item.")]
    gate: str
    kind: str
    about: str
    group: str
    ruling: Annotated[str, Field(description="`accept` with an answer, or `reject`.")]
    reason: str
    answer: Annotated[str, Field(description="The key chosen, the score, or the text written.")]
    text: Annotated[str, Field(description="To choose: the text that was chosen.")]
    reviewers: str
    comment: str
    votes: Annotated[dict[str, int], Field(description="Votes by answer, or by `reject`.")]
    agreement: Annotated[
        float | None, Field(description="Share of pairs of votes alike; None for a single vote.")
    ]


def queue_assignments(
    workspace: Workspace,
    run: str,
    gate: str,
    assignments: Sequence[Assignment],
    *,
    votes: int = 1,
    all_there_are: bool = False,
) -> list[ReviewRequest]:
    """Store assignments and queue them; what people answered before stays answered.

    Args:
        workspace: The workspace.
        run: Name of the run, or of what else asks.
        gate: Stage whose gate asks.
        assignments: What to ask; one in a new state replaces the open one of its id.
        votes: Votes needed of each, 1 to 3.
        all_there_are: Whether what else the run asks at the gate is no longer wanted.

    Raises:
        UsageError: The parts of an assignment do not fit together, or an image is missing.
    """
    for assignment in assignments:
        for problem in problems(assignment):
            raise UsageError(problem)
        for part in assignment.shown:
            if part.blob_sha256 is not None and part.blob_sha256 not in workspace.blobs:
                raise UsageError(
                    f"{assignment.id}.shown: expected an image of the workspace, got "
                    f"{part.blob_sha256!r}; show one of the conversation as `attachment`"
                )
    hashes = workspace.store.put_all(assignments)
    requests = [
        request_of(assignment, sha256, gate, votes)
        for assignment, sha256 in zip(assignments, hashes, strict=True)
    ]
    workspace.queue.assign(run, gate, requests, all_there_are=all_there_are)
    return requests


def request_of(assignment: Assignment, sha256: str, gate: str, votes: int = 1) -> ReviewRequest:
    """The queue's request for an assignment; its id follows from its content."""
    return ReviewRequest(
        gate=gate,
        record=assignment.id,
        reason=REASON,
        rules=(),
        findings=(),
        covers=(CoveredRecord(id=assignment.id, sha256=sha256),),
        kind=ASSIGNMENT,
        type=str(assignment.kind),
        votes=votes,
        conversation=assignment.conversation,
    )


def assignment_of(workspace: Workspace, item: ReviewItem) -> Assignment:
    """The assignment behind an item.

    Raises:
        UsageError: The item is none.
    """
    record = workspace.store.get(item.covers[0].sha256) if item.covers else None
    if not isinstance(record, Assignment):
        raise UsageError(f"review item {item.id}: expected an assignment, got a {item.kind}")
    return record


def with_assignments(
    workspace: Workspace, items: Iterable[ReviewItem]
) -> list[tuple[ReviewItem, Assignment]]:
    """Those items that are assignments, each with its record; read all at once."""
    own = [item for item in items if item.kind == ASSIGNMENT]
    records = workspace.store.get_all([item.covers[0].sha256 for item in own])
    pairs = zip(own, records, strict=True)
    return [(item, record) for item, record in pairs if isinstance(record, Assignment)]


def ask(workspace: Workspace, assignments: Sequence[Assignment], votes: int = 1) -> AskReport:
    """Queue assignments that were read from a file.

    Raises:
        UsageError: One shows an image that is not in the workspace.
    """
    requests = queue_assignments(workspace, ASK, ASK, assignments, votes=votes)
    states = Counter(workspace.queue.item(one.item).state for one in requests)
    return AskReport(
        asked=len(requests), decided=states["decided"], items=[one.item for one in requests]
    )


def read_assignments(path: Path) -> list[Assignment]:
    """The assignments of a file of JSON lines; empty lines are skipped.

    Raises:
        UsageError: The file cannot be read, or a line is no assignment of its own.
    """
    found: dict[str, int] = {}
    read = []
    for number, line in written_lines(path, "assignments"):
        assignment = _read(line, f"{path.name}:{number}")
        if assignment.id in found:
            raise UsageError(
                f"{path.name}:{number}.id: expected an id of its own, got {assignment.id!r} of "
                f"line {found[assignment.id]}"
            )
        found[assignment.id] = number
        read.append(assignment)
    return read


def _read(line: bytes, where: str) -> Assignment:
    document = json_object(line, where, _EXAMPLE)
    try:
        record = parse_record(ASSIGNMENT, document)
    except RecordError as error:
        raise UsageError(f"{where}: {error}; write it as {_EXAMPLE}") from error
    assert isinstance(record, Assignment)
    for problem in problems(record):
        raise UsageError(f"{where}: {problem}")
    return record


def answers(workspace: Workspace, gate: str | None = None) -> list[AssignmentAnswer]:
    """What people decided on assignments, by gate and id."""
    decided = with_assignments(workspace, workspace.queue.items(gate, ("decided",)))
    votes = QueueReader(workspace.queue.engine).votes((VOTE, ADJUDICATION))
    found = [_answer(item, task, votes.get(item.id, [])) for item, task in decided]
    return sorted(found, key=lambda one: (one.gate, one.assignment, one.item))


def _answer(item: ReviewItem, assignment: Assignment, votes: Iterable[Any]) -> AssignmentAnswer:
    decision = item.decision
    assert decision is not None
    given = [vote.answer or vote.ruling for vote in votes if vote.purpose == VOTE]
    alike = [first == second for first, second in combinations(given, 2)]
    chosen = {one.key: one.text for one in assignment.candidates}
    return AssignmentAnswer(
        assignment=assignment.id,
        item=item.id,
        gate=item.gate,
        kind=str(assignment.kind),
        about=assignment.about,
        group=assignment.group,
        ruling=str(decision.ruling),
        reason=str(decision.reason),
        answer=decision.answer,
        text=chosen.get(decision.answer, ""),
        reviewers=decision.reviewer,
        comment=decision.comment,
        votes=dict(sorted(Counter(given).items())),
        agreement=sum(alike) / len(alike) if alike else None,
    )

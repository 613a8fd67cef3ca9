"""Review in other tools: items of a workspace out, votes back in."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from memassay.annotation.exchange import argilla_records as exchange_argilla
from memassay.annotation.exchange import label_studio_tasks as exchange_label_studio
from memassay.annotation.exchange.items import ExchangeItem, ExchangeVote
from memassay.annotation.voting.desk import Change, ReviewDesk, Vote
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.annotation.voting.rows import ASSIGNMENT, PROPOSAL
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.engine.edit_layers import apply_patch
from memassay.flows.review.decisions import WorkspaceReview
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.folders import new_folder
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.judgements.review import ReasonCode, Ruling
from memassay.schemas.records.question import QAItem

TOOLS: Final = ("label-studio", "argilla")
"""Names of the tools that items go to and votes come from."""

TASKS: Final = "tasks.json"
CONFIGURATION: Final = "labelling.xml"


class ExchangeReport(Shape):
    """What an import of votes did."""

    applied: int
    known: int
    refused: list[str]


def export_items(
    workspace: Workspace, tool: str, out: Path, *, gate: str | None = None, votes: bool = False
) -> int:
    """Write the items that wait, for a tool; gives how many.

    Args:
        workspace: The workspace.
        tool: One of `TOOLS`.
        out: New or empty folder.
        gate: Only items of this stage's gate.
        votes: With the votes on them, and what is decided too; who reads it is not blind.

    Raises:
        UsageError: There is no such tool, or the folder is not empty.
    """
    _check_tool(tool)
    states = ("open", "disputed", "decided") if votes else ("open",)
    review = WorkspaceReview(workspace)
    items = [
        _exchange_item(workspace, review, item, votes=votes)
        for item in workspace.queue.items(gate, states)
        # Other tools are given records to decide on; the rest needs a page of its own.
        if item.kind not in (ASSIGNMENT, PROPOSAL)
    ]
    with new_folder(out) as folder:
        if tool == "label-studio":
            _write(folder / TASKS, exchange_label_studio.tasks(items))
            configuration = exchange_label_studio.labelling_configuration()
            write_durably(folder / CONFIGURATION, configuration.encode("utf-8"))
        else:
            for path, document in exchange_argilla.documents(items, "memassay-review").items():
                _write(folder / path, document)
    return len(items)


def import_votes(
    workspace: Workspace, tool: str, path: Path, clock: Callable[[], float] = time.time
) -> ExchangeReport:
    """Take the votes of a tool's export; a vote that is known already changes nothing.

    Raises:
        UsageError: There is no such tool.
        SourceError: The file or folder is no export of it.
    """
    _check_tool(tool)
    if tool == "label-studio":
        found = list(exchange_label_studio.votes(_read(path)))
    else:
        users = path / exchange_argilla.USERS
        known = _read(users) if users.is_file() else {}
        found = list(exchange_argilla.votes(_read(path / exchange_argilla.RECORDS), known))
    return _apply(workspace, found, ReviewDesk(workspace.queue.engine, clock))


def _check_tool(tool: str) -> None:
    if tool not in TOOLS:
        raise UsageError(f"--tool: expected one of {', '.join(TOOLS)}, got {tool!r}")


def _write(path: Path, document: Any) -> None:
    text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    write_durably(path, text.encode("utf-8"))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: expected a JSON file to read, got: {error}") from error


def _exchange_item(
    workspace: Workspace, review: WorkspaceReview, item: ReviewItem, *, votes: bool
) -> ExchangeItem:
    shown = review.show(item.id)
    lines = [f"{one['rule']}: {one['message']}" for one in shown["findings"]]
    question = shown.get("question", {}).get("text", "")
    return ExchangeItem(
        known={
            "item": item.id,
            "gate": item.gate,
            "record": item.record,
            "type": item.type or item.kind,
            "reason": item.reason,
            "severity": item.severity,
        },
        shown={
            "findings": "\n".join(lines) or item.reason,
            "question": question or f"Is {item.record} right?",
            "gold": "\n".join(shown.get("gold", {}).get("values", [])),
            "evidence": _evidence(shown),
        },
        votes=_votes(workspace, item) if votes else (),
        votes_needed=item.votes_needed,
    )


def _evidence(shown: dict[str, Any]) -> str:
    lines = []
    for place in shown.get("evidence", []):
        for round_ in place["rounds"]:
            for turn in round_["turns"]:
                images = [f"[{one['id']}: {one['caption'] or ''}]" for one in turn["attachments"]]
                lines.append(" ".join([f"{turn['id']} {turn['speaker']}: {turn['text']}", *images]))
    for event in shown.get("timeline", {}).get("events", []):
        lines.append(f"{event['id']} {event['date']} {event['title']}")
    for session in shown.get("conversation", {}).get("sessions", []):
        lines.append(f"{session['id']} {session['date'] or ''} {session['rounds']} rounds")
    return "\n".join(lines)


def _votes(workspace: Workspace, item: ReviewItem) -> list[ExchangeVote]:
    cast = ReviewDesk(workspace.queue.engine).votes(item.id, "", adjudicates=True)
    return [
        ExchangeVote(
            item=item.id,
            reviewer=vote["reviewer"],
            ruling=vote["ruling"],
            reason=vote["reason"],
            comment=vote["comment"],
            seconds=vote["seconds"],
            **_vote_edits(workspace, item, vote["edits"]),
        )
        for vote in cast
        if vote["purpose"] == "vote"
    ]


def _vote_edits(
    workspace: Workspace, item: ReviewItem, edits: Iterable[dict[str, Any]]
) -> dict[str, str | None]:
    """What a vote made of the question and its gold answer."""
    for edit in edits:
        if edit["target"] == item.record and item.kind == "question":
            before = workspace.store.get(edit["base_sha256"])
            after = QAItem.model_validate(
                apply_patch(before.model_dump(mode="json"), edit["patch"])
            )
            assert isinstance(before, QAItem)
            asked, gold = after.question.text, "\n".join(after.answer.values)
            return {
                "question": None if asked == before.question.text else asked,
                "gold": None if gold == "\n".join(before.answer.values) else gold,
            }
    return {"question": None, "gold": None}


def _apply(workspace: Workspace, votes: Sequence[ExchangeVote], desk: ReviewDesk) -> ExchangeReport:
    applied = known = 0
    refused: list[str] = []
    for vote in votes:
        try:
            item = workspace.queue.item(vote.item)
            if vote.reviewer in {
                one.reviewer for one in _votes(workspace, item) if _alike(one, vote)
            }:
                known += 1
                continue
            desk.open_item(vote.item, vote.reviewer)
            desk.submit(vote.item, vote.reviewer, vote.token, _vote(workspace, item, vote))
            applied += 1
        except UsageError as error:
            refused.append(f"{vote.reviewer}: {error}")
    return ExchangeReport(applied=applied, known=known, refused=refused)


def _alike(one: ExchangeVote, other: ExchangeVote) -> bool:
    names = ("reviewer", "ruling", "question", "gold")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _vote(workspace: Workspace, item: ReviewItem, vote: ExchangeVote) -> Vote:
    """A vote of ours.

    Raises:
        UsageError: What it makes of the question breaks a rule.
    """
    changes: tuple[Change, ...] = ()
    edited = vote.question is not None or vote.gold is not None
    if edited and vote.ruling == Ruling.ACCEPT and item.kind == "question":
        edits = ReviewEdits(workspace)
        before = next(one for one in edits.records(item.id) if one.id == item.record)
        document = before.model_dump(mode="json")
        if vote.question is not None:
            document["question"]["text"] = vote.question
        if vote.gold is not None:
            document["answer"]["values"] = vote.gold.splitlines()
        changes = (edits.change(item.id, item.record, document),)
    default = ReasonCode.CORRECT_AFTER_EDIT if changes else ReasonCode.CORRECT
    if vote.ruling == Ruling.REJECT:
        default = ReasonCode.OTHER
    reason = ReasonCode(vote.reason) if vote.reason else default
    return Vote(Ruling(vote.ruling), reason, vote.comment, changes, vote.seconds)

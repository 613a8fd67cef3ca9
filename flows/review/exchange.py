"""Review in other tools: items of a workspace out, votes back in."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from memassay.annotation.exchange import argilla_records as exchange_argilla
from memassay.annotation.exchange import label_studio_tasks as exchange_label_studio
from memassay.annotation.exchange.answers import time_text
from memassay.annotation.exchange.items import ExchangeItem, ExchangeVote, ReadVotes, imported_as
from memassay.annotation.exchange.texts import evidence_text, findings_text, question_text
from memassay.annotation.voting.corrections import CastVote, replace_vote, votes_cast
from memassay.annotation.voting.desk import Change, LeaseExpired, ReviewDesk, Vote
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.annotation.voting.rows import ASSIGNMENT, PROPOSAL
from memassay.exports.release.text_lines import strict_json
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.engine.edit_layers import apply_patch
from memassay.flows.review.decisions import WorkspaceReview
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.folders import new_folder
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.files import FileKind, read_text
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.review import JudgedField, ReasonCode, Ruling
from memassay.schemas.records.question import QAItem

TOOLS: Final = ("label-studio", "argilla")
"""Names of the tools that items go to and votes come from."""

_EXPORTED: Final = FileKind("a file of JSON", fix="export it again")
TASKS: Final = "tasks.json"
CONFIGURATION: Final = "labelling.xml"


class ExchangeReport(Shape):
    """What an import of votes did.

    Attributes:
        applied: Votes taken.
        known: Votes that were taken before.
        refused: A line for each answer that is no vote here: its task, its person and the reason.
        replaced: Votes that took the place of one that was corrected in the tool.
        notes: A line for each choice between several answers of one person.
    """

    applied: int
    known: int
    refused: list[str]
    replaced: int
    notes: list[str]


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

    A vote that was corrected in the tool replaces what it was before, while its item is open.

    Raises:
        UsageError: There is no such tool.
        SourceError: The file or folder is no export of it.
    """
    _check_tool(tool)
    if tool == "label-studio":
        found = exchange_label_studio.votes(_read(path))
    else:
        users = path / exchange_argilla.USERS
        known = _read(users) if users.is_file() else {}
        found = exchange_argilla.votes(_read(path / exchange_argilla.RECORDS), known)
    return _apply(workspace, found, ReviewDesk(workspace.queue.engine, clock))


def _check_tool(tool: str) -> None:
    if tool not in TOOLS:
        raise UsageError(f"--tool: expected one of {', '.join(TOOLS)}, got {tool!r}")


def _write(path: Path, document: Any) -> None:
    text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    write_durably(path, text.encode("utf-8"))


def _read(path: Path) -> Any:
    try:
        return strict_json(read_text(path, _EXPORTED))
    except ValueError as error:
        raise SourceError(f"{path}: expected JSON, got {error}; export it again") from error


def _exchange_item(
    workspace: Workspace, review: WorkspaceReview, item: ReviewItem, *, votes: bool
) -> ExchangeItem:
    shown = review.show(item.id)
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
            "findings": findings_text(shown),
            "question": question_text(shown),
            "gold": "\n".join(shown.get("gold", {}).get("values", [])),
            "evidence": evidence_text(shown),
        },
        votes=_votes(workspace, item) if votes else (),
        votes_needed=item.votes_needed,
    )


def _votes(workspace: Workspace, item: ReviewItem) -> list[ExchangeVote]:
    cast = ReviewDesk(workspace.queue.engine).votes(item.id, "", adjudicates=True)
    return [
        ExchangeVote(
            item=item.id,
            reviewer=vote["reviewer"],
            ruling=vote["ruling"],
            reason=vote["reason"],
            wrong_fields=tuple(vote["wrong_fields"].split()),
            comment=vote["comment"],
            seconds=vote["seconds"],
            question=question,
            gold=gold,
        )
        for vote in cast
        if vote["purpose"] == "vote"
        for question, gold in [_vote_edits(workspace, item, vote["edits"])]
    ]


def _vote_edits(
    workspace: Workspace, item: ReviewItem, edits: Iterable[dict[str, Any]]
) -> tuple[str | None, str | None]:
    """What a vote made of the question and its gold answer."""
    for edit in edits:
        if edit["target"] == item.record and item.kind == "question":
            before = workspace.store.get(edit["base_sha256"])
            after = QAItem.model_validate(
                apply_patch(before.model_dump(mode="json"), edit["patch"])
            )
            assert isinstance(before, QAItem)
            asked, gold = after.question.text, "\n".join(after.answer.values)
            return (
                None if asked == before.question.text else asked,
                None if gold == "\n".join(before.answer.values) else gold,
            )
    return None, None


def _apply(workspace: Workspace, read: ReadVotes, desk: ReviewDesk) -> ExchangeReport:
    counts = Counter[str]()
    refused, notes = list(read.refused), list(read.notes)
    for vote in read.votes:
        try:
            became, said = _take(workspace, desk, vote)
            counts[became] += 1
            notes += [f"{vote.head}: {said}"] if said else []
        except LeaseExpired:
            refused.append(
                f"{vote.head}: review item {vote.item}: expected one that needs a vote, got one "
                "whose votes are all in, or in the hands of others"
            )
        except UsageError as error:
            refused.append(f"{vote.head}: {error}")
    return ExchangeReport(
        applied=counts["applied"],
        known=counts["known"],
        refused=sorted(refused, key=natural_key),
        replaced=counts["replaced"],
        notes=sorted(notes, key=natural_key),
    )


def _take(workspace: Workspace, desk: ReviewDesk, vote: ExchangeVote) -> tuple[str, str]:
    """Take a vote, or put it in the place of what it was before; gives which, and what to say.

    Raises:
        UsageError: It cannot be taken.
    """
    item = workspace.queue.item(vote.item)
    cast = votes_cast(desk.engine, item.id)
    before = _vote_before(vote, cast)
    seen = any(one.token == vote.token for one in cast)
    if before is None:
        if seen:
            raise UsageError(f"review item {item.id}: this vote was taken back here; vote here")
        if not vote.ruling:
            return "skipped", "skipped; it has no vote"
        desk.submit(item.id, vote.reviewer, vote.token, _vote(workspace, item, vote))
        return "applied", ""
    source, stays = imported_as(before.token), f"the vote stays {before.ruling}"
    if any(_alike(one, vote, before) for one in _votes(workspace, item)):
        return "known", ""
    if source is None:
        raise UsageError(f"review item {item.id}: they voted here; {stays} until they undo it")
    if not vote.ruling:
        raise UsageError(f"review item {item.id}: skipped after its vote was taken; {stays}")
    if seen or 0 < vote.changed <= source[1]:
        older = f"{vote.ruling}{time_text(vote.changed)}"
        return "known", f"an older answer, {older}; {stays}{time_text(source[1])}"
    ours = _vote(workspace, item, vote)
    replace_vote(desk.engine, item.id, before, vote.token, ours, desk.clock())
    return "replaced", f"changed after its vote was taken; {vote.ruling} replaces {before.ruling}"


def _vote_before(vote: ExchangeVote, cast: Sequence[CastVote]) -> CastVote | None:
    """The vote that the same answer gave before, else that of the same person."""
    live = [one for one in cast if not one.withdrawn]
    same = [
        one for one in live if vote.source and (imported_as(one.token) or "")[:1] == (vote.key,)
    ]
    return next(iter([*same, *(one for one in live if one.reviewer == vote.reviewer)]), None)


def _alike(one: ExchangeVote, other: ExchangeVote, before: CastVote) -> bool:
    if one.reviewer != before.reviewer or one.ruling != other.ruling:
        return False
    edited = {"question": other.question, "answer": other.gold}
    wrong = {name for name, text in edited.items() if text is not None} | {*other.wrong_fields}
    if {*one.wrong_fields} != wrong:
        return False
    texts = (one.comment.strip(), one.question, one.gold)
    if texts != (other.comment.strip(), other.question, other.gold):
        return False
    return one.reason == (other.reason or _usual_reason(other))


def _usual_reason(vote: ExchangeVote) -> ReasonCode:
    """The reason of a vote that gives none."""
    if vote.ruling == Ruling.REJECT:
        return ReasonCode.OTHER
    edited = vote.question is not None or vote.gold is not None
    return ReasonCode.CORRECT_AFTER_EDIT if edited else ReasonCode.CORRECT


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
    reason = ReasonCode(vote.reason or _usual_reason(vote))
    wrong = tuple(map(JudgedField, vote.wrong_fields))
    return Vote(
        Ruling(vote.ruling), reason, vote.comment, changes, vote.seconds, wrong_fields=wrong
    )

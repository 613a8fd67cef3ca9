"""What the review surfaces ask of a workspace: the queue, one item to read, a decision."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import uuid4

from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.annotation.voting.rows import ASSIGNMENT, PROPOSAL
from memassay.flows.edits.history_edits import HistoryEdits
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.engine.covers import shown_states
from memassay.flows.review.assignments import ASK, assignment_of
from memassay.flows.review.scoring import SCORE
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.assignment import Assignment, answer_problem
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import Decision, JudgedField, ReasonCode, Ruling
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation, Turn
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import QAItem

_RIGHT = frozenset({ReasonCode.CORRECT, ReasonCode.CORRECT_AFTER_EDIT})
_MAY_PASS = _RIGHT | {ReasonCode.OTHER}


class WorkspaceReview:
    """The review of one open workspace, as values that can be printed or sent."""

    def __init__(self, workspace: Workspace) -> None:
        """Use an open workspace."""
        self.workspace = workspace

    def open_items(self, stage: str | None = None) -> list[dict[str, Any]]:
        """Items that wait for a decision: errors first, then by record.

        Raises:
            UsageError: No run of the workspace has a stage of this name.
        """
        stages = self.workspace.store.progress().values()
        known = sorted({progress.stage for run in stages for progress in run} | {ASK, SCORE})
        if stage is not None and stage not in known:
            raise UsageError(
                f"gate: expected one of {', '.join(known) or 'none (nothing was run)'}, "
                f"got {stage!r}"
            )
        return [_head(item) for item in self.workspace.queue.items(stage)]

    def show(self, item: str) -> dict[str, Any]:
        """One item with everything a reviewer must see: question, gold, evidence, findings.

        It is named by its id, or by the id of a record that waits.

        Raises:
            UsageError: There is no such item.
        """
        found = self._item(item)
        covered = self.workspace.store.get_all(list(shown_states(found).values()))
        stored = self.workspace.store.get_all(found.findings)
        findings = [record for record in stored if isinstance(record, Finding)]
        return {
            **_head(found),
            "decision": found.decision and found.decision.model_dump(mode="json"),
            "findings": [
                {name: getattr(each, name) for name in ("rule", "severity", "message", "fix")}
                for each in findings
            ],
            **(
                self._proposal(found.id)
                if found.kind == PROPOSAL
                else self._content(found.record, covered)
            ),
        }

    def decide(
        self,
        item: str,
        ruling: str,
        reason: str,
        reviewer: str,
        comment: str,
        answer: str = "",
        *,
        owner: bool = False,
        wrong: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Vote on an item, or decide a disputed one; the same again changes nothing.

        An owner decides a proposed edit of a history by themselves; `wrong` names the parts of a
        question that are wrong.

        Gives the decision, or, while other votes are missing, only the state of the item.

        Raises:
            UsageError: The item does not exist, is stale, was decided otherwise, is somebody
                else's to decide, the reason does not fit the ruling, or the answer will not do.
        """
        chosen, why = Ruling(ruling), ReasonCode(reason)
        if chosen is Ruling.REJECT and why in _RIGHT:
            raise UsageError(
                f"--reason: expected why the record is rejected, got '{why}'; "
                f"choose one of {', '.join(code for code in ReasonCode if code not in _RIGHT)}"
            )
        if chosen is Ruling.ACCEPT and why not in _MAY_PASS:
            raise UsageError(
                f"--reason: expected why the record is accepted, got '{why}'; choose one of "
                f"{', '.join(code for code in ReasonCode if code in _MAY_PASS)}, or reject it"
            )
        found = self._item(item)
        item = found.id
        if found.kind == ASSIGNMENT and chosen is Ruling.ACCEPT:
            problem = answer_problem(assignment_of(self.workspace, found), answer)
            if problem is not None:
                raise UsageError(f"review item {item}: {problem}")
        fields = tuple(field for field in JudgedField if field in wrong)
        wanted = (reviewer, chosen, why, comment, answer, list(fields))
        if found.decision is None or _outcome(found.decision) != wanted:
            vote = Vote(chosen, why, comment, answer=answer, wrong_fields=fields)
            self._vote(found, reviewer, vote, owner=owner and found.kind == PROPOSAL)
            found = self.workspace.queue.item(item)
        if found.decision is None:
            return {"item": item, "state": found.state}
        return {"item": item, "state": found.state, **found.decision.model_dump(mode="json")}

    def make_control(self, item: str) -> None:
        """Show a decided item to others too, to measure them against its decision.

        Raises:
            UsageError: It is not decided.
        """
        ReviewDesk(self.workspace.queue.engine).make_control(item)

    def _item(self, name: str) -> ReviewItem:
        """An item of the queue, by its id or by the record that waits."""
        waiting = [item for item in self.workspace.queue.items() if item.record == name]
        if len(waiting) > 1:
            items = ", ".join(f"{item.id} at gate {item.gate}" for item in waiting)
            raise UsageError(f"review item {name}: expected one, got {items}; name one of them")
        return waiting[0] if waiting else self.workspace.queue.item(name)

    def _vote(self, item: ReviewItem, reviewer: str, vote: Vote, *, owner: bool) -> None:
        desk, token = ReviewDesk(self.workspace.queue.engine), str(uuid4())
        if item.state == "disputed" or owner:
            desk.adjudicate(item.id, reviewer, token, vote, owner=owner)
            return
        if item.state != "open":
            raise UsageError(
                f"review item {item.id}: expected an open item, got a {item.state} one; "
                "`memassay review list` shows what is open"
            )
        desk.open_item(item.id, reviewer)
        try:
            desk.submit(item.id, reviewer, token, vote)
        except UsageError:
            # Nobody waits for a lease of somebody whose vote will not do.
            desk.give_back(item.id, reviewer)
            raise

    def _proposal(self, item: str) -> dict[str, Any]:
        """A proposed edit of a history, with what it would do while it waits; not by whom."""
        editing = HistoryEdits(self.workspace, ReviewEdits(self.workspace))
        proposal, preview = editing.proposal(item)
        found: dict[str, Any] = {"operation": proposal.operation, "comment": proposal.comment}
        if preview is not None:
            found |= {
                "texts": [list(one) for one in preview.texts],
                "moved": [list(one) for one in preview.moved],
                "notes": list(preview.notes),
                "findings": [f"{one.rule}: {one.message}" for one in preview.findings],
                "voids": [asdict(one) for one in preview.voids],
                "made_again": list(preview.stages),
            }
        return {"proposal": found}

    def _content(self, record: str, covered: Sequence[Record]) -> dict[str, Any]:
        task = next((one for one in covered if isinstance(one, Assignment)), None)
        if task is not None:
            hidden = {"candidates": {"__all__": {"author"}}}
            return {"assignment": task.model_dump(mode="json", exclude=hidden)}
        conversation = next((one for one in covered if isinstance(one, Conversation)), None)
        question = next((one for one in covered if isinstance(one, QAItem)), None)
        persona = next((one for one in covered if isinstance(one, Persona)), None)
        if conversation is None and persona is not None:
            return {"timeline": _timeline(persona, covered)}
        if conversation is None:
            raise UsageError(f"{record}: expected its conversation in the queue, got none")
        if question is None:
            return {"conversation": self._outline(conversation)}
        bundle = Bundle(conversation=conversation)
        places = {place: bundle.rounds_of(place) for place in _places(question)}
        shown = {each.id for rounds in places.values() for each in rounds}
        views = self._rounds(conversation, shown)
        return {
            "question": {
                "text": question.question.text,
                "type": str(question.type),
                "benchmark_type": question.benchmark_type,
                "answerable": question.answerable,
                "attachments": self._attachment_views(question.question.attachments),
            },
            "gold": question.answer.model_dump(mode="json", exclude_defaults=True),
            "evidence": [
                {"place": place, "rounds": [views[each.id] for each in rounds]}
                for place, rounds in places.items()
            ],
        }

    def _rounds(self, conversation: Conversation, wanted: Collection[str]) -> dict[str, Any]:
        """Rounds by id, each with its date and, if that is not shown, the turn before it."""
        names = conversation.speaker_names()
        found = {}
        for session in conversation.sessions:
            for at, round_ in enumerate(session.rounds):
                if round_.id in wanted:
                    before = session.rounds[at - 1] if at else round_
                    found[round_.id] = {
                        "id": round_.id,
                        "date": session.date_of(round_),
                        "before": None
                        if before.id in wanted
                        else self._turn(before.turns[-1], names),
                        "turns": [self._turn(turn, names) for turn in round_.turns],
                    }
        return found

    def _turn(self, turn: Turn, names: Mapping[str, str]) -> dict[str, Any]:
        return {
            "id": turn.id,
            "speaker": names.get(turn.speaker, turn.speaker),
            "text": turn.text,
            "attachments": self._attachment_views(turn.attachments),
        }

    def _outline(self, conversation: Conversation) -> dict[str, Any]:
        views = self._rounds(conversation, {each.id for each in conversation.rounds()})
        return {
            "title": conversation.title,
            "speakers": list(conversation.speaker_names().values()),
            "sessions": [
                {
                    "id": session.id,
                    "date": session.date,
                    "rounds": len(session.rounds),
                    "text": [views[each.id] for each in session.rounds],
                }
                for session in conversation.sessions
            ],
        }

    def _attachment_views(self, attachments: Iterable[Attachment]) -> list[dict[str, Any]]:
        return [
            {"id": item.id, "caption": item.caption, **self._sources(item.asset)}
            for item in attachments
        ]

    def _sources(self, asset: str) -> dict[str, str | None]:
        """Where the bytes of an asset can be looked at, and where they came from, if known."""
        found: dict[str, str | None] = {"file": None, "uri": None}
        for record in self.workspace.store.states("asset", asset):
            if isinstance(record, Asset):
                found["uri"] = found["uri"] or record.uri
                if record.availability is Availability.PRESENT and not found["file"]:
                    found["file"] = str(self.workspace.blobs.path(record.blob_sha256 or ""))
        return found


def _outcome(decision: Decision) -> tuple[Any, ...]:
    names = ("reviewer", "ruling", "reason", "comment", "answer", "wrong_fields")
    return tuple(getattr(decision, name) for name in names)


def _head(item: ReviewItem) -> dict[str, Any]:
    return {
        "item": item.id,
        "gate": item.gate,
        "record": item.record,
        "reason": item.reason,
        "rules": list(item.rules),
        "state": item.state,
    }


def _places(question: QAItem) -> list[str]:
    """Every place of the evidence, alternatives included, once, in the order cited."""
    grouped = [place for group in question.evidence.groups for place in group]
    return list(dict.fromkeys([*question.evidence.canonical, *grouped]))


def _timeline(persona: Persona, covered: Sequence[Record]) -> dict[str, Any]:
    names = ("id", "date", "line", "title", "query", "keyword")
    events = [record for record in covered if isinstance(record, TimelineEvent)]
    return {
        "persona": {
            "name": persona.name,
            "profession": persona.profession,
            "core_event": persona.core_event,
        },
        "events": [{name: str(getattr(event, name)) for name in names} for event in events],
    }

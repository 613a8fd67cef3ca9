"""What the review pages are given of a workspace."""

import json
from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import Any, Final

from sqlalchemy import select

from memassay.annotation.pages.content import (
    Content,
    ItemContent,
    ItemHead,
    ProposalContent,
    RebuildCost,
    ReviewContent,
    TimelineContent,
)
from memassay.annotation.voting.queue_reader import QueueReader
from memassay.annotation.voting.rows import ASSIGNMENT, PROPOSAL
from memassay.annotation.voting.shapes import Change
from memassay.flows.edits.history_edits import HistoryEdits
from memassay.flows.edits.rebuild_costs import rebuild_cost
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.edits.written_questions import WrittenQuestions
from memassay.flows.engine.covers import shown_states
from memassay.flows.review.assignment_content import AssignedContent
from memassay.flows.review.clusters import WorkspaceClusters
from memassay.flows.review.released_errata import WorkspaceErrata
from memassay.flows.review.scoring import scores
from memassay.flows.store.tables import RECORDS, reading
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.benchmarks.registry import published_benchmark
from memassay.schemas.benchmarks.shapes import Benchmark
from memassay.schemas.contracts.readings import Answerer
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import QAItem

_BESIDE: Final = DATA_KINDS - {"conversation", "question"}
_KEPT: Final = 32
"""Conversations that are kept parsed."""


class WorkspaceItems:
    """What the items of one open workspace show."""

    def __init__(self, workspace: Workspace, editing: HistoryEdits) -> None:
        """Use an open workspace, and its histories under edits."""
        self.workspace = workspace
        self.queue = QueueReader(workspace.queue.engine)
        self.editing = editing
        self.assigned = AssignedContent(workspace)
        self._bundles: dict[tuple[str, ...], Bundle] = {}

    def content(self, item: str) -> Content:
        """All that is shown of an item.

        Raises:
            UsageError: There is no such item.
        """
        head = self.queue.head(item)
        if head.kind == ASSIGNMENT:
            return self.assigned.content(head)
        if head.kind == PROPOSAL:
            proposal, preview = self.editing.proposal(item)
            return ProposalContent(head, proposal, preview, self.editing.history(item).bundle)
        found = self.workspace.queue.item(item)
        stored = self.workspace.store.get_all(found.findings)
        findings = [one for one in stored if isinstance(one, Finding)]
        hashes = shown_states(found)
        if head.conversation not in hashes:
            covered = self.workspace.store.get_all(list(hashes.values()))
            persona = next((one for one in covered if isinstance(one, Persona)), None)
            if persona is None:
                raise UsageError(f"{head.record}: expected its conversation in the queue, got none")
            events = [one for one in covered if isinstance(one, TimelineEvent)]
            beside = self.workspace.queue.context(found.run, head.gate, head.conversation)
            known = self.workspace.store.get_all(beside)
            facts = [one for one in known if isinstance(one, Fact)]
            return TimelineContent(head, findings, persona, events, facts)
        decided = self.workspace.store.get(hashes[head.record])
        question = decided if isinstance(decided, QAItem) else None
        bundle = self._bundle(found.run, head, hashes)
        if question is not None:
            bundle = bundle.model_copy(update={"questions": [question]})
        return ItemContent(head, findings, bundle, question, self._certificate(question))

    def _bundle(self, run: str, head: ItemHead, hashes: Mapping[str, str]) -> Bundle:
        """A conversation with what belongs to it, as its gate last saw it; kept for the next."""
        beside = self.workspace.queue.context(run, head.gate, head.conversation)
        key = (hashes[head.conversation], *(beside or hashes.values()))
        bundle = self._bundles.get(key)
        if bundle is not None:
            return bundle
        get_all = self.workspace.store.get_all
        records = get_all(beside) if beside else self._latest(head.conversation)
        seen = {one.id: one for one in records if kind_of(one) in _BESIDE}
        seen |= {one.id: one for one in get_all(list(hashes.values()))}
        kept = [one for one in seen.values() if not isinstance(one, QAItem)]
        bundle = self._bundles[key] = Bundle.from_records(kept)
        for old in list(self._bundles)[:-_KEPT]:
            self._bundles.pop(old, None)
        return bundle

    def _latest(self, conversation: str) -> list[Record]:
        """What belongs to a conversation in a workspace that is older than its contexts."""
        query = select(RECORDS.c.kind, RECORDS.c.document).where(
            RECORDS.c.id > f"{conversation}/",
            RECORDS.c.id < f"{conversation}0",
            RECORDS.c.kind.in_(_BESIDE),
        )
        with reading(self.workspace.engine) as connection:
            rows = connection.execute(query.order_by(RECORDS.c.kind, RECORDS.c.id)).all()
        return [parse_record(kind, json.loads(document)) for kind, document in rows]

    def _certificate(self, question: QAItem | None) -> Certificate | None:
        if question is None:
            return None
        query = select(RECORDS.c.document).where(
            RECORDS.c.kind == "certificate",
            RECORDS.c.id > f"{question.conversation}/",
            RECORDS.c.id < f"{question.conversation}0",
        )
        asked = content_hash(question)
        with reading(self.workspace.engine) as connection:
            for document in connection.execute(query).scalars():
                if asked in document:
                    return Certificate.model_validate_json(document)
        return None

    def history(self, item: str) -> ItemContent:
        """What an item shows of a conversation.

        Raises:
            UsageError: It has none yet.
        """
        content = self.content(item)
        if isinstance(content, TimelineContent):
            raise UsageError(f"{content.head.record}: expected an item with a conversation")
        return content if isinstance(content, ItemContent) else content.history()

    def image_bytes(self, item: str, part: int) -> tuple[bytes, str]:
        """Bytes and media type of an image that an assignment shows, by its 0-based place.

        Raises:
            UsageError: It shows none there.
        """
        return self.assigned.image_bytes(self.queue.head(item), part)

    def image(self, item: str, attachment: str) -> tuple[bytes, str]:
        """Bytes and media type of an attachment of an item's conversation or question.

        Raises:
            UsageError: The item shows no such attachment, or there are no bytes.
        """
        content = self.history(item)
        shown = [one for turn in content.bundle.conversation.turns() for one in turn.attachments]
        shown += content.question.question.attachments if content.question else []
        asset = next((one.asset for one in shown if one.id == attachment), None)
        record: Asset | None = content.bundle.asset_by_id.get(asset or "")
        if record is None or record.availability is not Availability.PRESENT:
            raise UsageError(f"review item {item}: expected an image it shows, got {attachment!r}")
        return self.workspace.blobs.get(record.blob_sha256 or ""), record.media_type or "image/png"


class WorkspaceQuestionEdits:
    """Edits of the questions that items of one open workspace are about."""

    def __init__(self, items: WorkspaceItems, edits: ReviewEdits) -> None:
        """Use what items show, and edits of records."""
        self.items = items
        self.edits = edits

    def change(self, item: str, patch: Sequence[Mapping[str, Any]]) -> Change:
        """The edit that a patch of an item's question is.

        Raises:
            UsageError: The item is no question, the patch makes none of it, or a rule finds an
                error in what it makes.
        """
        name, document = self._apply_patch(item, patch)
        return self.edits.change(item, name, document)

    def problems(
        self, item: str, patch: Sequence[Mapping[str, Any]]
    ) -> tuple[Sequence[Finding], Sequence[str]]:
        """What the rules say of a question with a patch, and the stages that it makes stale.

        Raises:
            UsageError: The item is no question, or the patch makes none of it.
        """
        preview = self.edits.preview(item, *self._apply_patch(item, patch))
        return preview.findings, list(dict(preview.stale))

    def rebuild_cost(self, item: str, stages: Sequence[str]) -> RebuildCost:
        """What making stages again will likely cost, for an item's conversation.

        Raises:
            UsageError: There is no such item.
        """
        shard = self.items.queue.head(item).conversation
        return rebuild_cost(self.edits.workspace.engine, [(stage, shard) for stage in stages])

    def _apply_patch(
        self, item: str, patch: Sequence[Mapping[str, Any]]
    ) -> tuple[str, dict[str, Any]]:
        from jsonpatch import JsonPatch, JsonPatchException, JsonPointerException

        question = self.items.history(item).question
        if question is None:
            raise UsageError(f"review item {item}: expected a question to edit")
        steps = JsonPatch([dict(one) for one in patch])
        try:
            return question.id, dict(steps.apply(question.model_dump(mode="json")))
        except (JsonPatchException, JsonPointerException) as error:
            raise UsageError(f"{question.id}: the edit does not fit the question") from error


def review_content(
    workspace: Workspace,
    answerer: Answerer | None = None,
    benchmark: Callable[[str], Benchmark] = published_benchmark,
) -> ReviewContent:
    """What is behind the review pages of an open workspace.

    Args:
        workspace: The workspace.
        answerer: Who answers the probes of questions that people write; None for nobody.
        benchmark: By the name of a collection, what its questions are.
    """
    edits = ReviewEdits(workspace)
    editing = HistoryEdits(workspace, edits)
    items = WorkspaceItems(workspace, editing)
    return ReviewContent(
        queue=items.queue,
        items=items,
        edits=WorkspaceQuestionEdits(items, edits),
        editing=editing,
        writing=WrittenQuestions(edits, answerer),
        types=lambda collection: benchmark(collection).types,
        scores=lambda: scores(workspace),
        clusters=WorkspaceClusters(workspace),
        errata=WorkspaceErrata(workspace),
    )


def warm(content: ReviewContent, stopped: Event) -> None:
    """Parse the conversations in review, so that the first to open an item need not wait.

    Args:
        content: What the pages show.
        stopped: Set when nobody will open an item any more.
    """
    for _, item in content.queue.histories()[:_KEPT]:
        if stopped.is_set():
            return
        content.items.content(item)

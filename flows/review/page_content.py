"""What the review pages are given of a workspace."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select, tuple_

from memassay.annotation.pages.content import (
    Content,
    ItemContent,
    ItemHead,
    ProposalContent,
    RebuildCost,
    TimelineContent,
)
from memassay.annotation.storage.tables import ITEMS
from memassay.annotation.voting.rows import ASSIGNMENT, PROPOSAL
from memassay.annotation.voting.shapes import Change
from memassay.annotation.voting.statements import HEAD
from memassay.flows.edits.history_edits import HistoryEdits
from memassay.flows.edits.rebuild_costs import rebuild_cost
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.edits.written_questions import WrittenQuestions
from memassay.flows.engine.covers import shown_states
from memassay.flows.review.assignment_content import AssignedContent
from memassay.flows.review.scoring import scores
from memassay.flows.store.tables import RECORDS, reading
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Answerer
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import QAItem

_FILTERS: Final = ("gate", "reason", "severity", "kind", "type", "conversation", "state")
_FACETS: Final = ("reason", "gate", "type", "severity", "conversation")
_BESIDE: Final = ("fact", "mention", "event", "persona", "asset")
_KEPT: Final = 32
"""Conversations that are kept parsed."""
_FACET_SECONDS: Final = 30.0


class WorkspaceContent:
    """The content of one open workspace, by item."""

    def __init__(self, workspace: Workspace, answerer: Answerer | None = None) -> None:
        """Use an open workspace, and who answers the probes of questions that people write."""
        self.workspace = workspace
        self.edits = ReviewEdits(workspace)
        self.writing = WrittenQuestions(self.edits, answerer)
        self.editing = HistoryEdits(workspace, self.edits)
        self.assigned = AssignedContent(workspace)
        self._bundles: dict[tuple[str, ...], Bundle] = {}
        self._facets: dict[str, tuple[float, dict[str, list[str]]]] = {}

    def page(
        self, filters: Mapping[str, str], after: tuple[int, int], limit: int
    ) -> Sequence[ItemHead]:
        """Rows in the order of the queue, from behind a priority and position on."""
        wanted = [ITEMS.c[name] == filters[name] for name in _FILTERS if filters.get(name)]
        place = tuple_(ITEMS.c.priority, ITEMS.c.position)
        query = (
            select(ITEMS)
            .where(place > tuple_(*after), *wanted)
            .order_by(ITEMS.c.priority, ITEMS.c.position)
            .limit(limit)
        )
        with reading(self.workspace.queue.engine) as connection:
            return [_head(row) for row in connection.execute(query)]

    def facets(self, state: str) -> Mapping[str, Sequence[str]]:
        """By filter, the values that items of a state have; as of half a minute ago at most."""
        known = self._facets.get(state)
        if known is not None and time.monotonic() - known[0] < _FACET_SECONDS:
            return known[1]
        found: dict[str, list[str]] = {}
        with reading(self.workspace.queue.engine) as connection:
            for name in _FACETS:
                query = select(ITEMS.c[name]).where(ITEMS.c.state == state).distinct()
                found[name] = sorted(value for value in connection.execute(query).scalars())
        self._facets[state] = (time.monotonic(), found)
        return found

    def counts(self) -> Mapping[str, int]:
        """Items by state; stale ones are nobody's."""
        query = select(ITEMS.c.state, func.count()).where(ITEMS.c.state != "stale")
        with reading(self.workspace.queue.engine) as connection:
            rows = connection.execute(query.group_by(ITEMS.c.state))
            return {str(state): int(number) for state, number in rows}

    def head(self, item: str) -> ItemHead:
        """The row of an item.

        Raises:
            UsageError: There is no such item.
        """
        with reading(self.workspace.queue.engine) as connection:
            row = connection.execute(HEAD, {"of_item": item}).one_or_none()
        if row is None:
            raise UsageError(f"review item {item!r}: not in the queue; see what is open at /")
        return _head(row)

    def content(self, item: str) -> Content:
        """All that is shown of an item.

        Raises:
            UsageError: There is no such item.
        """
        head = self.head(item)
        if head.kind == ASSIGNMENT:
            return self.assigned.content(head)
        if head.kind == PROPOSAL:
            proposal, preview = self.editing.proposed(item)
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

    def warm(self) -> None:
        """Parse the conversations in review, so that the first to open an item need not wait."""
        for _, item in self.histories()[:_KEPT]:
            self.content(item)

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

    def _history(self, item: str) -> ItemContent:
        content = self.content(item)
        if isinstance(content, TimelineContent):
            raise UsageError(f"{content.head.record}: expected an item with a conversation")
        return content if isinstance(content, ItemContent) else content.history()

    def shown(self, item: str, part: int) -> tuple[bytes, str]:
        """Bytes and media type of an image that an assignment shows, by its 0-based place.

        Raises:
            UsageError: It shows none there.
        """
        return self.assigned.shown(self.head(item), part)

    def image(self, item: str, attachment: str) -> tuple[bytes, str]:
        """Bytes and media type of an attachment of an item's conversation or question.

        Raises:
            UsageError: The item shows no such attachment, or there are no bytes.
        """
        content = self._history(item)
        shown = [one for turn in content.bundle.conversation.turns() for one in turn.attachments]
        shown += content.question.question.attachments if content.question else []
        asset = next((one.asset for one in shown if one.id == attachment), None)
        record: Asset | None = content.bundle.asset_by_id.get(asset or "")
        if record is None or record.availability is not Availability.PRESENT:
            raise UsageError(f"review item {item}: expected an image it shows, got {attachment!r}")
        return self.workspace.blobs.get(record.blob_sha256 or ""), record.media_type or "image/png"

    def histories(self) -> Sequence[tuple[str, str]]:
        """Conversations in review, each with an item through which it can be read."""
        query = select(ITEMS.c.conversation, func.min(ITEMS.c.id)).where(
            ITEMS.c.state != "stale", ITEMS.c.kind.in_(("question", "conversation"))
        )
        grouped = query.group_by(ITEMS.c.conversation).order_by(ITEMS.c.conversation)
        with reading(self.workspace.queue.engine) as connection:
            return [(name, item) for name, item in connection.execute(grouped)]

    def scores(self) -> Sequence[Mapping[str, Any]]:
        """What people scored, by release, reader and scale, and how far judges agree with them."""
        return scores(self.workspace)

    def change(self, item: str, patch: Sequence[Mapping[str, Any]]) -> Change:
        """The edit that a patch of an item's question is.

        Raises:
            UsageError: The item is no question, the patch makes none of it, or a rule finds an
                error in what it makes.
        """
        name, document = self._patched(item, patch)
        return self.edits.change(item, name, document)

    def problems(
        self, item: str, patch: Sequence[Mapping[str, Any]]
    ) -> tuple[Sequence[Finding], Sequence[str]]:
        """What the rules say of a question with a patch, and the stages that it makes stale.

        Raises:
            UsageError: The item is no question, or the patch makes none of it.
        """
        from memassay.validators.check import RULES, check_conversation

        name, document = self._patched(item, patch)
        content = self._history(item)
        rules = [rule for rule in RULES if rule.applies is not None]
        # While somebody types, the question is checked by itself; saved, all that it touches is.
        edited = parse_record("question", document)
        bundle = content.bundle.model_copy(update={"questions": [edited]})
        found = check_conversation(bundle, RuleContext(blobs=self.workspace.blobs), rules)
        run = self.workspace.queue.item(item).run
        stale = self.edits.stale(run, content.head.gate, name)
        return [one for one in found if one.target == name], list(dict(stale))

    def rebuild_cost(self, item: str, stages: Sequence[str]) -> RebuildCost:
        """What making stages anew will likely cost, for an item's conversation.

        Raises:
            UsageError: There is no such item.
        """
        shard = self.head(item).conversation
        return rebuild_cost(self.workspace.engine, [(stage, shard) for stage in stages])

    def _patched(self, item: str, patch: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
        from jsonpatch import JsonPatch, JsonPatchException, JsonPointerException

        question = self._history(item).question
        if question is None:
            raise UsageError(f"review item {item}: expected a question to edit")
        steps = JsonPatch([dict(one) for one in patch])
        try:
            return question.id, dict(steps.apply(question.model_dump(mode="json")))
        except (JsonPatchException, JsonPointerException) as error:
            raise UsageError(f"{question.id}: the edit does not fit the question") from error


def _head(row: Any) -> ItemHead:
    return ItemHead(
        item=row.id,
        gate=row.gate,
        record=row.record,
        reason=row.reason,
        rules=tuple(json.loads(row.rules)),
        severity=row.severity,
        type=row.type,
        conversation=row.conversation,
        kind=row.kind,
        state=row.state,
        priority=row.priority,
        position=row.position,
    )

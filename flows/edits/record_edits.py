"""What people change or write, checked before it is kept: shape, rules, and what it makes stale."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from sqlalchemy import select

from memassay.annotation.voting.edit_log import EditLog, contribution
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.annotation.voting.shapes import Change
from memassay.flows.edits.edit_checks import EditChecks
from memassay.flows.engine.covers import shown_states
from memassay.flows.engine.edit_layers import apply_patch
from memassay.flows.engine.gates import assets_seen
from memassay.flows.store.tables import RUNS, UNITS, reading
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import CoveredRecord, Edit
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import ItemOrigin, QAItem

VALIDATE: Final = "validate"
"""The stage that checks what the stages before it made."""


@dataclass(frozen=True)
class Preview:
    """What an edit would do.

    Attributes:
        change: The edit.
        findings: What the rules say about the record then, and what is new elsewhere.
        stale: Units that are made again, as (stage, shard).
    """

    change: Change
    findings: list[Finding]
    stale: list[tuple[str, str]]

    @property
    def errors(self) -> list[Finding]:
        """What blocks it."""
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]


@dataclass(frozen=True)
class DraftedQuestion:
    """A question that a person wrote and that no rule finds an error in; not kept yet.

    Attributes:
        run: Name of the run it is for.
        question: The question.
        bundle: Its conversation, with it.
        findings: What the rules say of it, and what is new about others.
        assets: Images of its own.
    """

    run: str
    question: QAItem
    bundle: Bundle
    findings: Sequence[Finding]
    assets: Sequence[Asset]


@dataclass
class ReviewEdits:
    """Edits and contributions to one open workspace.

    Attributes:
        workspace: The workspace.
        clock: Seconds since 1970.
    """

    workspace: Workspace
    clock: Callable[[], float] = time.time

    @cached_property
    def checks(self) -> EditChecks:
        """The rules, with what they found before."""
        return EditChecks(self.workspace.blobs)

    def records(self, item: str) -> list[Record]:
        """All that belongs to an item's conversation, as its gate last saw it.

        Raises:
            UsageError: There is no such item.
        """
        return self._records(self.workspace.queue.item(item))

    def change(self, item: str, target: str, document: Mapping[str, Any]) -> Change:
        """The edit that turns a record of an item's conversation into a document.

        Raises:
            UsageError: The record is not shown with the item, nothing was changed, the document
                does not fit its schema, or a rule finds an error in it.
        """
        preview = self.preview(item, target, document)
        if preview.errors:
            first = preview.errors[0]
            more = f" (and {len(preview.errors) - 1} more)" if len(preview.errors) > 1 else ""
            raise UsageError(f"{first.message}{more}; {first.fix}")
        return preview.change

    def preview(self, item: str, target: str, document: Mapping[str, Any]) -> Preview:
        """What turning a record of an item's conversation into a document would do.

        Raises:
            UsageError: The record is not shown with the item, nothing was changed, or the
                document does not fit its schema.
        """
        import jsonpatch

        found = self.workspace.queue.item(item)
        records = self._records(found)
        before = next((one for one in records if one.id == target), None)
        if before is None:
            raise UsageError(f"review item {item}: expected a record it shows, got {target!r}")
        kind = kind_of(before)
        base = before.model_dump(mode="json")
        after = self._parse(kind, {**document, "id": target})
        patch = jsonpatch.make_patch(base, after.model_dump(mode="json")).patch
        if not patch:
            raise UsageError(f"{target}: expected a change, got the record as it is")
        # What is stored is what the patch gives, to the letter.
        assert content_hash(apply_patch(base, patch)) == content_hash(after)
        change = Change(target, kind, content_hash(before), content_hash(after), patch)
        findings = self._findings(records, after)
        return Preview(change, findings, self.stale(found.run, found.gate, target))

    def draft(
        self,
        run: str,
        conversation: str,
        document: Mapping[str, Any],
        assets: Sequence[Asset] = (),
    ) -> "DraftedQuestion":
        """A question that a person wrote, with all that the rules say of it; nothing is kept.

        Args:
            run: Name of the run it is for.
            conversation: Id of the conversation it asks about.
            document: The question without `id`, `conversation` and `origin`.
            assets: Images of their own that it shows.

        Raises:
            UsageError: The conversation is not known at any gate of the run, the question does
                not fit its schema, or a rule finds an error in it.
        """
        known = {one.id: one for one in (*self._records_in_review(run, conversation), *assets)}
        records = list(known.values())
        own = {name: document[name] for name in document if name not in ("id", "origin")}
        local = f"P{content_hash(own)[:12]}"
        named = {
            **own,
            "id": f"{conversation}/{local}",
            "conversation": conversation,
            "origin": str(ItemOrigin.PERSON),
        }
        question = self._parse("question", named)
        assert isinstance(question, QAItem)
        findings = self._findings(records, question)
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        if errors:
            raise UsageError(f"{errors[0].message}; {errors[0].fix}")
        bundle = Bundle.from_records([*records, question])
        return DraftedQuestion(run, question, bundle, findings, assets)

    def new_question(
        self,
        drafted: "DraftedQuestion",
        reviewer: str,
        comment: str = "",
        certificate: Certificate | None = None,
    ) -> Edit:
        """Keep a question that a person wrote; it joins the machine's own, before any check.

        Args:
            drafted: The question.
            reviewer: Who wrote it.
            comment: In their words.
            certificate: What probes of it gave; the assay takes that over.
        """
        question, run = drafted.question, drafted.run
        beside = [question.conversation, *assets_seen(drafted.bundle, question.id)]
        states = {one.id: content_hash(one) for one in drafted.bundle.records()}
        covers = [CoveredRecord(id=one, sha256=states[one]) for one in beside if one in states]
        maker, log = self._last_maker(run), EditLog(self.workspace.queue.engine)
        own: list[tuple[str, Record]] = [("asset", one) for one in drafted.assets]
        own += [("certificate", certificate)] if certificate is not None else []
        for kind, record in own:
            shown = record.model_dump(mode="json")
            part = contribution(maker, kind, shown, (), reviewer, comment)
            log.contribute(run, part, self.clock())
        document = question.model_dump(mode="json")
        edit = contribution(maker, "question", document, covers, reviewer, comment)
        log.contribute(run, edit, self.clock())
        return edit

    def stale(self, run: str, gate: str, target: str) -> list[tuple[str, str]]:
        """Units of a run, as (stage, shard), that an edit of a record makes stale.

        Those of its conversation, and those of all conversations, in every stage behind the gate.
        """
        conversation = conversation_of(target)
        stages = select(RUNS.c.stage, RUNS.c.position).where(RUNS.c.recipe == run)
        with reading(self.workspace.engine) as connection:
            order = connection.execute(stages.order_by(RUNS.c.position)).all()
            at = next((row.position for row in order if row.stage == gate), -1)
            later = [row.stage for row in order if row.position > at]
            known = (
                select(UNITS.c.stage, UNITS.c.shard)
                .where(UNITS.c.stage.in_(later), UNITS.c.shard.in_([conversation, "*"]))
                .distinct()
            )
            units = {tuple(row) for row in connection.execute(known)}
        return [
            (stage, shard)
            for stage in later
            for shard in (conversation, "*")
            if (stage, shard) in units
        ]

    def _last_maker(self, run: str) -> str:
        """The stage of a run that makes questions: the last one before the rules look at them."""
        order = [reached.stage for reached in self.workspace.store.progress().get(run, [])]
        if VALIDATE in order:
            order = order[: order.index(VALIDATE)]
        if not order:
            raise UsageError(f"run: expected one with a stage that makes questions, got {run!r}")
        return order[-1]

    def _parse(self, kind: str, document: Mapping[str, Any]) -> Record:
        try:
            return parse_record(kind, dict(document))
        except RecordError as error:
            raise UsageError(str(error)) from error

    def _records(self, item: ReviewItem) -> list[Record]:
        conversation = conversation_of(item.record)
        hashes = self.workspace.queue.context(item.run, item.gate, conversation)
        seen = {one.id: one for one in self.workspace.store.get_all(hashes)}
        covered = self.workspace.store.get_all(list(shown_states(item).values()))
        seen |= {one.id: one for one in covered}
        return [one for one in seen.values() if kind_of(one) in DATA_KINDS]

    def _records_in_review(self, run: str, conversation: str) -> list[Record]:
        queue = self.workspace.queue
        gates = [gate for of, gate, about in queue.contexts() if (of, about) == (run, conversation)]
        for gate in gates:
            records = self.workspace.store.get_all(queue.context(run, gate, conversation))
            if any(isinstance(one, Conversation) for one in records):
                return records
        raise UsageError(
            f"{conversation}: expected a conversation with items in review in run {run!r}, got none"
        )

    def _findings(self, records: Sequence[Record], edited: Record) -> list[Finding]:
        kept = [one for one in records if one.id != edited.id]
        return self.checks.findings(records, [*kept, edited], edited.id)

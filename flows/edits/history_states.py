"""Histories under edits: as they are at the next run, from what a gate saw and what is valid."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memassay.annotation.pages.history_content import HistoryRecord, KeptChange
from memassay.annotation.voting.edit_log import NOTHING, EditLog
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.flows.engine.covers import shown_states
from memassay.flows.engine.edit_layers import Key, apply_patch, key_of, lay_in_order
from memassay.flows.store.records import Store
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.hashing import combined_hash, content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.review import Edit
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation

_KEPT: Final = 8
"""Histories that are kept parsed."""


class _Records:
    """Records in memory, under edits."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.now: dict[Key, Record] = {(kind_of(one), one.id): one for one in records}

    def state(self, key: Key, *, before: bool = False) -> str:
        """Content hash of a record; that of `null` for one that is not there."""
        del before
        return content_hash(self.now[key]) if key in self.now else NOTHING

    def lay(self, edit: Edit) -> None:
        """Put what an edit makes of its record in the record's place."""
        key = key_of(edit)
        known = self.now.pop(key, None)
        document = apply_patch(known and known.model_dump(mode="json"), edit.patch)
        if document is not None:
            self.now[key] = parse_record(edit.kind, document)

    def unlay(self, edits: Sequence[Edit], store: Store) -> None:
        """Undo a set of edits that a run has applied and that was taken back since."""
        bases: dict[Key, Record | None] = {}
        for edit in edits:
            key = key_of(edit)
            try:
                base = None if edit.base_sha256 == NOTHING else store.get(edit.base_sha256)
            except RecordError:  # a state between two changes that no run has seen
                return
            after = apply_patch(base and base.model_dump(mode="json"), edit.patch)
            if self.state(key) == content_hash(after):
                bases[key] = base
        if any(kind == "conversation" for kind, _ in bases):
            for key, base in bases.items():
                self.now.pop(key, None)
                if base is not None:
                    self.now[key] = base


@dataclass
class HistoryStates:
    """The histories of one open workspace, as they are at the next run.

    Attributes:
        workspace: The workspace.
    """

    workspace: Workspace
    _known: dict[str, HistoryRecord] = field(default_factory=dict)

    def of(self, found: ReviewItem) -> HistoryRecord:
        """The history of an item's conversation.

        Raises:
            UsageError: It has none yet.
        """
        queue, about = self.workspace.queue, conversation_of(found.record)
        hashes = queue.context(found.run, found.gate, about)
        hashes = hashes or list(shown_states(found).values())
        log = EditLog(queue.engine)
        standing = [
            edit
            for run, edit in log.active()
            if conversation_of(edit.target) == about
            and edit.kind in DATA_KINDS
            and (run == found.run or edit.change_set or edit.base_sha256 != NOTHING)
        ]
        withdrawn = list(log.withdrawn_sets(about).values())
        known = [*standing, *(edit for edits in withdrawn for edit in edits)]
        parts = [content_hash(edit) for edit in known]
        key = combined_hash([*hashes, content_hash(len(standing)), *parts])
        if key not in self._known:
            self._known[key] = self._apply_sets(about, hashes, standing, withdrawn)
            for old in list(self._known)[:-_KEPT]:
                self._known.pop(old, None)
        return self._known[key]

    def _apply_sets(
        self,
        about: str,
        hashes: Sequence[str],
        standing: Sequence[Edit],
        withdrawn: Sequence[Sequence[Edit]],
    ) -> HistoryRecord:
        stored = self.workspace.store.get_all(hashes)
        sheet = _Records([one for one in stored if kind_of(one) in DATA_KINDS])
        for edits in reversed(withdrawn):
            sheet.unlay(edits, self.workspace.store)
        lay_in_order(standing, sheet)
        if not any(isinstance(one, Conversation) for one in sheet.now.values()):
            raise UsageError(f"{about}: a timeline has no history yet; it is written at a run")
        bundle = Bundle.from_records(sheet.now.values())
        sets: dict[str, list[Edit]] = {}
        for edit in standing:
            if edit.change_set is not None:
                sets.setdefault(edit.change_set, []).append(edit)
        changes = [
            KeptChange(name, own[0].reviewer, own[0].comment, len(own))
            for name, own in sets.items()
        ]
        # The changes count too: changed back, a history is as it was, but not at its beginning.
        states = [content_hash(one) for one in bundle.records()]
        return HistoryRecord(bundle, combined_hash([*states, content_hash(list(sets))]), changes)

"""Edits of people, applied to the stream where the records they change come in.

An edit holds for one state of one record. Where a stage makes that state, the edited one goes on
in its place, and what reads it is made again, for its inputs have changed; nothing else is. A set
of edits, as a change of a history is, is applied where its conversation is made, to what that
stage made and to what came before it; one that leaves nothing takes its record away. At the
gate where an edit was made, one whose base is no longer made asks people again. Records that
people wrote join after the stage whose gate they were written at.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memassay.annotation.voting.edit_log import NOTHING, EditLog
from memassay.flows.engine.audits import Audit, findings_of
from memassay.flows.engine.edit_layers import Key, apply_patch, key_of, lay_in_order
from memassay.flows.engine.edit_rules import base_changed, kept_of_gone, target_gone
from memassay.flows.store.records import Store
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Header
from memassay.schemas.contracts.protocols import Stage, StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import Edit, HeldOut
from memassay.schemas.kinds import DATA_KINDS, kind_of


@dataclass
class Overlays:
    """The edits that one run meets.

    Attributes:
        workspace: Where edits and records are.
        run: Name under which the workspace knows the run.
        used: Ids of the edits that were applied so far.
        sets: Names of the sets of edits that were applied so far.
        writers: Who wrote a record, by its id.
    """

    workspace: Workspace
    run: str
    used: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)
    writers: dict[str, str] = field(default_factory=dict)

    def lay(
        self,
        stage: Stage,
        made: Sequence[Header],
        stream: Mapping[str, Header],
        audit: "Recheck | None",
    ) -> list[Header]:
        """What a stage made, with edits applied to it and what people wrote beside it.

        Raises:
            RecordError: An edit does not apply to the state that it was made for.
        """
        edits = self._edits()
        if not edits:
            return list(made)
        sheet = _Headers(self.workspace.store, made, stream)
        standing = [self._standing(edit) for _, edit in edits if not self._is_there(edit)]
        used, sets = lay_in_order(standing, sheet)
        self.used |= used
        self.sets |= sets
        edited = sheet.headers()
        conversations = {h.id: h for h in (*stream.values(), *edited) if h.kind == "conversation"}
        written = self._written_records(
            stage, [edit for run, edit in edits if run == self.run], conversations
        )
        result = [*edited, *written]
        if audit is not None and sheet.changed:
            touched = {conversation_of(name) for _, name in sheet.changed}
            result = self._recheck(audit, result, touched)
        return [*result, *self._provenance(stage, sheet.changed.values(), written)]

    def _is_there(self, edit: Edit) -> bool:
        """Whether an edit makes a record that joins by itself, or joined with its set before."""
        return edit.base_sha256 == NOTHING and (edit.change_set is None or edit.id in self.used)

    def _standing(self, edit: Edit) -> Edit:
        """An edit, by itself if the rest of its set is applied: its record was not made yet."""
        if edit.change_set in self.sets:
            return edit.model_copy(update={"change_set": None})
        return edit

    def waiting(self, stage: Stage, stream: Mapping[str, Header]) -> list[Header]:
        """Findings about edits made at this stage's gate whose base is no longer made.

        An edit whose record is gone is kept beside them, whole, as held out.
        """
        latest: dict[str, Edit] = {}
        for run, edit in self._edits():
            # Of a set that could not be applied its conversation asks, and no other record.
            alone = edit.change_set is None or edit.change_set in self.sets
            if run == self.run and (alone or edit.kind == "conversation"):
                latest[edit.target] = edit
        here = {header.id for header in stream.values() if header.kind in DATA_KINDS}
        pending = [
            edit
            for _, edit in sorted(latest.items(), key=lambda pair: natural_key(pair[0]))
            if edit.gate == stage.name and edit.id not in self.used
        ]
        records: list[Record] = [base_changed(edit) for edit in pending if edit.target in here]
        gone = [edit for edit in pending if edit.target not in here]
        held = self._held_ids(stream) if gone else set()
        for edit in gone:
            if not held & {edit.target, conversation_of(edit.target)}:
                records += [target_gone(edit), kept_of_gone(stage.name, edit)]
        return self.workspace.store.headers(self.workspace.store.put_all(records))

    def _held_ids(self, stream: Mapping[str, Header]) -> set[str]:
        """Ids of the records that a gate has held out."""
        hashes = [header.sha256 for header in stream.values() if header.kind == "held_out"]
        held = self.workspace.store.get_all(hashes)
        return {one.record for one in held if isinstance(one, HeldOut)}

    def _edits(self) -> list[tuple[str, Edit]]:
        return EditLog(self.workspace.queue.engine).active()

    def _apply_edits(self, header: Header, edits: Sequence[Edit]) -> Header:
        """A record that a person wrote, with every edit of its states applied to it."""
        sheet = _Headers(self.workspace.store, [header], {})
        used, _ = lay_in_order([edit for edit in edits if edit.change_set is None], sheet)
        self.used |= used
        return sheet.headers()[0]

    def _written_records(
        self, stage: Stage, edits: Iterable[Edit], conversations: Mapping[str, Header]
    ) -> list[Header]:
        """Records that people wrote for conversations that are there."""
        written: dict[str, Header] = {}
        rest: dict[str, list[Edit]] = {}
        for edit in edits:
            rest.setdefault(edit.target, []).append(edit)
        for target, own in rest.items():
            first = next((edit for edit in own if _is_whole(edit)), None)
            if (
                first is None
                or first.gate != stage.name
                or conversation_of(target) not in conversations
            ):
                continue
            self.used.add(first.id)
            self.writers[target] = first.reviewer
            made = _put_record(self.workspace.store, first.kind, apply_patch(None, first.patch))
            later = [self._standing(edit) for edit in own if not _is_whole(edit)]
            written[target] = self._apply_edits(made, later)
        return list(written.values())

    def _recheck(
        self, audit: "Recheck", headers: Sequence[Header], conversations: Iterable[str]
    ) -> list[Header]:
        """What the audit of a stage says now of the conversations that people changed."""
        rules = {rule.id for rule in audit.audit.rules}
        store = self.workspace.store
        old = [header for header in headers if header.kind == "finding"]
        findings = store.get_all([header.sha256 for header in old])
        touched = set(conversations)
        gone = {
            header.sha256
            for header, finding in zip(old, findings, strict=True)
            if isinstance(finding, Finding)
            and finding.rule in rules
            and header.conversation in touched
        }
        findings_now: list[Record] = []
        for conversation in sorted(touched, key=natural_key):
            own = [h for h in headers if h.conversation == conversation and h.kind in DATA_KINDS]
            records = store.get_all([header.sha256 for header in own])
            again = {(h.kind, h.id) for h in own}
            before = store.get_all(audit.inputs.get(conversation, []))
            given = [one for one in before if (kind_of(one), one.id) not in again]
            findings_now += findings_of(audit.audit, given, records, audit.context(conversation))
        kept = [header for header in headers if header.sha256 not in gone]
        return [*kept, *store.headers(store.put_all(findings_now))]

    def _provenance(
        self, stage: Stage, changed: Iterable["Change"], written: Sequence[Header]
    ) -> list[Header]:
        """Who changed, wrote or took away what, by conversation."""
        made: dict[str, list[Change]] = {}
        for before, after in [*changed, *((None, one) for one in written)]:
            known = after or before
            if known is not None:
                made.setdefault(known.conversation, []).append((before, after))
        people = {edit.target: edit.reviewer for _, edit in self._edits()}
        records = [
            Provenance(
                id=f"{conversation}/{stage.name}-edits",
                made=sorted(after.sha256 for _, after in own if after is not None),
                stage=stage.name,
                stage_version=stage.version,
                config_sha256=content_hash(stage.config),
                parents=sorted(before.sha256 for before, _ in own if before is not None),
                author=", ".join(sorted({people[one.id] for pair in own for one in pair if one})),
            )
            for conversation, own in sorted(made.items())
        ]
        return self.workspace.store.headers(self.workspace.store.put_all(records))


Change = tuple[Header | None, Header | None]
"""A record before and after; None where there was, or is, none."""


class _Headers:
    """What a stage made, and what came before it, under edits."""

    def __init__(self, store: Store, made: Sequence[Header], stream: Mapping[str, Header]) -> None:
        """Take what a stage made, and what the stages before it did."""
        self.store = store
        self.made: dict[Key, Header] = {}
        self.beside = {(one.kind, one.id): one for one in stream.values()}
        self.rest: list[Header] = []
        self.changed: dict[Key, Change] = {}
        for one in made:
            # Made twice, a record is refused by the engine; here it must not get lost.
            if one.kind in DATA_KINDS and (one.kind, one.id) not in self.made:
                self.made[one.kind, one.id] = one
            else:
                self.rest.append(one)

    def state(self, key: Key, *, before: bool = False) -> str:
        """Content hash of a record; that of `null` for one that is not there."""
        found = self._now(key, before=before)
        return NOTHING if found is None else found.sha256

    def _now(self, key: Key, *, before: bool) -> Header | None:
        return self.made.get(key) or (self.beside.get(key) if before else None)

    def lay(self, edit: Edit) -> None:
        """Put what an edit makes of its record in the record's place."""
        key = key_of(edit)
        header = self._now(key, before=True)
        base = None if header is None else self.store.get(header.sha256).model_dump(mode="json")
        document = apply_patch(base, edit.patch)
        first = self.changed[key][0] if key in self.changed else header
        after = None if document is None else _put_record(self.store, edit.kind, document)
        self.made.pop(key, None)
        if after is not None:
            self.made[key] = after
        self.changed[key] = (first, after)
        if first == after:
            del self.changed[key]

    def headers(self) -> list[Header]:
        """What the stage made, as edits have left it."""
        return [*self.made.values(), *self.rest]


def _put_record(store: Store, kind: str, document: Any) -> Header:
    return store.headers([store.put(parse_record(kind, document))])[0]


def _is_whole(edit: Edit) -> bool:
    """Whether an edit is a record that a person wrote, by itself."""
    return edit.change_set is None and edit.base_sha256 == NOTHING


@dataclass(frozen=True)
class Recheck:
    """How to audit again what a stage made and people changed.

    Attributes:
        audit: The stage's audit.
        inputs: Content hashes of what each unit of the stage was given.
        context: The context of the unit of a conversation.
    """

    audit: Audit
    inputs: Mapping[str, Sequence[str]]
    context: Callable[[str], StageContext]

"""Edits of people, laid over the stream where the records they change come in.

An edit holds for one state of one record. Where a stage makes that state, the edited one goes on
in its place, and what reads it is made anew, for its inputs have changed; nothing else is. At the
gate where an edit was made, one whose base is no longer made asks people again. Records that
people wrote join after the stage whose gate they were written at.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.annotation.edit_book import NOTHING, EditBook
from memassay.flows.audits import Audit, findings_of
from memassay.flows.store import Header
from memassay.flows.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError
from memassay.schemas.finding import Finding, Severity
from memassay.schemas.hashing import canonical_json, content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.protocols import Stage, StageContext
from memassay.schemas.provenance import Provenance
from memassay.schemas.review import Edit, HeldOut, PatchStep
from memassay.schemas.rules import RuleBook

EDIT_RULES: Final = RuleBook()
"""Rules about what people changed."""

BASE_CHANGED: Final = EDIT_RULES.declared(
    "edit.base_changed",
    Severity.WARNING,
    "A record that somebody edited is still as they saw it.",
    "design: a changed base queues an edit again",
)
TARGET_GONE: Final = EDIT_RULES.declared(
    "edit.target_gone",
    Severity.WARNING,
    "A record that somebody edited is still there.",
    "design: no edit is dropped silently",
)


def patched(record: Any, patch: Iterable[PatchStep | Mapping[str, Any]]) -> Any:
    """A JSON document with a patch (RFC 6902) applied; the document stays as it is.

    Raises:
        RecordError: The patch does not apply.
    """
    import jsonpatch

    steps = [
        step.model_dump(mode="json", exclude_unset=True) if isinstance(step, PatchStep) else step
        for step in patch
    ]
    try:
        return jsonpatch.apply_patch(record, steps)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
        raise RecordError(f"patch: expected one that applies to the record: {error}") from error


@dataclass
class Overlays:
    """The edits that one run meets.

    Attributes:
        workspace: Where edits and records are.
        run: Name under which the workspace knows the run.
        used: Ids of the edits that were laid over something so far.
        writers: Who wrote a record, by its id.
    """

    workspace: Workspace
    run: str
    used: set[str] = field(default_factory=set)
    writers: dict[str, str] = field(default_factory=dict)

    def lay(
        self,
        stage: Stage,
        made: Sequence[Header],
        stream: Mapping[str, Header],
        audit: "Recheck | None",
    ) -> list[Header]:
        """What a stage made, with edits laid over it and what people wrote beside it.

        Raises:
            RecordError: An edit does not apply to the state that it was made for.
        """
        edits = self._edits()
        if not edits:
            return list(made)
        by_target: dict[str, list[Edit]] = {}
        for _, edit in edits:
            by_target.setdefault(edit.target, []).append(edit)
        laid = {header: self._laid(header, by_target.get(header.id, [])) for header in made}
        changed = {before: after for before, after in laid.items() if before != after}
        told = {h.id: h for h in (*stream.values(), *laid.values()) if h.kind == "conversation"}
        written = self._written(stage, [edit for run, edit in edits if run == self.run], told)
        result = [*laid.values(), *written]
        if audit is not None and changed:
            touched = {header.conversation for header in changed}
            result = self._rechecked(audit, result, touched)
        return [*result, *self._provenance(stage, changed, written)]

    def waiting(self, stage: Stage, stream: Mapping[str, Header]) -> list[Header]:
        """Findings about edits made at this stage's gate whose base is no longer made.

        An edit whose record is gone is kept beside them, whole, as held out.
        """
        latest: dict[str, Edit] = {}
        for run, edit in self._edits():
            if run == self.run:
                latest[edit.target] = edit
        here = {header.id for header in stream.values() if header.kind in DATA_KINDS}
        pending = [
            edit
            for _, edit in sorted(latest.items(), key=lambda pair: natural_key(pair[0]))
            if edit.gate == stage.name and edit.id not in self.used
        ]
        records: list[Record] = [_base_changed(edit) for edit in pending if edit.target in here]
        gone = [edit for edit in pending if edit.target not in here]
        held = self._held(stream) if gone else set()
        for edit in gone:
            if not held & {edit.target, conversation_of(edit.target)}:
                records += [_target_gone(edit), _kept(stage.name, edit)]
        return self.workspace.store.headers(self.workspace.store.put_all(records))

    def _held(self, stream: Mapping[str, Header]) -> set[str]:
        """Ids of the records that a gate has held out."""
        hashes = [header.sha256 for header in stream.values() if header.kind == "held_out"]
        held = self.workspace.store.get_all(hashes)
        return {one.record for one in held if isinstance(one, HeldOut)}

    def _edits(self) -> list[tuple[str, Edit]]:
        return EditBook(self.workspace.queue.engine).active()

    def _laid(self, header: Header, edits: Sequence[Edit]) -> Header:
        """A record with every edit of its states laid over it, one after another."""
        free = [edit for edit in edits if edit.kind == header.kind]
        while True:
            fitting = [edit for edit in free if edit.base_sha256 == header.sha256]
            if not fitting:
                return header
            edit = fitting[-1]
            # What was changed and changed back ends as it was left, and does not go round.
            free = free[free.index(edit) + 1 :]
            self.used |= {one.id for one in fitting}
            document = self.workspace.store.get(header.sha256).model_dump(mode="json")
            header = self._stored(header.kind, patched(document, edit.patch))

    def _stored(self, kind: str, document: Any) -> Header:
        digest = self.workspace.store.put(parse_record(kind, document))
        return self.workspace.store.headers([digest])[0]

    def _written(
        self, stage: Stage, edits: Iterable[Edit], told: Mapping[str, Header]
    ) -> list[Header]:
        """Records that people wrote for conversations that are there."""
        written: dict[str, Header] = {}
        rest: dict[str, list[Edit]] = {}
        for edit in edits:
            rest.setdefault(edit.target, []).append(edit)
        for target, own in rest.items():
            first = next((edit for edit in own if edit.base_sha256 == NOTHING), None)
            if first is None or first.gate != stage.name or conversation_of(target) not in told:
                continue
            self.used.add(first.id)
            self.writers[target] = first.reviewer
            made = self._stored(first.kind, patched(None, first.patch))
            written[target] = self._laid(made, own)
        return list(written.values())

    def _rechecked(
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
        said: list[Record] = []
        for conversation in sorted(touched, key=natural_key):
            own = [h for h in headers if h.conversation == conversation and h.kind in DATA_KINDS]
            records = store.get_all([header.sha256 for header in own])
            given = store.get_all(audit.inputs.get(conversation, []))
            said += findings_of(audit.audit, given, records, audit.context(conversation))
        kept = [header for header in headers if header.sha256 not in gone]
        return [*kept, *store.headers(store.put_all(said))]

    def _provenance(
        self, stage: Stage, changed: Mapping[Header, Header], written: Sequence[Header]
    ) -> list[Header]:
        """Who changed or wrote what, by conversation."""
        made: dict[str, list[tuple[str | None, Header]]] = {}
        for before, after in changed.items():
            made.setdefault(after.conversation, []).append((before.sha256, after))
        for after in written:
            made.setdefault(after.conversation, []).append((None, after))
        people = {edit.target: edit.reviewer for _, edit in self._edits()}
        records = [
            Provenance(
                id=f"{conversation}/{stage.name}-edits",
                made=sorted(after.sha256 for _, after in own),
                stage=stage.name,
                stage_version=stage.version,
                config_sha256=content_hash(stage.config),
                parents=sorted(before for before, _ in own if before is not None),
                author=", ".join(sorted({people[after.id] for _, after in own})),
            )
            for conversation, own in sorted(made.items())
        ]
        return self.workspace.store.headers(self.workspace.store.put_all(records))


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


def _base_changed(edit: Edit) -> Finding:
    said = ", ".join(f"{step.op} {step.path}" for step in edit.patch[:3])
    return BASE_CHANGED.finding(
        edit.target,
        edit.patch[0].path,
        f"{edit.target}: expected the state that {edit.reviewer} edited ({said}), got another one",
        "make the edit again, or accept the record as it is now",
    )


def _target_gone(edit: Edit) -> Finding:
    return TARGET_GONE.finding(
        edit.target,
        "",
        f"{edit.target}: expected the {edit.kind} that {edit.reviewer} edited, got none",
        "nothing, if it is gone for good; what was edited is kept with what is held out",
    )


def _kept(stage: str, edit: Edit) -> HeldOut:
    return HeldOut(
        id=f"held-{stage}-edit-{edit.id}",
        record=edit.target,
        kind="edit",
        stage=stage,
        status="pending",
        reasons=[TARGET_GONE.id],
        messages=[_target_gone(edit).message],
        content=canonical_json(edit),
    )

"""Changes of a history by people: what one would do, kept as a set of edits, taken back."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import select

from memassay.annotation.pages.history_content import HistoryPreview, HistoryRecord, KeptChange
from memassay.annotation.pages.writing_content import NewImage
from memassay.annotation.voting.edit_log import NOTHING, EditBook, edit_id
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.flows.edits.history_patches import changes, patch_between
from memassay.flows.edits.images import PERSON, written_image
from memassay.flows.edits.quick_checks import QuickChecks
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.engine.edit_layers import Key, key_of, lay_in_order, patched
from memassay.flows.store.records import Store
from memassay.flows.store.tables import RUNS, UNITS, reading
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.changes.operations import Operation, PlaceImage, parse_operation
from memassay.schemas.changes.restructure import Restructured, restructured
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.hashing import combined_hash, content_hash
from memassay.schemas.ids import conversation_of, natural_key, record_id
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import Edit
from memassay.schemas.kinds import DATA_KINDS, kind_of
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import ItemOrigin

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
        document = patched(known and known.model_dump(mode="json"), edit.patch)
        if document is not None:
            self.now[key] = parse_record(edit.kind, document)

    def unlay(self, edits: Sequence[Edit], store: Store) -> None:
        """Undo a set of edits that a run has laid and that was taken back since."""
        bases: dict[Key, Record | None] = {}
        for edit in edits:
            key = key_of(edit)
            try:
                base = None if edit.base_sha256 == NOTHING else store.get(edit.base_sha256)
            except RecordError:  # a state between two changes that no run has seen
                return
            after = patched(base and base.model_dump(mode="json"), edit.patch)
            if self.state(key) == content_hash(after):
                bases[key] = base
        if any(kind == "conversation" for kind, _ in bases):
            for key, base in bases.items():
                self.now.pop(key, None)
                if base is not None:
                    self.now[key] = base


@dataclass(frozen=True)
class _Maker:
    """Where a conversation is made.

    Attributes:
        stage: Name of the stage that makes it.
        made: Records of it that are there by then; None if nobody knows.
    """

    stage: str
    made: frozenset[Key] | None


@dataclass
class HistoryEdits:
    """Changes of the histories in one open workspace.

    Attributes:
        workspace: The workspace.
        edits: Edits of single records of it.
        clock: Seconds since 1970.
    """

    workspace: Workspace
    edits: ReviewEdits
    clock: Callable[[], float] = time.time
    _known: dict[str, HistoryRecord] = field(default_factory=dict)

    @property
    def checks(self) -> QuickChecks:
        """The rules, with what they said before."""
        return self.edits.checks

    def history(self, item: str) -> HistoryRecord:
        """The history of an item's conversation as it will be at the next run.

        Raises:
            UsageError: There is no such item, or it has no conversation.
        """
        return self._history(self.workspace.queue.item(item))

    def bring(self, item: str, image: NewImage) -> str:
        """Take in an image that a person wants to place in an item's history; gives its asset.

        Raises:
            UsageError: It is no image or too large a one, or its licence is none.
        """
        bundle = self.history(item).bundle
        asset = written_image(image, bundle.id, self.workspace.blobs)
        same = [one for one in bundle.assets if one.pixel_sha256 == asset.pixel_sha256]
        if same:
            return same[0].id
        self.workspace.store.put(asset)
        return asset.id

    def preview(self, item: str, operation: Mapping[str, Any]) -> HistoryPreview:
        """What a change would do.

        Raises:
            UsageError: It cannot be done; the message says why.
        """
        found = self.workspace.queue.item(item)
        before = self._history(found).bundle
        return self._preview(found, before, self._done(parse_operation(operation), before))

    def _done(self, operation: Operation, before: Bundle) -> Restructured:
        """A change of a history, to which a person may have brought the image that is placed."""
        if isinstance(operation, PlaceImage) and operation.asset not in before.asset_by_id:
            assets = [*before.assets, *self._brought(before.id, operation.asset)]
            before = before.model_copy(update={"assets": assets})
        return restructured(operation, before)

    def _brought(self, conversation: str, asset: str) -> list[Asset]:
        if conversation_of(asset) != conversation:
            return []
        known = self.workspace.store.states("asset", asset)
        return [one for one in known if isinstance(one, Asset) and one.origin == PERSON][-1:]

    def save(
        self, item: str, operation: Mapping[str, Any], base: str, reviewer: str, comment: str
    ) -> str:
        """Keep a change for the next run; gives its name.

        Raises:
            UsageError: It cannot be done, a rule finds an error in what it makes, or somebody
                else changed the history meanwhile.
        """
        found = self.workspace.queue.item(item)
        wanted = parse_operation(operation)
        name = f"S{content_hash([base, wanted.model_dump(mode='json')])[:12]}"
        book, about = EditBook(self.workspace.queue.engine), conversation_of(found.record)
        known = list(book.change_sets(about))
        if name in known:
            return name
        history = self._history(found)
        if base != history.base:
            raise UsageError(
                f"{about}: expected the history as you saw it, but it has changed since; look at "
                "it again and repeat the change"
            )
        done = self._done(wanted, history.bundle)
        errors = self._preview(found, history.bundle, done).errors
        if errors:
            raise UsageError(f"{errors[0].message}; {errors[0].fix}")
        edits = self._edits(found, history.bundle, done.bundle, name, reviewer, comment)
        book.keep_set(found.run, edits, known, self.clock())
        return name

    def take_back(self, item: str, name: str, reviewer: str, *, anybodys: bool) -> None:
        """Take the latest change of a history back.

        Raises:
            UsageError: It is not the latest, or it is somebody else's.
        """
        found = self.workspace.queue.item(item)
        book = EditBook(self.workspace.queue.engine)
        sets = book.change_sets(conversation_of(found.record))
        if not sets or list(sets)[-1] != name:
            raise UsageError(f"{name}: expected the latest change of the history, got another one")
        if not anybodys and sets[name][0].reviewer != reviewer:
            raise UsageError(f"{name}: somebody else made this change; ask an adjudicator")
        book.withdraw_set(sets[name], reviewer, self.clock())

    def asset(self, item: str, name: str) -> tuple[bytes, str]:
        """Bytes and media type of an image of an item's conversation, by its local id.

        Raises:
            UsageError: There is no such image, or there are no bytes.
        """
        bundle = self.history(item).bundle
        wanted = record_id(bundle.id, name)
        found = bundle.asset_by_id.get(wanted) or next(iter(self._brought(bundle.id, wanted)), None)
        if found is None or found.availability is not Availability.PRESENT:
            raise UsageError(f"{bundle.id}: expected an image that is there, got {name!r}")
        return self.workspace.blobs.get(found.blob_sha256 or ""), found.media_type or "image/png"

    def _history(self, found: ReviewItem) -> HistoryRecord:
        queue, about = self.workspace.queue, conversation_of(found.record)
        hashes = queue.context(found.run, found.gate, about)
        hashes = hashes or [cover.sha256 for cover in found.covers]
        book = EditBook(queue.engine)
        standing = [
            edit
            for run, edit in book.active()
            if conversation_of(edit.target) == about
            and edit.kind in DATA_KINDS
            and (run == found.run or edit.change_set or edit.base_sha256 != NOTHING)
        ]
        withdrawn = list(book.withdrawn_sets(about).values())
        known = [*standing, *(edit for edits in withdrawn for edit in edits)]
        parts = [content_hash(edit) for edit in known]
        key = combined_hash([*hashes, content_hash(len(standing)), *parts])
        if key not in self._known:
            self._known[key] = self._laid(about, hashes, standing, withdrawn)
            for old in list(self._known)[:-_KEPT]:
                self._known.pop(old, None)
        return self._known[key]

    def _laid(
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

    def _preview(self, found: ReviewItem, before: Bundle, done: Restructured) -> HistoryPreview:
        maker = self._maker(found.run, before.id, found.gate)
        after, was = done.bundle, before.turn_by_id
        changed = [key for key, old, _ in changes(before, after) if _is_ours(key, old, maker)]
        # Questions that are made anew from the changed history are checked when they are.
        kept = [_without_made(one, maker) for one in (before, after)]
        fresh = _fresh(self.checks.before(kept[0]), self.checks.after(kept[0], kept[1]))
        asked = {one.id for one in after.questions}
        held = {
            one.target: one.message
            for one in reversed(fresh)
            if one.target in asked and one.severity is Severity.ERROR
        }
        stale = self.edits.stale(found.run, maker.stage, before.id)
        return HistoryPreview(
            texts=[
                (old, was[old].text, after.turn_by_id[new].text)
                for old, new in done.places.others.items()
                if old in was and was[old].text != after.turn_by_id[new].text
            ],
            moved=[
                (old, " ".join(new))
                for old, new in sorted(
                    done.places.sessions.items(), key=lambda pair: natural_key(pair[0])
                )
                if list(new) != [old]
            ],
            notes=done.notes,
            findings=[one for one in fresh if one.target not in asked],
            held=sorted(held.items()),
            changed={kind: sum(one[0] == kind for one in changed) for kind, _ in changed},
            stages=list(dict.fromkeys(stage for stage, _ in stale)),
        )

    def _edits(
        self,
        found: ReviewItem,
        before: Bundle,
        after: Bundle,
        name: str,
        reviewer: str,
        comment: str,
    ) -> list[Edit]:
        """The set of edits that turns one state of a history into another."""
        maker = self._maker(found.run, before.id, found.gate)
        written = {
            key_of(edit): edit.gate
            for edit in EditBook(self.workspace.queue.engine).contributions()
        }
        return [
            Edit(
                id=edit_id(name, *key),
                target=key[1],
                kind=key[0],
                base_sha256=NOTHING if old is None else content_hash(old),
                patch=patch_between(old, new),
                reviewer=reviewer,
                gate=written.get(key, maker.stage),
                comment=comment,
                change_set=name,
            )
            for key, old, new in changes(before, after)
            if key in written or _is_ours(key, old, maker)
        ]

    def _maker(self, run: str, conversation: str, gate: str) -> _Maker:
        """The stage that makes a conversation, and what there is of it by then."""
        stages = select(RUNS.c.stage).where(RUNS.c.recipe == run).order_by(RUNS.c.position)
        made: set[Key] = set()
        with reading(self.workspace.engine) as connection:
            order = connection.execute(stages).scalars().all()
        for stage in order:
            made |= self._made_by(stage, conversation)
            if ("conversation", conversation) in made:
                return _Maker(stage, frozenset(made))
        return _Maker(gate, None)

    def _made_by(self, stage: str, conversation: str) -> set[Key]:
        query = select(UNITS.c.outputs).where(
            UNITS.c.stage == stage, UNITS.c.shard == conversation, UNITS.c.outputs.is_not(None)
        )
        with reading(self.workspace.engine) as connection:
            outputs = connection.execute(query).scalars().all()
        hashes = [digest for text in outputs for digest in json.loads(text)]
        return {(one.kind, one.id) for one in self.workspace.store.headers(hashes)}


def _without_made(bundle: Bundle, maker: _Maker) -> Bundle:
    """A history without the questions that a later stage makes from it."""
    if maker.made is None:
        return bundle
    kept = [
        one
        for one in bundle.questions
        if ("question", one.id) in maker.made or one.origin is not ItemOrigin.MACHINE
    ]
    return bundle.model_copy(update={"questions": kept})


def _is_ours(key: Key, before: Record | None, maker: _Maker) -> bool:
    """Whether a record is there when a conversation is made; what is made later is made anew."""
    if maker.made is None or key in maker.made:
        return True
    if key[0] == "asset" and before is None:
        return True  # brought by a person
    # A mention of an image that is shown once more is new; others of its kind are there.
    return key[0] == "mention" and any(kind == "mention" for kind, _ in maker.made)


def _fresh(before: Sequence[Finding], after: Sequence[Finding]) -> list[Finding]:
    """Findings that are new: places have other ids now, so they are counted by rule and record."""
    left: dict[tuple[str, str], int] = {}
    known = {one.id for one in before}
    for one in before:
        left[one.rule, one.target] = left.get((one.rule, one.target), 0) + 1
    for one in after:
        if one.id in known:
            left[one.rule, one.target] -= 1
    fresh = []
    for one in after:
        if one.id in known:
            continue
        left[one.rule, one.target] = left.get((one.rule, one.target), 0) - 1
        if left[one.rule, one.target] < 0:
            fresh.append(one)
    return fresh

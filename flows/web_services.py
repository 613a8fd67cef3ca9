"""What the review pages are given of a workspace."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select

from memassay.annotation.desk_shapes import Change
from memassay.annotation.review_tables import ITEMS
from memassay.annotation.web_content import ItemContent, ItemHead
from memassay.flows.tables import RECORDS, reading
from memassay.flows.workspace import Workspace
from memassay.schemas.asset import Asset, Availability
from memassay.schemas.base import Record
from memassay.schemas.bundle import Bundle
from memassay.schemas.certificate import Certificate
from memassay.schemas.conversation import Conversation
from memassay.schemas.errors import UsageError
from memassay.schemas.finding import Finding
from memassay.schemas.hashing import content_hash
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.kinds import kind_of
from memassay.schemas.question import QAItem
from memassay.schemas.rules import RuleContext

_FILTERS: Final = ("gate", "reason", "severity", "kind", "type", "conversation", "state")
_BESIDE: Final = ("fact", "mention", "event", "persona")


class WorkspaceContent:
    """The content of one open workspace, by item."""

    def __init__(self, workspace: Workspace) -> None:
        """Use an open workspace."""
        self.workspace = workspace

    def page(self, filters: Mapping[str, str], after: int, limit: int) -> Sequence[ItemHead]:
        """Rows in the order of the queue, from behind a position on; what waits, if not said."""
        state = filters.get("state", "open")
        wanted = [ITEMS.c[name] == filters[name] for name in _FILTERS if filters.get(name)]
        query = (
            select(ITEMS)
            .where(ITEMS.c.state == state, ITEMS.c.position > after, *wanted)
            .order_by(ITEMS.c.position)
            .limit(limit)
        )
        with reading(self.workspace.engine) as connection:
            return [_head(row) for row in connection.execute(query)]

    def counts(self) -> Mapping[str, int]:
        """Items by state; stale ones are nobody's."""
        query = select(ITEMS.c.state, func.count()).where(ITEMS.c.state != "stale")
        with reading(self.workspace.engine) as connection:
            rows = connection.execute(query.group_by(ITEMS.c.state))
            return {str(state): int(number) for state, number in rows}

    def content(self, item: str) -> ItemContent:
        """All that is shown of an item.

        Raises:
            UsageError: There is no such item.
        """
        found = self.workspace.queue.item(item)
        query = select(ITEMS).where(ITEMS.c.id == item)
        with reading(self.workspace.engine) as connection:
            head = _head(connection.execute(query).one())
        covered = self.workspace.store.get_all([cover.sha256 for cover in found.covers])
        stored = self.workspace.store.get_all(found.findings)
        question = next((one for one in covered if isinstance(one, QAItem)), None)
        conversation = next((one for one in covered if isinstance(one, Conversation)), None)
        if conversation is None:
            raise UsageError(
                f"review item {item}: a timeline has no pages yet; `memassay review show {item}` "
                "shows it"
            )
        return ItemContent(
            head=head,
            findings=[one for one in stored if isinstance(one, Finding)],
            bundle=self._bundle(conversation, covered),
            question=question,
            certificate=self._certificate(question),
        )

    def _bundle(self, conversation: Conversation, covered: Sequence[Record]) -> Bundle:
        """A conversation with what belongs to it, in the latest state of each record."""
        kinds = (*_BESIDE, "asset")
        query = select(RECORDS.c.kind, RECORDS.c.id, RECORDS.c.document).where(
            RECORDS.c.conversation == conversation.id, RECORDS.c.kind.in_(kinds)
        )
        with reading(self.workspace.engine) as connection:
            rows = connection.execute(query.order_by(RECORDS.c.kind, RECORDS.c.id)).all()
        latest = {(kind, name): (kind, document) for kind, name, document in rows}
        beside: dict[tuple[str, str], Record] = {
            name: parse_record(kind, json.loads(document))
            for name, (kind, document) in latest.items()
        }
        seen = {(kind_of(one), one.id): one for one in covered}
        return Bundle.from_records([*{**beside, **seen}.values()])

    def _certificate(self, question: QAItem | None) -> Certificate | None:
        if question is None:
            return None
        query = select(RECORDS.c.document).where(
            RECORDS.c.kind == "certificate", RECORDS.c.conversation == question.conversation
        )
        with reading(self.workspace.engine) as connection:
            for document in connection.execute(query).scalars():
                found = Certificate.model_validate_json(document)
                if found.item == question.id:
                    return found
        return None

    def image(self, item: str, attachment: str) -> tuple[bytes, str]:
        """Bytes and media type of an attachment of an item's conversation or question.

        Raises:
            UsageError: The item shows no such attachment, or there are no bytes.
        """
        content = self.content(item)
        shown = [one for turn in content.bundle.conversation.turns() for one in turn.attachments]
        shown += content.question.question.attachments if content.question else []
        asset = next((one.asset for one in shown if one.id == attachment), None)
        record: Asset | None = content.bundle.asset_by_id.get(asset or "")
        if record is None or record.availability is not Availability.PRESENT:
            raise UsageError(f"review item {item}: expected an image it shows, got {attachment!r}")
        return self.workspace.blobs.get(record.blob_sha256 or ""), record.media_type or "image/png"

    def change(self, item: str, patch: Sequence[Mapping[str, Any]]) -> Change:
        """The edit that a patch of an item's question is.

        Raises:
            UsageError: The item is no question, or the patch makes none of it.
        """
        content = self.content(item)
        edited = _edited(content, patch)
        assert content.question is not None
        return Change(
            target=edited.id,
            kind="question",
            base_sha256=content_hash(content.question),
            after_sha256=content_hash(edited),
            patch=[dict(step) for step in patch],
        )

    def problems(self, item: str, patch: Sequence[Mapping[str, Any]]) -> Sequence[Finding]:
        """What the rules say of the question with a patch laid over it.

        Raises:
            UsageError: The item is no question, or the patch makes none of it.
        """
        from memassay.validators.rules import check_conversation

        content = self.content(item)
        edited = _edited(content, patch)
        bundle = content.bundle.model_copy(update={"questions": [edited]})
        found = check_conversation(bundle, RuleContext(blobs=self.workspace.blobs))
        return [one for one in found if one.target == edited.id]


def _edited(content: ItemContent, patch: Sequence[Mapping[str, Any]]) -> QAItem:
    from jsonpatch import JsonPatch, JsonPatchException
    from pydantic import ValidationError

    if content.question is None:
        raise UsageError(f"{content.head.record}: expected a question to edit")
    try:
        document = content.question.model_dump(mode="json")
        return QAItem.model_validate(JsonPatch([dict(one) for one in patch]).apply(document))
    except (JsonPatchException, ValidationError) as error:
        said = " ".join(str(error).split())[:300]
        raise UsageError(f"{content.question.id}: the edit makes no question: {said}") from None


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
        state=row.state,
        position=row.position,
    )

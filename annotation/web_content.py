"""What the review pages need to know about an item; a workspace gives it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from memassay.annotation.desk_shapes import Change
from memassay.schemas.bundle import Bundle
from memassay.schemas.certificate import Certificate
from memassay.schemas.finding import Finding
from memassay.schemas.question import QAItem


@dataclass(frozen=True)
class ItemHead:
    """One row of the queue.

    Attributes:
        item: Id of the item.
        gate: Stage whose gate asks.
        record: Id of the record.
        reason: Why people are asked.
        rules: Ids of the rules that found something.
        severity: The worst of what was found.
        type: For a question, its type.
        conversation: Id of its conversation.
        state: `open`, `disputed`, `decided` or `stale`.
        position: Place in the order of the queue.
    """

    item: str
    gate: str
    record: str
    reason: str
    rules: tuple[str, ...]
    severity: str
    type: str
    conversation: str
    state: str
    position: int


@dataclass(frozen=True)
class ItemContent:
    """All that is shown of an item.

    Attributes:
        head: Its row.
        findings: What the rules say about it.
        bundle: Its conversation with assets, facts, mentions and events.
        question: The question, where the record is one.
        certificate: What the assay says; shown after the vote only.
    """

    head: ItemHead
    findings: Sequence[Finding]
    bundle: Bundle
    question: QAItem | None
    certificate: Certificate | None


class ReviewContent(Protocol):
    """The content behind the queue; ids are looked up, never used as paths."""

    def page(self, filters: Mapping[str, str], after: int, limit: int) -> Sequence[ItemHead]:
        """Rows in the order of the queue, from behind a position on."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Items by state."""
        ...

    def content(self, item: str) -> ItemContent:
        """All that is shown of an item.

        Raises:
            UsageError: There is no such item.
        """
        ...

    def image(self, item: str, attachment: str) -> tuple[bytes, str]:
        """Bytes and media type of an attachment of an item's conversation.

        Raises:
            UsageError: The item shows no such attachment, or there are no bytes.
        """
        ...

    def change(self, item: str, patch: Sequence[Mapping[str, Any]]) -> Change:
        """The edit that a patch of an item's question is.

        Raises:
            UsageError: The patch does not apply, or what it gives is no such record.
        """
        ...

    def problems(self, item: str, patch: Sequence[Mapping[str, Any]]) -> Sequence[Finding]:
        """What the rules say of the record with a patch laid over it.

        Raises:
            UsageError: The patch does not apply, or what it gives is no such record.
        """
        ...

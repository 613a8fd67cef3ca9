"""What the pages on which people change a history need; a workspace gives it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from memassay.annotation.pages.writing_content import NewImage
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle


@dataclass(frozen=True)
class VoidedItem:
    """An item that people voted on, and of which a change takes away what they saw.

    Attributes:
        item: Id of the item.
        record: Id of its record.
        decided: Whether it was decided.
        votes: How many votes it has.
    """

    item: str
    record: str
    decided: bool
    votes: int


@dataclass(frozen=True)
class HistoryPreview:
    """What a change of a history would do.

    Attributes:
        texts: Turns whose text changes, as (turn, before, after).
        moved: Places that get another id, as (before, after); sessions only.
        notes: What to know before saving, a sentence each.
        findings: What the rules say of the history that they did not say before.
        held: Questions that no stage will make again and that the rules would hold back, each with
            the reason.
        changed: How many records change, by kind.
        stages: Stages whose units of the conversation are made again at the next run.
        voids: Decisions and votes that no longer hold then.
    """

    texts: Sequence[tuple[str, str, str]]
    moved: Sequence[tuple[str, str]]
    notes: Sequence[str]
    findings: Sequence[Finding]
    held: Sequence[tuple[str, str]]
    changed: Mapping[str, int]
    stages: Sequence[str]
    voids: Sequence[VoidedItem] = ()

    @property
    def errors(self) -> list[Finding]:
        """What blocks it."""
        return [one for one in self.findings if one.severity is Severity.ERROR]


@dataclass(frozen=True)
class KeptChange:
    """A change of a history that somebody saved and nobody took back.

    Attributes:
        name: Its name.
        reviewer: Who made it.
        comment: In their words.
        records: How many records it changes.
    """

    name: str
    reviewer: str
    comment: str
    records: int


@dataclass(frozen=True)
class ProposedEdit:
    """An edit of a history that somebody proposed.

    Attributes:
        item: Id of the item that it is decided as.
        name: Its name.
        operation: What is to be done.
        writer: Who proposed it.
        comment: In their words.
        state: `open`, `disputed`, `decided`, or `stale` once it is withdrawn or was asked again.
        ruling: What was decided; empty until then.
    """

    item: str
    name: str
    operation: Mapping[str, Any]
    writer: str
    comment: str
    state: str
    ruling: str

    @property
    def waits(self) -> bool:
        """Whether people have yet to decide."""
        return self.state in ("open", "disputed")


@dataclass(frozen=True)
class HistoryRecord:
    """A history as it will be at the next run.

    Attributes:
        bundle: The conversation and what belongs to it, with all changes that stand.
        base: Hash of that state; a change is made of one state and of no other.
        changes: Changes that stand, oldest first.
        proposals: Edits that people proposed, oldest first, whatever became of them.
    """

    bundle: Bundle
    base: str
    changes: Sequence[KeptChange]
    proposals: Sequence[ProposedEdit] = ()


class HistoryContent(Protocol):
    """The histories behind the queue, for people who change them."""

    def history(self, item: str) -> HistoryRecord:
        """The history of an item's conversation as it will be at the next run.

        Raises:
            UsageError: There is no such item, or it has no conversation.
        """
        ...

    def allows_edits(self, item: str) -> bool:
        """Whether histories are edited at all where an item comes from, by its recipe.

        Raises:
            UsageError: There is no such item.
        """
        ...

    def bring(self, item: str, image: NewImage) -> str:
        """Take in an image that a person wants to place in an item's history; gives its asset.

        Raises:
            UsageError: It is no image or too large a one, or its licence is none.
        """
        ...

    def preview(self, item: str, operation: Mapping[str, Any]) -> HistoryPreview:
        """What a change would do.

        Raises:
            UsageError: It cannot be done; the message says why.
        """
        ...

    def proposal(self, item: str) -> tuple[ProposedEdit, HistoryPreview | None]:
        """A proposed edit, with what it would do, as long as it waits.

        Raises:
            UsageError: The item is no proposal, or the edit cannot be made any more.
        """
        ...

    def propose(
        self,
        item: str,
        operation: Mapping[str, Any],
        base: str,
        reviewer: str,
        comment: str,
        *,
        owner: bool = False,
    ) -> str:
        """Propose an edit; an owner's is accepted by proposing it. Gives its name.

        Raises:
            UsageError: Histories are not edited, it cannot be done, a rule finds an error in what
                it makes, or somebody else changed the history meanwhile.
        """
        ...

    def take_back(self, item: str, name: str, reviewer: str, *, owner: bool) -> None:
        """Withdraw a proposal that waits, or, as an owner, take the latest edit back.

        Raises:
            UsageError: It is somebody else's, or not the latest, or not theirs to take back.
        """
        ...

    def asset(self, item: str, name: str) -> tuple[bytes, str]:
        """Bytes and media type of an image of an item's conversation, by its local id.

        Raises:
            UsageError: There is no such image, or there are no bytes.
        """
        ...

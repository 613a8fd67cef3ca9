"""What the review pages need to know about an item; a workspace gives it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from memassay.annotation.clusters.content import ClusterContent
from memassay.annotation.pages.history_content import HistoryContent, HistoryPreview, ProposedEdit
from memassay.annotation.pages.writing_content import WritingContent
from memassay.annotation.voting.queue_reader import ItemHead as ItemHead
from memassay.annotation.voting.queue_reader import QueueReader
from memassay.annotation.voting.shapes import Change
from memassay.schemas.benchmarks.shapes import PaperType
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.assignment import Assignment
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import (
    QAItem,
)

_AT: Final = ("turn", "round", "attachment")
"""Fields of an operation on a history that name a place in one round."""


@dataclass(frozen=True)
class ItemContent:
    """All that is shown of an item.

    Attributes:
        head: Its row.
        findings: What the rules say about it.
        bundle: Its conversation with assets, facts, mentions and events.
        question: The question, where the record is one.
        certificate: What the assay says; shown after the vote only.
        places: Where no question cites any, places that stand open.
    """

    head: ItemHead
    findings: Sequence[Finding]
    bundle: Bundle
    question: QAItem | None
    certificate: Certificate | None
    places: tuple[str, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """Places that the question cites, alternatives included; `places` without a question."""
        if self.question is None:
            return self.places
        evidence = self.question.evidence
        grouped = [place for group in evidence.groups for place in group]
        return tuple(dict.fromkeys([*evidence.canonical, *grouped]))


@dataclass(frozen=True)
class TimelineContent:
    """All that is shown of a timeline that waits before its conversation is written.

    Attributes:
        head: Its row.
        findings: What the rules say about it.
        persona: Whose timeline it is.
        events: Its events, in time order.
        facts: What the events make true.
    """

    head: ItemHead
    findings: Sequence[Finding]
    persona: Persona
    events: Sequence[TimelineEvent]
    facts: Sequence[Fact] = ()


@dataclass(frozen=True)
class RebuildCost:
    """What running stages again will likely cost.

    Attributes:
        calls: Calls to models; 0 where no model is asked.
        dollars: US dollars with four decimals, for the calls with a known price.
        unpriced: Whether some calls have no known price.
    """

    calls: int
    dollars: str
    unpriced: bool


@dataclass(frozen=True)
class AssignmentContent:
    """All that is shown of work that is no decision about a record.

    Attributes:
        head: Its row.
        assignment: What is to be done.
        bundle: The conversation to show beside it; None where it names none that is known.
        findings: Nothing: no rule speaks of an assignment.
    """

    head: ItemHead
    assignment: Assignment
    bundle: Bundle | None
    findings: Sequence[Finding] = ()

    def history(self) -> ItemContent:
        """The conversation, as the history pages take it, open at the places of the assignment.

        Raises:
            UsageError: There is none.
        """
        if self.bundle is None:
            raise UsageError(f"{self.head.record}: expected an item with a conversation")
        places = tuple(self.assignment.places)
        return ItemContent(self.head, (), self.bundle, None, None, places)


@dataclass(frozen=True)
class ProposalContent:
    """All that is shown of a proposed edit of a history.

    Attributes:
        head: Its row.
        proposal: What is proposed.
        preview: What it would do to the history as it is now; None once it is decided.
        bundle: The conversation.
        findings: Nothing: what the rules say is in the preview.
    """

    head: ItemHead
    proposal: ProposedEdit
    preview: HistoryPreview | None
    bundle: Bundle
    findings: Sequence[Finding] = ()

    def history(self) -> ItemContent:
        """The conversation, as the history pages take it, open at the rounds that change."""
        changed = [place for place, _, _ in self.preview.texts] if self.preview else []
        changed += [str(self.proposal.operation.get(name, "")) for name in _AT]
        return ItemContent(self.head, (), self.bundle, None, None, tuple(changed))


Content: TypeAlias = ItemContent | TimelineContent | AssignmentContent | ProposalContent
"""What an item can show."""


@dataclass(frozen=True)
class ReleasedItem:
    """An item that is in a release, and what was reported of it.

    Attributes:
        folder: Name of the newest release's folder that holds it.
        release: Name of the data set.
        version: Its newest version that holds the item.
        file: Where errata are kept.
        errata: Errata about the item, of any version, by id.
        trouble: Why the file cannot be read; empty if it can, or is not there yet.
    """

    folder: str
    release: str
    version: str
    file: Path
    errata: Sequence[ReleasedErratum] = ()
    trouble: str = ""


class ReleasedErrata(Protocol):
    """Errors that people report in items which are released already."""

    def of(self, item: str) -> ReleasedItem | None:
        """The newest release that holds what an item is about; None if none does.

        Raises:
            UsageError: There is no such item.
        """
        ...

    def report(self, item: str, problem: str, reporter: str) -> ReleasedErratum:
        """Report an error in that release.

        Raises:
            UsageError: There is none, nothing is said, or the same was reported before.
            ReleaseError: A file of the release is damaged.
        """
        ...


class ItemPages(Protocol):
    """What items show; ids are looked up, never used as paths."""

    def content(self, item: str) -> Content:
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

    def image_bytes(self, item: str, part: int) -> tuple[bytes, str]:
        """Bytes and media type of an image that an assignment shows, by its 0-based place.

        Raises:
            UsageError: It shows none there.
        """
        ...


class QuestionEdits(Protocol):
    """Edits of the questions that items are about, checked before they are kept."""

    def change(self, item: str, patch: Sequence[Mapping[str, Any]]) -> Change:
        """The edit that a patch of an item's question is.

        Raises:
            UsageError: The patch does not apply, or a rule finds an error in what it gives.
        """
        ...

    def problems(
        self, item: str, patch: Sequence[Mapping[str, Any]]
    ) -> tuple[Sequence[Finding], Sequence[str]]:
        """What the rules say of a question with a patch, and the stages that it makes stale.

        Raises:
            UsageError: The patch does not apply, or what it gives is no such record.
        """
        ...

    def rebuild_cost(self, item: str, stages: Sequence[str]) -> RebuildCost:
        """What running stages again will likely cost, for an item's conversation.

        Raises:
            UsageError: There is no such item.
        """
        ...


@dataclass(frozen=True)
class ReviewContent:
    """What is behind the review pages.

    Attributes:
        queue: The rows of the queue.
        items: What items show.
        edits: Edits of their questions.
        editing: The histories, for people who edit them.
        writing: Questions that people write.
        types: By the name of a collection, its types of questions by their codes.
        scores: What people scored, by release, reader and scale, and how far judges agree.
        clusters: The clusters of runs that group dialogues.
        errata: Errors in items that are released already.
    """

    queue: QueueReader
    items: ItemPages
    edits: QuestionEdits
    editing: HistoryContent
    writing: WritingContent
    types: Callable[[str], Mapping[str, PaperType]]
    scores: Callable[[], Sequence[Mapping[str, Any]]]
    clusters: ClusterContent
    errata: ReleasedErrata

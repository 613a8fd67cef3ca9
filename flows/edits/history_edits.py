"""Edits of a history by people: what one would do, proposed, decided, made, taken back."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memassay.annotation.pages.history_content import (
    HistoryPreview,
    HistoryRecord,
    ProposedEdit,
)
from memassay.annotation.pages.writing_content import NewImage
from memassay.annotation.voting.edit_log import EditLog
from memassay.annotation.voting.proposals import HistoryPolicy, Proposals
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.flows.edits.history_effects import HistoryEffects
from memassay.flows.edits.images import written_image
from memassay.flows.edits.proposing import Proposing, proposal_view
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.store.workspace import Workspace
from memassay.schemas.changes.operations import parse_operation
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import conversation_of, record_id
from memassay.schemas.records.asset import Availability


@dataclass
class HistoryEdits:
    """Edits of the histories in one open workspace.

    Attributes:
        workspace: The workspace.
        edits: Edits of single records of it.
        clock: Seconds since 1970.
    """

    workspace: Workspace
    edits: ReviewEdits
    clock: Callable[[], float] = time.time
    effects: HistoryEffects = field(init=False)

    def __post_init__(self) -> None:
        """Nothing is parsed yet."""
        self.effects = HistoryEffects(self.workspace, self.edits)

    @property
    def proposing(self) -> Proposing:
        """Proposals, and what becomes of them."""
        return Proposing(self.effects, self.clock)

    def history(self, item: str) -> HistoryRecord:
        """The history of an item's conversation as it will be at the next run.

        Raises:
            UsageError: There is no such item, or it has no conversation.
        """
        return self._history(self.workspace.queue.item(item))

    def allows_edits(self, item: str) -> bool:
        """Whether histories are edited at all where an item comes from, by its recipe.

        Raises:
            UsageError: There is no such item.
        """
        policy = Proposals(self.workspace.queue).policy(self.workspace.queue.item(item).run)
        return policy.history_edits != "off"

    def _history(self, found: ReviewItem) -> HistoryRecord:
        self.proposing.settle(conversation_of(found.record))
        kept, about = Proposals(self.workspace.queue), conversation_of(found.record)
        proposals = [proposal_view(one) for one in kept.of(about)]
        return replace(self.effects.states.of(found), proposals=proposals)

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
        """What an edit would do.

        Raises:
            UsageError: It cannot be done; the message says why.
        """
        found = self.workspace.queue.item(item)
        before = self._history(found).bundle
        return self.effects.preview(
            found, before, self.effects.restructure(parse_operation(operation), before)
        )

    def proposal(self, item: str) -> tuple[ProposedEdit, HistoryPreview | None]:
        """A proposed edit, with what it would do, as long as it waits.

        Raises:
            UsageError: The item is no proposal, or the edit cannot be made any more.
        """
        found = self.workspace.queue.item(item)
        before = self._history(found).bundle
        one = proposal_view(Proposals(self.workspace.queue).one(item))
        if not one.waits:
            return one, None
        done = self.effects.restructure(parse_operation(one.operation), before)
        return one, self.effects.preview(found, before, done)

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
        found = self.workspace.queue.item(item)
        wanted = parse_operation(operation)
        return self.proposing.propose(found, wanted, base, reviewer, comment, owner=owner)

    def take_back(self, item: str, name: str, reviewer: str, *, owner: bool) -> None:
        """Withdraw a proposal that waits, or, as an owner, take the latest edit back.

        Raises:
            UsageError: It is somebody else's, or not the latest, or not theirs to take back.
        """
        found = self.workspace.queue.item(item)
        about = conversation_of(found.record)
        if self.proposing.withdraw(about, name, reviewer, owner=owner):
            return
        log = EditLog(self.workspace.queue.engine)
        sets = log.change_sets(about)
        if not sets or list(sets)[-1] != name:
            raise UsageError(f"{name}: expected the latest change of the history, got another one")
        if not owner:
            raise UsageError(f"{name}: it was accepted; only an owner takes it back")
        log.withdraw_set(sets[name], reviewer, self.clock())

    def asset(self, item: str, name: str) -> tuple[bytes, str]:
        """Bytes and media type of an image of an item's conversation, by its local id.

        Raises:
            UsageError: There is no such image, or there are no bytes.
        """
        bundle = self.history(item).bundle
        wanted = record_id(bundle.id, name)
        found = bundle.asset_by_id.get(wanted) or next(
            iter(self.effects.brought_assets(bundle.id, wanted)), None
        )
        if found is None or found.availability is not Availability.PRESENT:
            raise UsageError(f"{bundle.id}: expected an image that is there, got {name!r}")
        return self.workspace.blobs.get(found.blob_sha256 or ""), found.media_type or "image/png"


def settle_edits(workspace: Workspace, run: str, policy: HistoryPolicy) -> list[str]:
    """Keep who decides edits in a run, and make what was accepted; gives what could not be made."""
    Proposals(workspace.queue).set_policy(run, policy)
    return HistoryEdits(workspace, ReviewEdits(workspace)).proposing.settle_all()

"""What an edit would do to a history: to its texts and places, to what rules say, to decisions."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from memassay.annotation.pages.history_content import HistoryPreview, VoidedItem
from memassay.annotation.voting.review_queue import ReviewItem
from memassay.flows.edits.history_patches import changes
from memassay.flows.edits.history_sets import is_ours, maker_of, without_made
from memassay.flows.edits.history_states import HistoryStates
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.engine.covers import round_states
from memassay.flows.store.workspace import Workspace
from memassay.schemas.changes.operations import Operation, PlaceImage
from memassay.schemas.changes.restructure import Restructured, restructure
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.asset import PERSON, Asset
from memassay.schemas.records.bundle import Bundle


@dataclass
class HistoryEffects:
    """What edits do to the histories of one open workspace.

    Attributes:
        workspace: The workspace.
        edits: Edits of single records of it.
        states: Its histories, as they are at the next run.
    """

    workspace: Workspace
    edits: ReviewEdits
    states: HistoryStates = field(init=False)

    def __post_init__(self) -> None:
        """Nothing is parsed yet."""
        self.states = HistoryStates(self.workspace)

    def restructure(self, operation: Operation, before: Bundle) -> Restructured:
        """A history after an edit, to which a person may have brought the image that is placed.

        Raises:
            UsageError: It cannot be done; the message says why.
        """
        if isinstance(operation, PlaceImage) and operation.asset not in before.asset_by_id:
            assets = [*before.assets, *self.brought_assets(before.id, operation.asset)]
            before = before.model_copy(update={"assets": assets})
        return restructure(operation, before)

    def brought_assets(self, conversation: str, asset: str) -> list[Asset]:
        """The asset of an image that a person brought for a conversation; empty if it is none."""
        if conversation_of(asset) != conversation:
            return []
        known = self.workspace.store.states("asset", asset)
        return [one for one in known if isinstance(one, Asset) and one.origin == PERSON][-1:]

    def preview(self, found: ReviewItem, before: Bundle, done: Restructured) -> HistoryPreview:
        """What turning a history into another would do."""
        maker = maker_of(self.workspace, found.run, before.id, found.gate)
        after, was = done.bundle, before.turn_by_id
        changed = [key for key, old, _ in changes(before, after) if is_ours(key, old, maker)]
        # Questions that are made again from the changed history are checked when they are.
        kept = [without_made(one, maker) for one in (before, after)]
        fresh = self.edits.checks.findings(kept[0].records(), kept[1].records())
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
            voids=voided_by(self.workspace.queue.standing(before.id), before, after),
        )


def voided_by(
    standing: Iterable[tuple[ReviewItem, int]], before: Bundle, after: Bundle
) -> list[VoidedItem]:
    """Items whose decision or votes a change voids, with how many votes each has.

    Args:
        standing: Items of the conversation that were voted on, each with its votes.
        before: The history as it is.
        after: The history as it would be.
    """
    was, then = _states(before), _states(after)
    return [
        VoidedItem(item.id, item.record, item.decision is not None, votes)
        for item, votes in standing
        if any(
            was.get(one.id) == one.sha256 and then.get(one.id) != one.sha256
            for one in (item.decision.covers if item.decision else item.covers)
        )
    ]


def _states(bundle: Bundle) -> dict[str, str]:
    return {one.id: content_hash(one) for one in bundle.records()} | round_states(bundle)

"""What a stand-in drafts, and which of its drafts are kept, for estimates of paper mode."""

from collections.abc import Mapping
from typing import Any, Final

from memassay.schemas.judgements.bank import DropReason
from memassay.schemas.records.bundle import Bundle
from memassay.synth.drafting.items import DraftedItems
from memassay.synth.drafting.windows import Window
from memassay.synth.extraction.proposals import Checked, Problem
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.extraction.stand_in import StandIn

_DRAFTS: Final = 3
"""Questions of one call (our choice)."""


def stand_in_drafts(stand_in: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Questions about the first rounds of a window."""
    places = [one["round"] for one in inputs["rounds"]][:_DRAFTS]
    return {"items": [stand_in.draft(place) for place in places]}


class StandInItems(DraftedItems):
    """Keeps every second draft at once, and the others after they were sent back (our choice).

    A path puts it before the class that makes its items.
    """

    def __init__(self, bundle: Bundle) -> None:
        """Take the conversation."""
        super().__init__(bundle)
        self._looked_at = 0
        self._mended = False

    def candidate(self, code: str, draft: ItemDraft, window: Window) -> Checked:
        """The item of a draft, whatever the draft says."""
        self._looked_at += 1
        if self._looked_at % 2 == 0 and not self._mended:
            self._mended = True
            said = "evidence: expected rounds that are shown, got another"
            return None, [Problem(DropReason.OUTSIDE_WINDOW, said)]
        self._mended = False
        return self.item(code, draft, window), []

"""What the stand-in of paper mode replies to M3Exam's own tasks, and which drafts it keeps."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from memassay.schemas.judgements.bank import DropReason
from memassay.synth.extraction.proposals import Checked, Problem
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.extraction.stand_in import ASSISTANT_WORDS, USER_WORDS, Replies, StandIn
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.items import ItemMaker
from memassay.synth.paths.m3exam.paper.windows import Window

_EVENT_WORDS: Final = 25
_DRAFTS: Final = 3
"""Sizes of replies (our choice): three questions a call."""


def _events(stand_in: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    apart = int(inputs.get("days_apart", 9))
    first = date.fromisoformat(inputs["first_day"])
    return {
        "events": [
            {
                "title": stand_in.text(4),
                "query": stand_in.text(_EVENT_WORDS),
                "date": (first + timedelta(days=apart * (at + 1))).isoformat(),
                "keyword": stand_in.text(3),
            }
            for at in range(int(inputs["count"]))
        ]
    }


def _drafts(stand_in: StandIn, inputs: Mapping[str, Any]) -> dict[str, Any]:
    places = [one["round"] for one in inputs["rounds"]][:_DRAFTS]
    return {"items": [stand_in.draft(place) for place in places]}


class StandInMaker(ItemMaker):
    """Keeps every second draft at once, and the others after they were sent back (our choice)."""

    def __init__(self, bundle: Any) -> None:
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
        return self._item(code, draft, window), []


REPLIES: Final[Replies] = {
    "event_line": _events,
    "distractor_line": _events,
    "timeline_check": lambda _, __: {"flags": []},
    "user_turn": lambda it, _: {"text": it.text(USER_WORDS)},
    "user_turn_document": lambda it, _: {"text": it.text(USER_WORDS)},
    "assistant_turn": lambda it, _: {"text": it.text(ASSISTANT_WORDS)},
    **dict.fromkeys((kind.prompt for kind in KINDS.values()), _drafts),
}

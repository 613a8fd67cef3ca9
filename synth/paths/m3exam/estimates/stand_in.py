"""What the stand-in of paper mode replies to M3Exam's own tasks."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from memassay.synth.drafting.stand_in import StandInItems, stand_in_drafts
from memassay.synth.extraction.stand_in import ASSISTANT_WORDS, USER_WORDS, Replies, StandIn
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.items import ItemMaker

_EVENT_WORDS: Final = 25
"""Words of what an event is about (our choice)."""


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


class StandInMaker(StandInItems, ItemMaker):
    """Keeps what a stand-in drafts."""


REPLIES: Final[Replies] = {
    "event_line": _events,
    "distractor_line": _events,
    "timeline_check": lambda _, __: {"flags": []},
    "user_turn": lambda it, _: {"text": it.text(USER_WORDS)},
    "user_turn_document": lambda it, _: {"text": it.text(USER_WORDS)},
    "assistant_turn": lambda it, _: {"text": it.text(ASSISTANT_WORDS)},
    **dict.fromkeys((kind.prompt for kind in KINDS.values()), stand_in_drafts),
}

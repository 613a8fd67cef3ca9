"""A stand-in for the models of paper mode: usual lengths, no thought, and a tally of what it did.

What a model will plan and say is not known before it is asked, but how often it is asked follows
from the sizes of a history, and what it is asked from what was said before. So the stages
themselves run, over placeholders of the length that prompts ask for.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from itertools import count
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from memassay.schemas.contracts.authors import Task
from memassay.schemas.judgements.bank import DropReason
from memassay.schemas.records.question import QAItem
from memassay.synth.paths.m3exam.estimates.tallies import SUMMARY_WORDS
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.items import ItemMaker, Problem
from memassay.synth.paths.m3exam.paper.windows import Window
from memassay.synth.paths.m3exam.tasks.question import ItemDraft
from memassay.synth.tallies import Tallies

Response = TypeVar("Response", bound=BaseModel)

_USER_WORDS: Final = 30
_ASSISTANT_WORDS: Final = 80
_EVENT_WORDS: Final = 25
_POINTS_A_ROUND: Final = 2
_PROPERTIES: Final = 6
_DRAFTS: Final = 3
"""Sizes of replies (our choice): in the middle of what prompts ask for, two memory points a round
of which every sixth is about one and the same property, three questions a call."""


class StandIn:
    """Fulfils every task of paper mode with a placeholder.

    Attributes:
        tallies: What was asked and written, by role.
    """

    def __init__(self) -> None:
        """Start without a call."""
        self.tallies = Tallies()
        self._numbers = count(1)

    def write(self, task: Task[Response]) -> Response:
        """A placeholder for the reply to a task, counted like a reply."""
        reply = task.response.model_validate(_REPLIES[task.name](self, task.inputs))
        self.tallies.count(task, reply.model_dump_json())
        return reply

    def text(self, words: int) -> str:
        """So many words of usual length, the first of which occurs nowhere else."""
        return " ".join([f"word{next(self._numbers)}", *["another"] * (words - 1)])

    def _events(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        apart = int(inputs.get("days_apart", 9))
        first = date.fromisoformat(inputs["first_day"])
        return {
            "events": [
                {
                    "title": self.text(4),
                    "query": self.text(_EVENT_WORDS),
                    "date": (first + timedelta(days=apart * (at + 1))).isoformat(),
                    "keyword": self.text(3),
                }
                for at in range(int(inputs["count"]))
            ]
        }

    def _points(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Memory points that can be located: each is the first word of a turn."""
        turns = [(one, who) for one in inputs["rounds"] for who in ("user", "assistant")]
        return {
            "points": [
                {
                    "round": one["round"],
                    "speaker": who,
                    "subject": "user",
                    "attribute": "the usual" if at % _PROPERTIES == 0 else self.text(3),
                    "value": one[who].split()[0],
                    "type": "text",
                    "unit": "",
                    "statement": self.text(10),
                }
                for at, (one, who) in enumerate(turns[: _POINTS_A_ROUND * len(inputs["rounds"])])
            ]
        }

    def _marks(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        values = [value["fact"] for one in inputs["properties"] for value in one["values"][1:]]
        return {"marks": [{"fact": fact, "relation": "separate", "of": ""} for fact in values]}

    def _drafts(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        places = [one["round"] for one in inputs["rounds"]][:_DRAFTS]
        return {"items": [self._draft(place) for place in places]}

    def _draft(self, place: str) -> dict[str, Any]:
        return {
            "question": self.text(14),
            "answers": [self.text(4)],
            "evidence": [place],
            "fact": "",
            "steps": [],
            "options": [],
            "others": [],
        }


class StandInMaker(ItemMaker):
    """Keeps every second draft at once, and the others after they were sent back (our choice)."""

    def __init__(self, bundle: Any) -> None:
        """Take the conversation."""
        super().__init__(bundle)
        self._looked_at = 0
        self._mended = False

    def candidate(
        self, code: str, draft: ItemDraft, window: Window
    ) -> tuple[QAItem | None, list[Problem]]:
        """The item of a draft, whatever the draft says."""
        self._looked_at += 1
        if self._looked_at % 2 == 0 and not self._mended:
            self._mended = True
            said = "evidence: expected rounds that are shown, got another"
            return None, [Problem(DropReason.OUTSIDE_WINDOW, said)]
        self._mended = False
        return self._item(code, draft, window), []


_FLAGS: Final[dict[str, Any]] = {"flags": []}
_REPLIES: Final[Mapping[str, Callable[[StandIn, Mapping[str, Any]], dict[str, Any]]]] = {
    "event_line": StandIn._events,
    "distractor_line": StandIn._events,
    "timeline_check": lambda _, __: _FLAGS,
    "chunk_audit": lambda _, __: _FLAGS,
    "cross_audit": lambda _, __: _FLAGS,
    "user_turn": lambda it, _: {"text": it.text(_USER_WORDS)},
    "user_turn_document": lambda it, _: {"text": it.text(_USER_WORDS)},
    "assistant_turn": lambda it, _: {"text": it.text(_ASSISTANT_WORDS)},
    "round_summary": lambda it, _: {"summary": it.text(SUMMARY_WORDS)},
    "memory_points": StandIn._points,
    "update_marking": StandIn._marks,
    "question_repair": lambda it, inputs: it._draft(inputs["rounds"][0]["round"]),
    **dict.fromkeys((kind.prompt for kind in KINDS.values()), StandIn._drafts),
}

"""What making lives of dialogues asks of models: a stand-in replies, and keeps a tally."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from memassay.schemas.contracts.authors import Task
from memassay.synth.clusters.keywords import KEYWORDS
from memassay.synth.tallies import Tallies

Response = TypeVar("Response", bound=BaseModel)

RANGE: Final = Decimal("0.35")
"""What part of it a bill may lie above or below its estimate (our choice)."""
ASSUMED: Final = (
    "dialogues are as long as the simulator's, two things are noted of every round, a turn of "
    "every session is revised, and every task of a life is asked once, whatever `best_of` says"
)
"""What an estimate takes for granted."""
_REVISED: Final = "word " * 45
_SUMMARY: Final = "word " * 60
"""What a model writes where it revises a turn, and where it sums somebody up (our choice)."""
_SAYS: Final = "word " * 15
_QUOTE: Final = 8
"""What a model notes of a round, and the words of it that it quotes (our choice)."""


class LifeStandIn:
    """Fulfils every task of clustering and joining with a placeholder.

    Attributes:
        tallies: What was asked and written, by role.
    """

    def __init__(self) -> None:
        """Start without a call."""
        self.tallies = Tallies()

    def write(self, task: Task[Response]) -> Response:
        """A placeholder for the reply to a task, counted like a reply."""
        reply = task.response.model_validate(_REPLIES[task.name](task.inputs))
        # No turn is revised here and no dialogue left out, but the words for it are paid for.
        paid = _REVISED if task.name in ("dialogue_revise", "life_contradictions") else ""
        self.tallies.count(task, reply.model_dump_json() + paid)
        return reply


def _bridge(inputs: Mapping[str, Any]) -> dict[str, Any]:
    said = {"user": "Do you have a moment for me?", "reply": "I do, go on."}
    return {"rounds": [said] * int(inputs["rounds"])}


def _wording(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {"rounds": [{side: one[side] for side in ("user", "reply")} for one in inputs["rounds"]]}


def _statements(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Two statements of every round in which somebody speaks."""
    found = []
    for one in inputs["rounds"]:
        for said in one["said"][:1]:
            quote = " ".join(said.partition(": ")[2].split()[:_QUOTE])
            found += [{"round": one["round"], "quote": quote, "says": _SAYS}] * 2
    return {"statements": found}


_REPLIES: Final[Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]]] = {
    # The same for all: what every dialogue is about tells none from another.
    "dialogue_keywords": lambda _: {"keywords": ["any keyword"] * KEYWORDS},
    "cluster_bridge": _bridge,
    "dialogue_revise": lambda _: {"turns": []},
    "life_statements": _statements,
    "life_contradictions": lambda _: {"pairs": []},
    "extension_wording": _wording,
    "life_profile": lambda _: {"summary": _SUMMARY, "traits": ["calm"] * 3, "style": "plain"},
}

"""What a model replies where dialogues become lives: keywords, bridges, new sessions, profiles."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from memassay.synth.clusters.keywords import KEYWORDS
from support.model_servers.asked import Answer, Asked, by_schema
from support.model_servers.simulated import task_of

BRIDGE = {"user": "Do you have a moment for me?", "reply": "I do, go on."}


@dataclass
class LifeWriter:
    """Replies as a model should, of usual length.

    Attributes:
        asked: Task and model of every request, in order.
        failing: A word; keywords of dialogues that have it are none.
        others: Replies to tasks of other stages.
        contradict: Words of two statements that it takes for contradicting each other.
    """

    failing: str = ""
    others: Answer = by_schema
    contradict: tuple[str, ...] = ()
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Any:
        """The reply to a request."""
        task = task_of(asked)
        self.asked.append((task, asked.model))
        if task == "dialogue_keywords":
            fails = self.failing and self.failing in asked.text
            return {"keywords": [] if fails else [f"{asked.model} {one}" for one in _words(asked)]}
        if task == "life_statements":
            rounds = json.loads(asked.data()[-1])
            return {"statements": [note for one in rounds for note in _notes(one)]}
        if task == "life_contradictions":
            return {"pairs": [pair for pair in [self.pair(asked.data()[-1])] if pair]}
        if task == "cluster_bridge":
            return {"rounds": [BRIDGE]}
        if task == "dialogue_revise":
            return {"turns": []}
        if task == "extension_wording":
            drafts = json.loads(asked.data()[-1])
            return {"rounds": [{side: one[side] for side in ("user", "reply")} for one in drafts]}
        if task == "life_profile":
            said = json.loads(asked.data()[-1])
            return {"summary": " ".join(said[:3]), "traits": ["calm"], "style": "In short."}
        if task == "best_of_judge":
            return {"best": 2, "reason": "It says more."}
        return self.others(asked)

    def pair(self, listed: str) -> dict[str, Any] | None:
        """The statements that contradict each other, if both stand in a list."""
        lines = [line for word in self.contradict for line in listed.splitlines() if word in line]
        if len(lines) != 2:
            return None
        one, other = (int(line.partition(".")[0]) for line in lines)
        return {"one": one, "other": other, "reason": "It cannot be both", "certain": True}

    def models(self, task: str) -> list[str]:
        """The models that were asked for a task, one for each request."""
        return sorted(model for each, model in self.asked if each == task)


def _words(asked: Asked) -> list[str]:
    """The first long words of a dialogue."""
    rounds = json.loads(asked.data()[0])
    said = " ".join(one["told"] for one in rounds).split()
    return list(dict.fromkeys(word.strip(".,!?").lower() for word in said if len(word) > 6))[
        : KEYWORDS // 2
    ] or ["talk"]


def _notes(one: dict[str, Any]) -> list[dict[str, Any]]:
    """A note of the first sentence that somebody says in a round, and one of the next."""
    said = " ".join(one["said"]).partition(": ")[2]
    parts = [part for part in re.split(r"(?<=[.!?])\s+", said) if part][:2]
    return [{"round": one["round"], "quote": part, "says": f"They said: {part}"} for part in parts]

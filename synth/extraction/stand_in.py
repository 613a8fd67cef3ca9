"""A stand-in for the models of paper mode: usual lengths, no thought, and a tally of what it did.

What a model will plan and say is not known before it is asked, but how often it is asked follows
from the sizes of a history, and what it is asked from what was said before. So the stages
themselves run, over placeholders of the length that prompts ask for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.synth.tallies import Tallies

Response = TypeVar("Response", bound=BaseModel)

USER_WORDS: Final = 30
ASSISTANT_WORDS: Final = 80
SUMMARY_WORDS: Final = 35
QUESTION_WORDS: Final = 14
GOLD_WORDS: Final = 4
_POINTS_A_ROUND: Final = 2
_PROPERTIES: Final = 6
"""Sizes of replies (our choice): in the middle of what prompts ask for, two memory points a round
of which every sixth is about one and the same property."""


class StandIn:
    """Fulfils every task of paper mode with a placeholder.

    Attributes:
        tallies: What was asked and written, by role.
    """

    def __init__(self, replies: "Replies", tallies: Tallies | None = None) -> None:
        """Take what is replied to the tasks of a path's own, and where it is counted."""
        self.tallies = tallies or Tallies()
        self._numbers = count(1)
        self._replies = {**_REPLIES, **replies}

    def write(self, task: Task[Response]) -> Response:
        """A placeholder for the reply to a task, counted like a reply."""
        reply = task.response.model_validate(self._replies[task.name](self, task.inputs))
        self.tallies.count(task, reply.model_dump_json())
        return reply

    def text(self, words: int) -> str:
        """So many words of usual length, the first of which occurs nowhere else."""
        return " ".join([f"word{next(self._numbers)}", *["another"] * (words - 1)])

    def draft(self, place: str) -> dict[str, Any]:
        """A question about a round."""
        return {
            "question": self.text(QUESTION_WORDS),
            "answers": [self.text(GOLD_WORDS)],
            "evidence": [place],
            "fact": "",
            "steps": [],
            "options": [],
            "others": [],
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


Reply = Callable[[StandIn, Mapping[str, Any]], dict[str, Any]]
Replies = Mapping[str, Reply]
"""By task, what a stand-in replies to its inputs."""

_FLAGS: Final[dict[str, Any]] = {"flags": []}
_REPLIES: Final[Replies] = {
    "chunk_audit": lambda _, __: _FLAGS,
    "cross_audit": lambda _, __: _FLAGS,
    "round_summary": lambda it, _: {"summary": it.text(SUMMARY_WORDS)},
    "memory_points": StandIn._points,
    "update_marking": StandIn._marks,
    "question_repair": lambda it, inputs: it.draft(inputs["rounds"][0]["round"]),
}


class StandInContext:
    """The context of a stage whose author is a stand-in."""

    def __init__(self, context: StageContext, author: StandIn) -> None:
        """Take a context without authors, and who writes in it."""
        self.author = author
        self.shard, self.blobs, self.depends = context.shard, context.blobs, context.depends
        self.random, self.emit, self.unit = context.random, context.emit, context.unit

    def write(self, task: Task[Response]) -> Response:
        """A placeholder for the reply to a task."""
        return self.author.write(task)

    def write_all(self, tasks: Iterable[Task[Response]]) -> Iterator[Response]:
        """Placeholders for the replies to tasks."""
        return (self.author.write(task) for task in tasks)

    def write_each(self, tasks: Iterable[Task[Response]]) -> Iterator[Response]:
        """As `write_all`."""
        return self.write_all(tasks)

"""Best of n: a task is drawn several times, by one model or more, and one reply is kept."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, TypeVar

from pydantic import BaseModel, JsonValue

from memassay.schemas.contracts.author_sections import AuthorSection, BestOfSection
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.errors import AuthorError, RecipeError
from memassay.schemas.hashing import canonical_json
from memassay.schemas.judgements.assignment import MOST_CHOICES
from memassay.synth.models.author import ModelAuthor
from memassay.synth.models.probe_tasks import best_of_judge
from memassay.synth.models.prompt_files import load_prompt

Response = TypeVar("Response", bound=BaseModel)


def refuse_best_of(author: AuthorSection, best_of: BestOfSection | None) -> None:
    """Refuse several draws where nobody draws, and more drafts than people can choose from.

    Args:
        author: Who writes what a recipe asks for.
        best_of: What the recipe says of several draws, if anything.

    Raises:
        RecipeError: The author is the simulator, or there would be too many drafts.
    """
    if best_of is None:
        return
    if isinstance(author, str):
        raise RecipeError("best_of: expected a language model under `author`, got the simulator")
    drafts = best_of.samples * (1 + len(best_of.models))
    if best_of.by == "person" and drafts > MOST_CHOICES:
        raise RecipeError(
            f"best_of: expected at most {MOST_CHOICES} drafts for a person to choose from, got "
            f"{drafts}; lower `samples` or name fewer `models`"
        )


@dataclass(frozen=True)
class Draw:
    """One reply to a task.

    Attributes:
        author: Name of the model.
        number: Which of its samples.
        reply: What it wrote.
    """

    author: str
    number: int
    reply: BaseModel

    @property
    def text(self) -> str:
        """The reply as canonical JSON."""
        return canonical_json(self.reply.model_dump(mode="json"))


class Chooser(Protocol):
    """Keeps one of several replies.

    Attributes:
        noted: What provenance says of how it was chosen.
    """

    noted: ClassVar[Mapping[str, JsonValue]]

    async def choose(self, task: Task[Any], draws: Sequence[Draw], trace: CallTrace) -> int:
        """0-based place of the best draw; they are not all equal.

        Raises:
            AuthorError: None of them is chosen.
            UndecidedError: People have yet to choose.
        """
        ...

    def settle(self, stage: str) -> None:
        """Take note that a stage has asked all that it asks for now."""
        ...


class JudgeChooser:
    """A model chooses."""

    noted: ClassVar[Mapping[str, JsonValue]] = {}

    def __init__(self, judge: ModelAuthor) -> None:
        """Take the model."""
        self.judge = judge

    async def choose(self, task: Task[Any], draws: Sequence[Draw], trace: CallTrace) -> int:
        """0-based place of the draw that the model names.

        Raises:
            AuthorError: It names none of them, or gives no usable reply.
        """
        rendered = load_prompt(task.name).render(task.inputs)
        texts = [draw.text for draw in draws]
        asked = best_of_judge(task.name, rendered.system, rendered.user, texts, task.record)
        verdict = await self.judge.write(replace(asked, images=task.images, draw=task.draw), trace)
        if verdict.best > len(texts):
            reason = f"expected a candidate from 1 to {len(texts)}, got {verdict.best}"
            raise AuthorError(f"{task.record}: task best_of_judge, {self.judge.name}: {reason}")
        return verdict.best - 1

    def settle(self, stage: str) -> None:
        """A judge decides at once."""


class BestOfAuthor:
    """Draws every task several times; the losers stay in the log of calls."""

    def __init__(self, authors: Sequence[ModelAuthor], samples: int, chooser: Chooser) -> None:
        """Take who draws, how often each, and who chooses.

        Args:
            authors: The models that draw.
            samples: Draws of each.
            chooser: Keeps one.
        """
        self.authors = list(authors)
        self.samples = samples
        self.chooser = chooser

    async def write(self, task: Task[Response], trace: CallTrace) -> Response:
        """Fulfil a task with the best of several replies; `trace` takes note of who won.

        Raises:
            AuthorError: No draw gave a usable reply, or none of them was chosen.
            UndecidedError: People have yet to choose; all draws are made and kept.
        """
        asked = [
            (author, replace(task, draw=task.draw * self.samples + sample))
            for author in self.authors
            for sample in range(self.samples)
        ]
        written = await asyncio.gather(
            *(author.write(one, trace) for author, one in asked), return_exceptions=True
        )
        for reply in written:
            if isinstance(reply, BaseException) and not isinstance(reply, AuthorError):
                raise reply
        failed = [reply for reply in written if isinstance(reply, AuthorError)]
        usable = [
            (Draw(author.name, one.draw, reply), reply)
            for (author, one), reply in zip(asked, written, strict=True)
            if not isinstance(reply, BaseException)
        ]
        if not usable:
            raise failed[0]
        best, reply = usable[await self._choice(task, [draw for draw, _ in usable], trace)]
        trace.chosen.append(
            {
                "record": task.record,
                "task": task.name,
                "author": best.author,
                "draw": best.number,
                **self.chooser.noted,
            }
        )
        return reply

    async def _choice(self, task: Task[Any], draws: Sequence[Draw], trace: CallTrace) -> int:
        """0-based place of the best draw; among equal ones nobody need choose."""
        if len({draw.text for draw in draws}) == 1:
            return 0
        return await self.chooser.choose(task, draws, trace)

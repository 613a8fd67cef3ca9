"""Best of n: a task is drawn several times, by one model or more, and a judge keeps one reply."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from memassay.schemas.author_protocols import Task
from memassay.schemas.errors import AuthorError
from memassay.schemas.hashing import canonical_json
from memassay.synth.model_author import CallTrace, ModelAuthor
from memassay.synth.probe_tasks import best_of_judge
from memassay.synth.prompt_files import load_prompt

Response = TypeVar("Response", bound=BaseModel)


class BestOfAuthor:
    """Draws every task several times; the losers stay in the log of calls."""

    def __init__(
        self, authors: Sequence[ModelAuthor], samples: int, judge: ModelAuthor, trace: CallTrace
    ) -> None:
        """Take who draws, how often each, and who chooses.

        Args:
            authors: The models that draw.
            samples: Draws of each.
            judge: Chooses.
            trace: Takes note of who won.
        """
        self.authors = list(authors)
        self.samples = samples
        self.judge = judge
        self.trace = trace
        self.name = ", ".join(author.name for author in self.authors)

    async def write(self, task: Task[Response]) -> Response:
        """Fulfil a task with the best of several replies.

        Raises:
            AuthorError: No draw gave a usable reply, or the judge chose none of them.
        """
        draws = [
            (author, replace(task, draw=task.draw * self.samples + sample))
            for author in self.authors
            for sample in range(self.samples)
        ]
        written = await asyncio.gather(
            *(author.write(one) for author, one in draws), return_exceptions=True
        )
        for reply in written:
            if isinstance(reply, BaseException) and not isinstance(reply, AuthorError):
                raise reply
        failed = [reply for reply in written if isinstance(reply, AuthorError)]
        usable = [
            (author, one.draw, reply)
            for (author, one), reply in zip(draws, written, strict=True)
            if not isinstance(reply, BaseException)
        ]
        if not usable:
            raise failed[0]
        author, draw, best = usable[await self._choice(task, [reply for _, _, reply in usable])]
        self.trace.chosen.append(
            {"record": task.record, "task": task.name, "author": author.name, "draw": draw}
        )
        return best

    async def _choice(self, task: Task[Response], replies: Sequence[BaseModel]) -> int:
        """0-based place of the best reply; equal ones need no judge."""
        texts = [canonical_json(reply.model_dump(mode="json")) for reply in replies]
        if len(set(texts)) == 1:
            return 0
        rendered = load_prompt(task.name).render(task.inputs)
        asked = best_of_judge(task.name, rendered.system, rendered.user, texts, task.record)
        verdict = await self.judge.write(replace(asked, images=task.images, draw=task.draw))
        if verdict.best > len(texts):
            said = f"expected a candidate from 1 to {len(texts)}, got {verdict.best}"
            raise AuthorError(f"{task.record}: task best_of_judge, {self.judge.name}: {said}")
        return verdict.best - 1

"""An author that is a language model: prompt in, validated response out, whatever the provider."""

import itertools
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import (
    CallTrace,
    ModelChoice,
    ModelReply,
    ModelRequest,
    Purpose,
)
from memassay.schemas.errors import AuthorError
from memassay.synth.models.prompt_files import Rendered, load_prompt, quote_value, with_schema
from memassay.synth.models.reply_reading import UnusableError, read_reply, strict_schema

Response = TypeVar("Response", bound=BaseModel)

Call = Callable[[ModelRequest, Purpose], Awaitable[ModelReply]]
"""Gives the reply to a request: from the cache, or by a call that is limited and paid for."""

_ATTEMPTS = 3
"""Replies to one task that are asked for at most, the first included (our choice)."""
_NOT_WHOLE = "expected one whole JSON object, got one that is broken off or broken; write all of it"
_MENDED = "no reply was one whole JSON object; what could be saved of the last one is used"


class ModelAuthor:
    """Writes with one model; who calls it caches, limits and pays."""

    def __init__(
        self,
        choice: ModelChoice,
        call: Call,
        is_stored: Callable[[ModelRequest], bool],
        *,
        retry_failed: bool = False,
    ) -> None:
        """Take a model and what gives its replies.

        Args:
            choice: The model.
            call: Gives the reply to a request; an `AuthorError` where there is none.
            is_stored: Whether it is there already, so that nothing is paid for it.
            retry_failed: Whether tasks whose stored replies cannot be used are asked for again.
        """
        self.choice = choice
        self.call = call
        self.is_stored = is_stored
        self.retry_failed = retry_failed
        self.name = f"{choice.provider}:{choice.model}"

    async def write(self, task: Task[Response], trace: CallTrace) -> Response:
        """Fulfil a task; a reply that cannot be used is named to the model and asked for again.

        So is one whose JSON had to be repaired, as its text may lack its end; if no further reply
        is whole, the last repaired one is used, and `CallTrace.repaired` says so. Replies that are
        stored are all looked at, so that what `retry_failed` brought is found by every later run.

        Args:
            task: What is to be written.
            trace: Of the unit it is for; takes note of every request.

        Raises:
            AuthorError: The model refused, or no reply of three could be used; the message
                names the task and its record, `raw` is the last reply.
        """
        prompt = load_prompt(task.name)
        trace.prompts.add(prompt.sha256)
        trace.authors.add(self.name)
        rendered = prompt.render(task.inputs)
        problem: UnusableError | None = None
        repaired: Response | None = None
        raw, asked = "", 0
        for attempt in itertools.count():
            request = self._request(task, rendered, attempt, problem)
            if not self.is_stored(request):
                if not self._may_ask(attempt, asked, problem):
                    break
                asked += 1
            reply = await self._call(request, task, trace)
            raw = reply.text or reply.raw
            try:
                read = read_reply(reply, task.response)
            except UnusableError as error:
                problem = error
                continue
            if not read.repaired:
                return read.response
            repaired, problem = read.response, UnusableError("repaired", _NOT_WHOLE)
        if repaired is not None:
            trace.repaired.append(self._message(task, UnusableError("repaired", _MENDED)))
            return repaired
        assert problem is not None
        raise AuthorError(self._message(task, problem), raw, problem.reason)

    def _may_ask(self, attempt: int, asked: int, problem: UnusableError | None) -> bool:
        """Whether one more reply may be paid for; a refusal is not asked about again."""
        refused = problem is not None and problem.reason == "refused"
        if self.retry_failed:
            return asked < _ATTEMPTS and not (refused and asked)
        return attempt < _ATTEMPTS and not refused

    async def _call(self, request: ModelRequest, task: Task[Any], trace: CallTrace) -> ModelReply:
        trace.request_keys.append(request.key)
        try:
            return await self.call(request, Purpose(trace.stage, task.name))
        except AuthorError as error:
            raise AuthorError(self._message(task, error), error.raw, error.reason) from None

    def _message(self, task: Task[Any], error: Exception) -> str:
        where = f"{task.record}: " if task.record else ""
        return f"{where}task {task.name}, {self.name}: {error}"

    def _request(
        self, task: Task[Any], rendered: Rendered, attempt: int, problem: UnusableError | None
    ) -> ModelRequest:
        choice, schema = self.choice, strict_schema(task.response)
        return ModelRequest(
            provider=choice.provider,
            api=choice.api,
            model=choice.model,
            system=rendered.system if choice.structured else with_schema(rendered.system, schema),
            text=_with_problem(rendered.user, problem),
            images=list(task.images) if choice.image_side else [],
            image_side=choice.image_side,
            schema_name=task.response.__name__,
            response_schema=schema,
            structured=choice.structured,
            parameters=_longer(choice.parameters, problem),
            draw=task.draw,
            attempt=attempt,
        )


def _with_problem(user: str, problem: UnusableError | None) -> str:
    if problem is None:
        return user
    return f"{user}\n\nYour last reply could not be used. Mend this:\n{quote_value(str(problem))}"


def _longer(parameters: Mapping[str, Any], problem: UnusableError | None) -> dict[str, Any]:
    """After a reply that was cut off, twice the room."""
    room = parameters.get("max_output_tokens")
    if problem is None or problem.reason != "cut_off" or room is None:
        return dict(parameters)
    return {**parameters, "max_output_tokens": room * 2}

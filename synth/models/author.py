"""An author that is a language model: prompt in, validated response out, whatever the provider."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, JsonValue

from memassay.schemas.contracts.authors import ModelCaller, Task
from memassay.schemas.contracts.calls import ModelReply, ModelRequest
from memassay.schemas.errors import AuthorError
from memassay.synth.models.prompt_files import Rendered, load_prompt, quoted
from memassay.synth.models.reply_reading import UnusableError, read_reply, strict_schema

Response = TypeVar("Response", bound=BaseModel)

_ATTEMPTS = 3
"""Replies to one task that are asked for at most, the first included (our choice)."""
_NOT_WHOLE = "expected one whole JSON object, got one that is broken off or broken; write all of it"
_MENDED = "no reply was one whole JSON object; what could be saved of the last one is used"


@dataclass(frozen=True)
class ModelChoice:
    """Which model is asked, and how.

    Attributes:
        provider: Protocol spoken.
        api: Which of its endpoints.
        model: Name of the model.
        parameters: Temperature, seed, reasoning effort, limits.
        structured: Whether the endpoint enforces a schema (else JSON mode).
        image_side: Longest side in pixels of the images shown.
    """

    provider: Literal["openai", "gemini"]
    model: str
    api: Literal["chat", "responses", "generate"] = "chat"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    structured: bool = True
    image_side: int = 1024


@dataclass
class CallTrace:
    """What the calls of one unit of work were, for its provenance.

    Attributes:
        request_keys: Keys of the requests made.
        prompts: Hashes of the prompts used.
        authors: Names of the models asked.
        repaired: Records, with the task and model, whose reply is used though its JSON was mended.
        chosen: Of tasks that were drawn several times, which draw of which model won.
    """

    request_keys: list[str] = field(default_factory=list)
    prompts: set[str] = field(default_factory=set)
    authors: set[str] = field(default_factory=set)
    repaired: list[str] = field(default_factory=list)
    chosen: list[dict[str, JsonValue]] = field(default_factory=list)


class ModelAuthor:
    """Writes with one model; the caller caches, limits and pays."""

    def __init__(
        self,
        choice: ModelChoice,
        caller: ModelCaller,
        trace: CallTrace,
        *,
        retry_failed: bool = False,
    ) -> None:
        """Bind a model to the caller of its endpoint.

        Args:
            choice: The model.
            caller: Gives replies to requests.
            trace: Takes note of every request made.
            retry_failed: Whether tasks whose stored replies cannot be used are asked for again.
        """
        self.retry_failed = retry_failed
        self.choice = choice
        self.caller = caller
        self.trace = trace
        self.name = f"{choice.provider}:{choice.model}"

    async def write(self, task: Task[Response]) -> Response:
        """Fulfil a task; a reply that cannot be used is named to the model and asked for again.

        So is one whose JSON had to be mended, as its text may lack its end; if no further reply is
        whole, the last mended one is used, and `CallTrace.repaired` says so. Replies that are
        stored are all looked at, so that what `retry_failed` brought is found by every later run.

        Raises:
            AuthorError: The model refused, or no reply of three could be used; the message
                names the task and its record, `raw` is the last reply.
        """
        prompt = load_prompt(task.name)
        self.trace.prompts.add(prompt.sha256)
        self.trace.authors.add(self.name)
        rendered = prompt.render(task.inputs)
        problem: UnusableError | None = None
        mended: Response | None = None
        raw, asked = "", 0
        for attempt in itertools.count():
            request = self._request(task, rendered, attempt, problem)
            if not self.caller.is_stored(request):
                if not self._may_ask(attempt, asked, problem):
                    break
                asked += 1
            reply = await self._called(request, task)
            raw = reply.text or reply.raw
            try:
                read = read_reply(reply, task.response)
            except UnusableError as error:
                problem = error
                continue
            if not read.repaired:
                return read.response
            mended, problem = read.response, UnusableError("repaired", _NOT_WHOLE)
        if mended is not None:
            self.trace.repaired.append(self._said(task, UnusableError("repaired", _MENDED)))
            return mended
        assert problem is not None
        raise AuthorError(self._said(task, problem), raw, problem.reason)

    def _may_ask(self, attempt: int, asked: int, problem: UnusableError | None) -> bool:
        """Whether one more reply may be paid for; a refusal is not asked about again."""
        refused = problem is not None and problem.reason == "refused"
        if self.retry_failed:
            return asked < _ATTEMPTS and not (refused and asked)
        return attempt < _ATTEMPTS and not refused

    async def _called(self, request: ModelRequest, task: Task[Any]) -> ModelReply:
        self.trace.request_keys.append(request.key)
        try:
            return await self.caller.call(request, task.name)
        except AuthorError as error:
            raise AuthorError(self._said(task, error), error.raw, error.reason) from None

    def _said(self, task: Task[Any], error: Exception) -> str:
        where = f"{task.record}: " if task.record else ""
        return f"{where}task {task.name}, {self.name}: {error}"

    def _request(
        self, task: Task[Any], rendered: Rendered, attempt: int, problem: UnusableError | None
    ) -> ModelRequest:
        choice = self.choice
        return ModelRequest(
            provider=choice.provider,
            api=choice.api,
            model=choice.model,
            system=_with_schema(rendered.system, task.response, choice.structured),
            text=_with_problem(rendered.user, problem),
            images=list(task.images),
            image_side=choice.image_side,
            schema_name=task.response.__name__,
            response_schema=strict_schema(task.response),
            structured=choice.structured,
            parameters=_longer(choice.parameters, problem),
            draw=task.draw,
            attempt=attempt,
        )


def _with_schema(system: str, response: type[BaseModel], structured: bool) -> str:
    """In JSON mode nobody but the prompt says which shape the reply has."""
    if structured:
        return system
    return (
        f"{system}\n\nReply with one JSON object that fits this JSON Schema:\n"
        f"{quoted(strict_schema(response))}"
    )


def _with_problem(user: str, problem: UnusableError | None) -> str:
    if problem is None:
        return user
    return f"{user}\n\nYour last reply could not be used. Mend this:\n{quoted(str(problem))}"


def _longer(parameters: Mapping[str, Any], problem: UnusableError | None) -> dict[str, Any]:
    """After a reply that was cut off, twice the room."""
    room = parameters.get("max_output_tokens")
    if problem is None or problem.reason != "cut_off" or room is None:
        return dict(parameters)
    return {**parameters, "max_output_tokens": room * 2}

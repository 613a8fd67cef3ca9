"""An author that is a language model: prompt in, validated response out, whatever the provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, JsonValue

from memassay.schemas.contracts.authors import ModelCaller, Task
from memassay.schemas.contracts.calls import ModelRequest
from memassay.schemas.errors import AuthorError
from memassay.synth.models.prompt_files import Rendered, load_prompt, quoted
from memassay.synth.models.reply_reading import UnusableError, read_reply, strict_schema

Response = TypeVar("Response", bound=BaseModel)

_ATTEMPTS = 3
"""Replies to one task that are asked for at most, the first included (our choice)."""


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
        chosen: Of tasks that were drawn several times, which draw of which model won.
    """

    request_keys: list[str] = field(default_factory=list)
    prompts: set[str] = field(default_factory=set)
    authors: set[str] = field(default_factory=set)
    chosen: list[dict[str, JsonValue]] = field(default_factory=list)


class ModelAuthor:
    """Writes with one model; the caller caches, limits and pays."""

    def __init__(self, choice: ModelChoice, caller: ModelCaller, trace: CallTrace) -> None:
        """Bind a model to the caller of its endpoint.

        Args:
            choice: The model.
            caller: Gives replies to requests.
            trace: Takes note of every request made.
        """
        self.choice = choice
        self.caller = caller
        self.trace = trace
        self.name = f"{choice.provider}:{choice.model}"

    async def write(self, task: Task[Response]) -> Response:
        """Fulfil a task; a reply that cannot be used is told so and asked for again.

        Raises:
            AuthorError: The model refused, or no reply of three could be used; the message
                names the task and its record, `raw` is the last reply.
        """
        prompt = load_prompt(task.name)
        self.trace.prompts.add(prompt.sha256)
        self.trace.authors.add(self.name)
        rendered = prompt.render(task.inputs)
        problem: UnusableError | None = None
        for attempt in range(_ATTEMPTS):
            request = self._request(task, rendered, attempt, problem)
            self.trace.request_keys.append(request.key)
            try:
                reply = await self.caller.call(request, task.name)
            except AuthorError as error:
                raise AuthorError(self._said(task, error), error.raw, error.reason) from None
            try:
                return read_reply(reply, task.response)
            except UnusableError as error:
                problem = error
            if problem.reason == "refused":
                break
        assert problem is not None
        raise AuthorError(self._said(task, problem), reply.text, problem.reason)

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

"""The `openai` client: chat completions and responses, hosted or at any compatible base URL."""

import base64
from collections.abc import Sequence
from typing import Any

from memassay.schemas.contracts.calls import ModelReply, ModelRequest, ReplyForm, ReplyStatus
from memassay.schemas.errors import CallError
from memassay.synth.models.answer_parts import (
    document_of,
    list_at,
    malformed_reply,
    part,
    text_at,
    text_reply,
    usage_of,
    waiting_time,
    was_sent,
)
from memassay.synth.models.images import media_type
from memassay.synth.models.key_ring import KeyRing
from memassay.synth.models.prompt_files import with_schema

KEY_VARIABLE = "OPENAI_API_KEY"
_UNPAID = frozenset(
    {
        "insufficient_quota",
        "billing_not_active",
        "credit_balance_exhausted",
        "exceeded_current_quota_error",
    }
)
"""Codes of a 429 that no waiting mends: the credit of the account is used up (OpenAI, Moonshot)."""
_PAYMENT_REQUIRED = 402
"""What OpenRouter and DeepSeek say instead."""


class OpenAIClient:
    """One endpoint that speaks OpenAI's protocol: OpenAI itself, vLLM, Ollama, LM Studio."""

    def __init__(
        self, keys: KeyRing, base_url: str | None, timeout: float, connections: int
    ) -> None:
        """Open the client; the library's own retries are off, the driver has them.

        Args:
            keys: Where the API key is.
            base_url: Address of a compatible server; None for OpenAI.
            timeout: Seconds a call may take.
            connections: Calls at once.
        """
        import httpx2
        from openai import AsyncOpenAI, DefaultAioHttpClient

        async def key() -> str:
            return keys.current()

        # The library's httpx transport costs quadratic time in the size of its pool.
        limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
        self.client = AsyncOpenAI(
            api_key=key,
            base_url=base_url,
            timeout=timeout,
            max_retries=0,
            # The prompt goes where the recipe says, and nowhere else.
            http_client=DefaultAioHttpClient(
                limits=limits, timeout=timeout, follow_redirects=False
            ),
        )

    async def send(self, request: ModelRequest, images: Sequence[bytes]) -> ModelReply:
        """One call.

        Raises:
            CallError: No reply came.
        """
        import openai

        try:
            if request.api == "responses":
                body = await self._responses(request, images)
                return read_response(body, len(images))
            body = await self._chat(request, images)
            return read_completion(body, len(images))
        except openai.APIError as error:
            raise call_error(error) from None

    async def _chat(self, request: ModelRequest, images: Sequence[bytes]) -> str:
        body = chat_body(request, images)
        # The library walks through typed parameters key by key, which for messages and a schema
        # costs as much as the rest of the call; what is extra goes out in their place as it is.
        answer = await self.client.chat.completions.with_raw_response.create(
            model=request.model, messages=[], extra_body=body
        )
        text: str = answer.text
        return text

    async def _responses(self, request: ModelRequest, images: Sequence[bytes]) -> str:
        body = responses_body(request, images)
        answer = await self.client.responses.with_raw_response.create(
            model=request.model, input=[], extra_body=body
        )
        text: str = answer.text
        return text

    async def close(self) -> None:
        """Close its connections."""
        await self.client.close()


def call_error(error: Any) -> CallError:
    """What an error of the library says, without its request, which holds our key."""
    status = getattr(error, "status_code", 0)
    if not status:
        # A refused connection is a timeout to the library; what it comes from says more.
        words = str(error.__cause__ or "") or f"{type(error).__name__}: {error}"
        return CallError(words, sent=was_sent(error))
    body = _passed_on(error.body)
    words = f"HTTP {status}: {text_at(body, 'message') or error.message}"
    wait = waiting_time(error.response.headers)
    return CallError(words, status, wait, unpaid=status == _PAYMENT_REQUIRED or is_unpaid(body))


def _passed_on(error: Any) -> Any:
    """The error of a provider that a router passes on as a text inside its own; else the error."""
    inner = part(document_of(text_at(error, "metadata", "raw")), "error")
    return error if inner is None else inner


def is_unpaid(error: Any) -> bool:
    """Whether the `error` of an answer says that the credit of the account is used up."""
    return bool(_UNPAID & {text_at(error, "code"), text_at(error, "type")})


def chat_body(request: ModelRequest, images: Sequence[bytes]) -> dict[str, Any]:
    """Body of a request for a chat completion."""
    named = {_CHAT_NAMES.get(name, name): value for name, value in request.parameters.items()}
    room = request.parameters.get("max_output_tokens")
    if request.form is not ReplyForm.SCHEMA and room is not None:
        # What does not know the newer form knows the older name alone.
        named["max_tokens"] = room
    unsaid = request.structured and request.form in _SAID
    system = with_schema(request.system, request.response_schema) if unsaid else request.system
    return {
        "model": request.model,
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": _chat_content(request, images)},
        ],
        **_chat_form(request),
        **named,
    }


def responses_body(request: ModelRequest, images: Sequence[bytes]) -> dict[str, Any]:
    """Body of a request for a response."""
    content: list[Any] = [{"type": "input_text", "text": request.text}]
    for shown, data in zip(request.images, images, strict=True):
        content.append({"type": "input_text", "text": f"Image {shown.label}:"})
        content.append({"type": "input_image", "image_url": _data_url(data), "detail": "auto"})
    given: dict[str, Any] = dict(request.parameters)
    effort = given.pop("reasoning_effort", None)
    given.pop("seed", None)  # This endpoint knows no seed; the draw still keys the cache.
    return {
        "model": request.model,
        "instructions": request.system,
        "input": [{"role": "user", "content": content}],
        "text": {"format": _responses_format(request)},
        "store": False,
        **given,
        **({"reasoning": {"effort": effort}} if effort else {}),
    }


def _data_url(data: bytes) -> str:
    return f"data:{media_type(data)};base64,{base64.b64encode(data).decode('ascii')}"


def _chat_content(request: ModelRequest, images: Sequence[bytes]) -> Any:
    if not images:
        return request.text
    content: list[Any] = [{"type": "text", "text": request.text}]
    for shown, data in zip(request.images, images, strict=True):
        content.append({"type": "text", "text": f"Image {shown.label}:"})
        content.append({"type": "image_url", "image_url": {"url": _data_url(data)}})
    return content


def _schema(request: ModelRequest) -> dict[str, Any]:
    return {"name": request.schema_name, "schema": request.response_schema, "strict": True}


_SAID = frozenset({ReplyForm.OBJECT, ReplyForm.PROMPT})
"""Forms in which the prompt says the schema, too: not every server that takes them enforces it."""


def _chat_form(request: ModelRequest) -> dict[str, Any]:
    """What of a request says which shape the reply has."""
    if not request.structured:
        return {"response_format": {"type": "json_object"}}
    if request.form is ReplyForm.SCHEMA:
        return {"response_format": {"type": "json_schema", "json_schema": _schema(request)}}
    if request.form is ReplyForm.OBJECT:
        return {"response_format": {"type": "json_object", "schema": request.response_schema}}
    if request.form is ReplyForm.PROMPT:
        return {}
    name = {"name": request.schema_name}
    tool = {"type": "function", "function": {**name, "parameters": request.response_schema}}
    return {"tools": [tool], "tool_choice": {"type": "function", "function": name}}


def _responses_format(request: ModelRequest) -> Any:
    if request.structured:
        return {"type": "json_schema", **_schema(request)}
    return {"type": "json_object"}


_CHAT_NAMES = {"max_output_tokens": "max_completion_tokens"}


def read_completion(body: str, images: int) -> ModelReply:
    """A chat completion: finish reason `length` is cut off, `content_filter` a refusal."""
    answer = document_of(body)
    usage = usage_of(
        part(answer, "usage"),
        ("prompt_tokens",),
        ("prompt_tokens_details", "cached_tokens"),
        ("completion_tokens",),
        images=images,
    )
    choice = part(answer, "choices", 0)
    message, finish = part(choice, "message"), part(choice, "finish_reason")
    content = part(message, "content")
    if not isinstance(message, dict) or not isinstance(content, str | list | None):
        return malformed_reply(body, usage)
    text = content if isinstance(content, str) else _join(content or [])
    text = text or text_at(message, "tool_calls", 0, "function", "arguments")
    refusal = text_at(message, "refusal")
    if refusal or finish == "content_filter":
        return ModelReply(status=ReplyStatus.REFUSED, text=refusal or text, usage=usage, raw=body)
    return text_reply(text, body, usage, cut=finish == "length")


def _join(content: list[Any]) -> str:
    """The words of a content that is a list of parts, as some servers send it."""
    return "".join(one if isinstance(one, str) else text_at(one, "text") for one in content)


def read_response(body: str, images: int) -> ModelReply:
    """A response: `incomplete` is cut off or filtered, a part of type `refusal` a refusal."""
    answer = document_of(body)
    usage = usage_of(
        part(answer, "usage"),
        ("input_tokens",),
        ("input_tokens_details", "cached_tokens"),
        ("output_tokens",),
        images=images,
    )
    if not isinstance(part(answer, "output"), list):
        return malformed_reply(body, usage)
    messages = [item for item in list_at(answer, "output") if part(item, "type") == "message"]
    parts = [one for item in messages for one in list_at(item, "content")]
    text = "".join(text_at(one, "text") for one in parts if part(one, "type") == "output_text")
    refused = [text_at(one, "refusal") for one in parts if part(one, "type") == "refusal"]
    why = part(answer, "incomplete_details", "reason")
    if refused or why == "content_filter":
        words = "".join(refused) or text
        return ModelReply(status=ReplyStatus.REFUSED, text=words, usage=usage, raw=body)
    return text_reply(text, body, usage, cut=part(answer, "status") == "incomplete")

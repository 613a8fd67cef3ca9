"""The `openai` client: chat completions and responses, hosted or at any compatible base URL."""

import base64
import json
from collections.abc import Sequence
from typing import Any

from memassay.schemas.contracts.calls import ModelReply, ModelRequest, ReplyStatus, Usage
from memassay.schemas.errors import CallError
from memassay.synth.models.images import media_type
from memassay.synth.models.key_ring import KeyRing

KEY_VARIABLE = "OPENAI_API_KEY"


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
            http_client=DefaultAioHttpClient(limits=limits, timeout=timeout),
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
        return CallError(str(error.__cause__ or "") or f"{type(error).__name__}: {error}")
    body = error.body if isinstance(error.body, dict) else {}
    said = f"HTTP {status}: {body.get('message') or error.message}"
    return CallError(said, status, _retry_after(error))


def chat_body(request: ModelRequest, images: Sequence[bytes]) -> dict[str, Any]:
    """Body of a request for a chat completion."""
    named = {_CHAT_NAMES.get(name, name): value for name, value in request.parameters.items()}
    return {
        "model": request.model,
        "messages": [
            {"role": "system", "content": request.system},
            {"role": "user", "content": _chat_content(request, images)},
        ],
        "response_format": _chat_format(request),
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


def _retry_after(error: Any) -> float | None:
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(float(headers[name]) * unit, 0.0)
        except (KeyError, ValueError):
            continue
    return None


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


def _chat_format(request: ModelRequest) -> Any:
    if request.structured:
        return {"type": "json_schema", "json_schema": _schema(request)}
    return {"type": "json_object"}


def _responses_format(request: ModelRequest) -> Any:
    if request.structured:
        return {"type": "json_schema", **_schema(request)}
    return {"type": "json_object"}


_CHAT_NAMES = {"max_output_tokens": "max_completion_tokens"}


def _loaded(body: str) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except ValueError as error:
        raise CallError(f"expected JSON from the endpoint, got {body[:80]!r}: {error}") from None
    if not isinstance(document, dict):
        raise CallError(f"expected a JSON object from the endpoint, got {body[:80]!r}")
    return document


def read_completion(body: str, images: int) -> ModelReply:
    """A chat completion: finish reason `length` is cut off, `content_filter` a refusal."""
    document = _loaded(body)
    choice = (document.get("choices") or [{}])[0]
    message, finish = choice.get("message") or {}, choice.get("finish_reason")
    refusal, text = message.get("refusal"), message.get("content") or ""
    used = document.get("usage") or {}
    usage = Usage(
        input=used.get("prompt_tokens") or 0,
        cached=(used.get("prompt_tokens_details") or {}).get("cached_tokens") or 0,
        output=used.get("completion_tokens") or 0,
        images=images,
    )
    if refusal or finish == "content_filter":
        return ModelReply(status=ReplyStatus.REFUSED, text=refusal or text, usage=usage, raw=body)
    status = ReplyStatus.CUT_OFF if finish == "length" else _complete(text)
    return ModelReply(status=status, text=text, usage=usage, raw=body)


def read_response(body: str, images: int) -> ModelReply:
    """A response: `incomplete` is cut off or filtered, a part of type `refusal` a refusal."""
    document = _loaded(body)
    parts = [
        part
        for item in document.get("output") or []
        if item.get("type") == "message"
        for part in item.get("content") or []
    ]
    text = "".join(part.get("text", "") for part in parts if part.get("type") == "output_text")
    refusal = "".join(part.get("refusal", "") for part in parts if part.get("type") == "refusal")
    used = document.get("usage") or {}
    usage = Usage(
        input=used.get("input_tokens") or 0,
        cached=(used.get("input_tokens_details") or {}).get("cached_tokens") or 0,
        output=used.get("output_tokens") or 0,
        images=images,
    )
    why = (document.get("incomplete_details") or {}).get("reason")
    if refusal or why == "content_filter":
        return ModelReply(status=ReplyStatus.REFUSED, text=refusal or text, usage=usage, raw=body)
    cut = document.get("status") == "incomplete"
    status = ReplyStatus.CUT_OFF if cut else _complete(text)
    return ModelReply(status=status, text=text, usage=usage, raw=body)


def _complete(text: str) -> ReplyStatus:
    return ReplyStatus.COMPLETE if text.strip() else ReplyStatus.EMPTY

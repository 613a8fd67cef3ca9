"""The `google-genai` client: generateContent with a response schema."""

from collections.abc import Sequence
from typing import Any, Final

from memassay.schemas.contracts.calls import ModelReply, ModelRequest, ReplyStatus, Usage
from memassay.schemas.errors import CallError
from memassay.synth.models.answer_parts import (
    document_of,
    list_at,
    malformed_reply,
    part,
    seconds_of,
    text_at,
    text_reply,
    usage_of,
    waiting_time,
    was_sent,
)
from memassay.synth.models.images import media_type
from memassay.synth.models.key_ring import KeyRing

KEY_VARIABLE = "GEMINI_API_KEY"

_CUT: Final = frozenset({"MAX_TOKENS"})
_REFUSED: Final = frozenset(
    {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"}
)
_EFFORT_TOKENS: Final = {"none": 0, "minimal": 0, "low": 1024, "medium": 8192, "high": 24576}
"""Thinking budgets by reasoning effort (our choice)."""


async def _refuse_redirect(_session: Any, _context: Any, redirected: Any) -> None:
    """Key and prompt go where the recipe says: aiohttp would send both to any other host.

    Raises:
        CallError: Always.
    """
    status = redirected.response.status
    raise CallError(f"HTTP {status}: redirected to another address", status)


class GeminiClient:
    """One endpoint that speaks Gemini's protocol."""

    def __init__(
        self, keys: KeyRing, base_url: str | None, timeout: float, connections: int
    ) -> None:
        """Open the client; the library's own retries are off, the driver has them.

        Args:
            keys: Where the API key is.
            base_url: Address of a compatible server; None for Google's.
            timeout: Seconds a call may take.
            connections: Calls at once.
        """
        import aiohttp
        from google import genai
        from google.genai import types

        self.keys = keys
        self._key = keys.current()
        redirects = aiohttp.TraceConfig()
        redirects.on_request_redirect.append(_refuse_redirect)
        # Made inside the driver's loop, where it is used.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=connections),
            trust_env=True,
            trace_configs=[redirects],
        )
        options = types.HttpOptions(
            base_url=base_url,
            timeout=int(timeout * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
            aiohttp_client=self._session,
        )
        self.client = genai.Client(api_key=self._key, http_options=options)

    async def send(self, request: ModelRequest, images: Sequence[bytes]) -> ModelReply:
        """One call.

        Raises:
            CallError: No reply came.
        """
        import aiohttp
        from google.genai import errors

        try:
            answer = await self.client.aio.models.generate_content(
                model=request.model,
                contents=contents_of(request, images),
                config=self.config(request),
            )
        except errors.APIError as error:
            raise call_error(error) from None
        except UnicodeDecodeError as error:
            return malformed_reply(bytes(error.object).decode("utf-8", "replace"), Usage())
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise CallError(f"{type(error).__name__}: {error}", sent=was_sent(error)) from None
        sent = answer.sdk_http_response
        return read_answer((sent.body if sent else None) or "", len(images))

    def config(self, request: ModelRequest, *, batch: bool = False) -> Any:
        """How an answer is to be made; the lines of a batch bear no key."""
        from google.genai import types

        given: dict[str, Any] = dict(request.parameters)
        effort = given.pop("reasoning_effort", None)
        if effort is not None:
            given["thinking_config"] = types.ThinkingConfig(
                thinking_budget=_EFFORT_TOKENS[str(effort)]
            )
        if request.structured:
            given["response_json_schema"] = request.response_schema
        if not batch:
            # The library would read the answer into its own types, and lose what does not fit.
            given["should_return_http_response"] = True
            headers = {"x-goog-api-key": self.keys.current()}
            given["http_options"] = types.HttpOptions(headers=headers)
        return types.GenerateContentConfig(
            system_instruction=request.system, response_mime_type="application/json", **given
        )

    async def close(self) -> None:
        """Close its connections."""
        await self._session.close()


def contents_of(request: ModelRequest, images: Sequence[bytes]) -> Any:
    """The text of a request and its images, each after its label."""
    from google.genai import types

    parts = [types.Part.from_text(text=request.text)]
    for shown, data in zip(request.images, images, strict=True):
        parts.append(types.Part.from_text(text=f"Image {shown.label}:"))
        parts.append(types.Part.from_bytes(data=data, mime_type=media_type(data)))
    return [types.Content(role="user", parts=parts)]


def call_error(error: Any) -> CallError:
    """What an error of the library says."""
    words = f"HTTP {error.code}: {error.message}"
    return CallError(words, error.code, _retry_after(error), quota=_is_used_up(error))


def _retry_after(error: Any) -> float | None:
    """Seconds of a `Retry-After` header or of Google's `RetryInfo` detail."""
    asked = waiting_time(getattr(error.response, "headers", None) or {})
    if asked is not None:
        return asked
    for detail in list_at(error.details, "error", "details"):
        asked = seconds_of(text_at(detail, "retryDelay").removesuffix("s"))
        if asked is not None:
            return asked
    return None


def _is_used_up(error: Any) -> bool:
    """Whether the quota of a day is used up, which waiting for a minute does not change."""
    return any(
        "PerDay" in text_at(violation, "quotaId")
        for detail in list_at(error.details, "error", "details")
        for violation in list_at(detail, "violations")
    )


def read_answer(body: str, images: int) -> ModelReply:
    """The reply that an answer of generateContent holds; thoughts are billed and no part of it."""
    answer = document_of(body)
    usage = usage_of(
        part(answer, "usageMetadata"),
        ("promptTokenCount",),
        ("cachedContentTokenCount",),
        ("candidatesTokenCount",),
        ("thoughtsTokenCount",),
        images=images,
    )
    blocked = text_at(answer, "promptFeedback", "blockReason")
    candidate = part(answer, "candidates", 0)
    finish = text_at(candidate, "finishReason")
    parts = list_at(candidate, "content", "parts")
    text = "".join(text_at(one, "text") for one in parts if part(one, "thought") is not True)
    if blocked or finish in _REFUSED:
        words = text or blocked or finish
        return ModelReply(status=ReplyStatus.REFUSED, text=words, usage=usage, raw=body)
    if not isinstance(candidate, dict) or not isinstance(part(candidate, "content"), dict | None):
        return malformed_reply(body, usage)
    return text_reply(text, body, usage, cut=finish in _CUT)

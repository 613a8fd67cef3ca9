"""The `google-genai` client: generateContent with a response schema."""

from collections.abc import Sequence
from typing import Any, Final

from memassay.schemas.contracts.calls import ModelReply, ModelRequest, ReplyStatus, Usage
from memassay.schemas.errors import CallError
from memassay.synth.models.images import media_type
from memassay.synth.models.key_ring import KeyRing

KEY_VARIABLE = "GEMINI_API_KEY"

_CUT: Final = frozenset({"MAX_TOKENS"})
_REFUSED: Final = frozenset(
    {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"}
)
_EFFORT_TOKENS: Final = {"none": 0, "minimal": 0, "low": 1024, "medium": 8192, "high": 24576}
"""Thinking budgets by reasoning effort (our choice)."""


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
        # Made inside the driver's loop, where it is used.
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=connections), trust_env=True
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
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise CallError(f"{type(error).__name__}: {error}") from None
        return read_answer(answer, len(images))

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
    return CallError(f"HTTP {error.code}: {error.message}", error.code, _retry_after(error))


def _retry_after(error: Any) -> float | None:
    """Seconds of a `Retry-After` header or of Google's `RetryInfo` detail."""
    headers = getattr(error.response, "headers", None) or {}
    try:
        return max(float(headers["retry-after"]), 0.0)
    except (KeyError, ValueError, TypeError):
        pass
    details = error.details if isinstance(error.details, dict) else {}
    for detail in (details.get("error") or {}).get("details") or []:
        delay = str(detail.get("retryDelay", "")).removesuffix("s")
        if delay.replace(".", "", 1).isdigit():
            return float(delay)
    return None


def read_answer(answer: Any, images: int) -> ModelReply:
    """The reply that an answer of the library holds."""
    used = answer.usage_metadata
    usage = Usage(
        input=(used and used.prompt_token_count) or 0,
        cached=(used and used.cached_content_token_count) or 0,
        output=((used and used.candidates_token_count) or 0)
        + ((used and used.thoughts_token_count) or 0),
        images=images,
    )
    raw = answer.model_dump_json(exclude_none=True, exclude={"sdk_http_response", "parsed"})
    blocked = answer.prompt_feedback and answer.prompt_feedback.block_reason
    candidate = (answer.candidates or [None])[0]
    finish = str(candidate.finish_reason.value) if candidate and candidate.finish_reason else ""
    content = candidate.content.parts or [] if candidate and candidate.content else []
    text = "".join(part.text or "" for part in content if not part.thought)
    if blocked or finish in _REFUSED:
        status = ReplyStatus.REFUSED
        text = text or str(blocked or finish)
    elif finish in _CUT:
        status = ReplyStatus.CUT_OFF
    else:
        status = ReplyStatus.COMPLETE if text.strip() else ReplyStatus.EMPTY
    return ModelReply(status=status, text=text, usage=usage, raw=raw)

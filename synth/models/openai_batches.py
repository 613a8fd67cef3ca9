"""OpenAI's batch API: a file of requests in, a file of answers out, within a day at half price."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from memassay.schemas.contracts.calls import BatchState, ModelReply, ModelRequest
from memassay.schemas.errors import CallError
from memassay.synth.models.answer_parts import document_of, part, text_at
from memassay.synth.models.openai_client import (
    OpenAIClient,
    call_error,
    chat_body,
    is_unpaid,
    read_completion,
    read_response,
    responses_body,
)

_URLS = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


class OpenAIBatches:
    """Batches at one endpoint."""

    def __init__(self, client: OpenAIClient) -> None:
        """Use the connections of a client."""
        self.client = client

    async def submit(
        self, tag: str, requests: Mapping[str, tuple[ModelRequest, Sequence[bytes]]]
    ) -> str:
        """Submit requests by key under a tag of ours; gives the batch's id.

        Raises:
            CallError: It was not taken.
        """
        import openai

        api = next(iter(requests.values()))[0].api
        lines = "".join(
            f"{json.dumps(_line(key, request, images))}\n"
            for key, (request, images) in requests.items()
        )
        file = io.BytesIO(lines.encode("utf-8"))
        file.name = f"{tag}.jsonl"
        try:
            uploaded = await self.client.client.files.create(file=file, purpose="batch")
            batch = await self.client.client.batches.create(
                input_file_id=uploaded.id,
                endpoint=_URLS[api],  # type: ignore[arg-type]
                completion_window="24h",
                metadata={"memassay": tag},
            )
        except openai.APIError as error:
            raise call_error(error) from None
        return batch.id

    async def find(self, tag: str) -> str | None:
        """Id of the batch that was submitted under a tag, if it ever was.

        Raises:
            CallError: The endpoint did not say.
        """
        import openai

        try:
            async for batch in self.client.client.batches.list(limit=100):
                if (batch.metadata or {}).get("memassay") == tag:
                    return batch.id
        except openai.APIError as error:
            raise call_error(error) from None
        return None

    async def state(self, batch: str) -> BatchState:
        """Whether a batch has ended.

        Raises:
            CallError: The endpoint did not say.
        """
        import openai

        try:
            found = await self.client.client.batches.retrieve(batch)
        except openai.APIError as error:
            raise call_error(error) from None
        return BatchState(ended=found.status in _ENDED, said=found.status)

    async def harvest(
        self, batch: str, images: Mapping[str, int]
    ) -> dict[str, ModelReply | CallError]:
        """By key, what an ended batch gave; keys it gave nothing for are left out.

        Args:
            batch: Id of the batch.
            images: Number of images of each request, by key.

        Raises:
            CallError: Its files could not be read.
        """
        import openai

        outcomes: dict[str, ModelReply | CallError] = {}
        try:
            found = await self.client.client.batches.retrieve(batch)
            for file in (found.output_file_id, found.error_file_id):
                if file:
                    content = await self.client.client.files.content(file)
                    # Not `splitlines`: within a JSON text there may be other ends of lines.
                    for line in content.text.split("\n"):
                        outcomes |= _outcome(document_of(line), images)
        except openai.APIError as error:
            raise call_error(error) from None
        return outcomes

    async def close(self) -> None:
        """Close the connections of its client."""
        await self.client.close()


def _line(key: str, request: ModelRequest, images: Sequence[bytes]) -> dict[str, object]:
    body = (chat_body if request.api == "chat" else responses_body)(request, images)
    return {"custom_id": key, "method": "POST", "url": _URLS[request.api], "body": body}


def _outcome(line: Any, images: Mapping[str, int]) -> dict[str, ModelReply | CallError]:
    """What a line of an answer says, by its key; nothing if it is no line of an answer."""
    key, answer = text_at(line, "custom_id"), part(line, "response")
    if not key:
        return {}
    if not isinstance(answer, dict):
        return {key: CallError(f"batch: {json.dumps(part(line, 'error'))}")}
    status, body = part(answer, "status_code"), part(answer, "body")
    if status != 200:
        words = text_at(body, "error", "message") or json.dumps(body)
        known = status if isinstance(status, int) else 0
        unpaid = is_unpaid(part(body, "error"))
        return {key: CallError(f"HTTP {status}: {words}", known, unpaid=unpaid)}
    read = read_completion if part(body, "object") == "chat.completion" else read_response
    return {key: read(json.dumps(body), images.get(key, 0))}

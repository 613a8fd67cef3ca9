"""Gemini's batch mode: requests and answers inline, within a day at half price."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from memassay.schemas.contracts.calls import BatchState, ModelReply, ModelRequest
from memassay.schemas.errors import CallError
from memassay.synth.models.gemini_client import GeminiClient, call_error, contents_of, read_answer

_ENDED: Final = frozenset({"SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "PARTIALLY_SUCCEEDED"})
_HTTP: Final = {8: 429, 14: 503, 4: 504, 13: 500, 3: 400, 7: 403, 16: 401}
"""HTTP statuses of the canonical error codes that a batch line may bear."""


class GeminiBatches:
    """Batches at one endpoint."""

    def __init__(self, client: GeminiClient) -> None:
        """Use the connections of a client."""
        self.client = client

    async def submit(
        self, tag: str, requests: Mapping[str, tuple[ModelRequest, Sequence[bytes]]]
    ) -> str:
        """Submit requests by key under a tag of ours; gives the batch's id.

        Raises:
            CallError: It was not taken.
        """
        from google.genai import errors, types

        inlined = [
            types.InlinedRequest(
                contents=contents_of(request, images),
                metadata={"key": key},
                config=self.client.config(request, batch=True),
            )
            for key, (request, images) in requests.items()
        ]
        model = next(iter(requests.values()))[0].model
        try:
            job = await self.client.client.aio.batches.create(
                model=model,
                src=types.BatchJobSource(inlined_requests=inlined),
                config=types.CreateBatchJobConfig(display_name=tag),
            )
        except errors.APIError as error:
            raise call_error(error) from None
        return str(job.name)

    async def find(self, tag: str) -> str | None:
        """Id of the batch that was submitted under a tag, if it ever was.

        Raises:
            CallError: The endpoint did not say.
        """
        from google.genai import errors

        try:
            async for job in await self.client.client.aio.batches.list():
                if job.display_name == tag:
                    return str(job.name)
        except errors.APIError as error:
            raise call_error(error) from None
        return None

    async def state(self, batch: str) -> BatchState:
        """Whether a batch has ended.

        Raises:
            CallError: The endpoint did not say.
        """
        job = await self._job(batch)
        words = str(job.state.value if job.state else "").removeprefix("JOB_STATE_")
        return BatchState(ended=words in _ENDED, said=words.lower())

    async def harvest(
        self, batch: str, images: Mapping[str, int]
    ) -> dict[str, ModelReply | CallError]:
        """By key, what an ended batch gave; keys it gave nothing for are left out.

        Args:
            batch: Id of the batch.
            images: Number of images of each request, by key.

        Raises:
            CallError: It could not be read.
        """
        job = await self._job(batch)
        answers = (job.dest.inlined_responses or []) if job.dest else []
        outcomes: dict[str, ModelReply | CallError] = {}
        for answer in answers:
            key = str((answer.metadata or {}).get("key", ""))
            if answer.response is not None:
                body = answer.response.model_dump_json(exclude_none=True, by_alias=True)
                outcomes[key] = read_answer(body, images.get(key, 0))
            elif answer.error is not None:
                status = _HTTP.get(answer.error.code or 0, 500)
                outcomes[key] = CallError(f"batch: {answer.error.message}", status)
        return outcomes

    async def _job(self, batch: str) -> Any:
        from google.genai import errors

        try:
            return await self.client.client.aio.batches.get(name=batch)
        except errors.APIError as error:
            raise call_error(error) from None

    async def close(self) -> None:
        """Close the connections of its client."""
        await self.client.close()

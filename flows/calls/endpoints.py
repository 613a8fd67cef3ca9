"""The endpoints of a run: one driver for each, opened at its first call, closed with the run."""

from collections.abc import Callable, Sequence
from pathlib import Path

from memassay.flows.calls.batch_driver import BatchDriver, BatchTerms
from memassay.flows.calls.driver import Endpoint, ModelDriver
from memassay.flows.calls.payments import Payments
from memassay.flows.calls.recordings import Recordings
from memassay.flows.calls.reply_forms import ReplyForms
from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.contracts.authors import BatchClient
from memassay.schemas.contracts.calls import ModelReply, ModelRequest, Purpose
from memassay.schemas.errors import StoppedError
from memassay.schemas.values.redaction import redact
from memassay.synth.models import gemini_client, openai_client
from memassay.synth.models.gemini_batches import GeminiBatches
from memassay.synth.models.gemini_client import GeminiClient
from memassay.synth.models.key_ring import KeyRing
from memassay.synth.models.openai_batches import OpenAIBatches
from memassay.synth.models.openai_client import OpenAIClient

Driver = ModelDriver | BatchDriver


class Endpoints:
    """Drivers by address; all but the making of them happens in the loop they live in.

    A run that finds every reply in the log opens none, and imports no client.
    """

    def __init__(
        self,
        models: Sequence[ModelSection],
        folder: Path,
        payments: Payments,
        images: Callable[[ModelRequest], list[bytes]],
        recordings: Recordings,
    ) -> None:
        """Find the keys of all models, unless recorded replies stand in for them.

        Args:
            models: All models of the run.
            folder: What relative paths of key files are relative to.
            payments: Where replies are paid for.
            images: Bytes of the images of a request.
            recordings: Where replies are recorded to, or replayed from.

        Raises:
            UsageError: A key is not there.
        """
        self._models = models
        self._folder = folder
        self._payments = payments
        self._images = images
        self._recordings = recordings
        self._drivers: dict[tuple[str, ...], Driver] = {}
        self._stopped = False
        for model in models if recordings.replay is None else ():
            self._keys(model).current()

    async def call(
        self, model: ModelSection, request: ModelRequest, purpose: Purpose
    ) -> ModelReply:
        """The reply of a model: the recorded one, or the one that its endpoint's driver gives.

        Raises:
            AuthorError: The endpoint rejects the request, or gave no reply, or none is recorded.
            BudgetError: The cap on spending is reached.
            EndpointError: The endpoint answers nobody.
            StoppedError: The run ends.
        """
        if self._recordings.replay is not None:
            return self._recordings.find(request, purpose.task)
        reply = await self._driver(model).call(request, purpose)
        self._recordings.keep(request, purpose.task, reply)
        return reply

    def _driver(self, model: ModelSection) -> Driver:
        if self._stopped:
            raise StoppedError("the run ends: no new call is made")
        address = _address(model)
        if address not in self._drivers:
            self._drivers[address] = self._open_batches(model)
        return self._drivers[address]

    def is_stored(self, request: ModelRequest) -> bool:
        """Whether the reply to a request is there already: in the log of calls, or recorded."""
        if self._recordings.replay is not None:
            return self._recordings.has(request)
        return self._payments.log.has(request.key)

    def _open_batches(self, model: ModelSection) -> Driver:
        client = self._client(model)
        if not model.batch:
            forms = ReplyForms(
                redact(model.base_url or ""), self._models_to_learn(model), self._payments.log
            )
            return ModelDriver(client, _driving(model), self._payments, self._images, forms)
        batches: BatchClient
        if isinstance(client, OpenAIClient):
            batches = OpenAIBatches(client)
        else:
            batches = GeminiBatches(client)
        name = "|".join(_address(model))
        return BatchDriver(batches, name, batch_terms(model), self._payments, self._images)

    def _models_to_learn(self, model: ModelSection) -> set[str]:
        """Names of the models at the endpoint of one whose form is to be found out."""
        same = (one for one in self._models if _address(one) == _address(model))
        return {one.model for one in same if one.finds_form}

    def _client(self, model: ModelSection) -> OpenAIClient | GeminiClient:
        kind = GeminiClient if model.provider == "gemini" else OpenAIClient
        return kind(self._keys(model), model.base_url, model.timeout, model.concurrency)

    def _keys(self, model: ModelSection) -> KeyRing:
        gemini = model.provider == "gemini"
        usual = gemini_client.KEY_VARIABLE if gemini else openai_client.KEY_VARIABLE
        file = self._folder / model.key_file if model.key_file else None
        return KeyRing(model.key_variable or usual, file, needed=model.base_url is None)

    def stop(self, *, soon: bool = False) -> None:
        """Make no new call; what is under way may end, or with `soon` has seconds left for it."""
        self._stopped = True
        self._payments.stop()
        for driver in self._drivers.values():
            driver.stop(soon=soon)

    async def close(self) -> None:
        """Let what is under way end and be kept, then close every client."""
        for driver in self._drivers.values():
            await driver.close()


def _address(model: ModelSection) -> tuple[str, ...]:
    """What makes two models share an endpoint and so its limits."""
    key = (model.key_variable or "", model.key_file or "")
    return (model.provider, model.base_url or "", *key, "batch" if model.batch else "live")


def _driving(model: ModelSection) -> Endpoint:
    """How the endpoint is driven; no reply depends on it."""
    return Endpoint(
        concurrency=model.concurrency,
        requests_per_minute=model.requests_per_minute,
        tokens_per_minute=model.tokens_per_minute,
        first_wait=model.retry_wait,
        patience=model.longest_silence,
        timeout=model.timeout,
    )


def batch_terms(model: ModelSection) -> BatchTerms:
    """How batches are made."""
    return BatchTerms(
        poll=model.batch_poll, gather=model.batch_gather, patience=model.longest_silence
    )

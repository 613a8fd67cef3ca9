"""The endpoints of a run: one driver for each, opened at its first call, closed with the run."""

from collections.abc import Callable, Sequence
from pathlib import Path

from memassay.flows.calls.batch_driver import BatchDriver
from memassay.flows.calls.driver import ModelDriver
from memassay.flows.calls.payments import Payments
from memassay.flows.recipes.author_sections import ModelSection
from memassay.schemas.contracts.authors import BatchClient
from memassay.schemas.contracts.calls import ModelRequest
from memassay.schemas.errors import StoppedError
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
    ) -> None:
        """Find the keys of all models.

        Args:
            models: All models of the run.
            folder: What relative paths of key files are relative to.
            payments: Where replies are paid for.
            images: Bytes of the images of a request.

        Raises:
            UsageError: A key is not there.
        """
        self._folder = folder
        self._payments = payments
        self._images = images
        self._drivers: dict[tuple[str, ...], Driver] = {}
        self._stopped = False
        for model in models:
            self._keys(model).current()

    def driver(self, model: ModelSection) -> Driver:
        """The driver of a model's endpoint.

        Raises:
            StoppedError: The run ends.
        """
        if self._stopped:
            raise StoppedError("the run ends: no new call is made")
        address = _address(model)
        if address not in self._drivers:
            self._drivers[address] = self._opened(model)
        return self._drivers[address]

    def is_stored(self, request: ModelRequest) -> bool:
        """Whether the reply to a request is in the log of calls."""
        return self._payments.log.has(request.key)

    def _opened(self, model: ModelSection) -> Driver:
        client = self._client(model)
        if not model.batch:
            return ModelDriver(client, model.endpoint(), self._payments, self._images)
        batches: BatchClient
        if isinstance(client, OpenAIClient):
            batches = OpenAIBatches(client)
        else:
            batches = GeminiBatches(client)
        name = "|".join(_address(model))
        return BatchDriver(batches, name, model.batch_terms(), self._payments, self._images)

    def _client(self, model: ModelSection) -> OpenAIClient | GeminiClient:
        kind = GeminiClient if model.provider == "gemini" else OpenAIClient
        return kind(self._keys(model), model.base_url, model.timeout, model.concurrency)

    def _keys(self, model: ModelSection) -> KeyRing:
        gemini = model.provider == "gemini"
        usual = gemini_client.KEY_VARIABLE if gemini else openai_client.KEY_VARIABLE
        file = self._folder / model.key_file if model.key_file else None
        return KeyRing(model.key_variable or usual, file, needed=model.base_url is None)

    def stop(self) -> None:
        """Make no new call; what is under way may end."""
        self._stopped = True
        for driver in self._drivers.values():
            driver.stop()

    async def close(self) -> None:
        """Let what is under way end and be kept, then close every client."""
        for driver in self._drivers.values():
            await driver.close()


def _address(model: ModelSection) -> tuple[str, ...]:
    """What makes two models share an endpoint and so its limits."""
    key = (model.key_variable or "", model.key_file or "")
    return (model.provider, model.base_url or "", *key, "batch" if model.batch else "live")

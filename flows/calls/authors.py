"""The authors of a run: one driver for each endpoint, one loop, one log, one budget."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from memassay.flows.calls.call_log import CallLog, Purpose
from memassay.flows.calls.endpoints import Endpoints
from memassay.flows.calls.loop import ModelLoop
from memassay.flows.calls.payments import Payments, Price
from memassay.flows.calls.recordings import Recorder, Tapes
from memassay.flows.recipes.author_sections import BestOfSection, ModelSection
from memassay.flows.review.choices import PeopleChoices
from memassay.schemas.contracts.authors import ModelCaller, Task
from memassay.schemas.contracts.calls import ModelReply, ModelRequest
from memassay.schemas.contracts.protocols import BlobStore
from memassay.synth.models.author import CallTrace, ModelAuthor
from memassay.synth.models.best_of import BestOfAuthor, Chooser, JudgeChooser
from memassay.synth.models.images import ImageScaler
from memassay.synth.models.prompt_files import load_prompt

Response = TypeVar("Response", bound=BaseModel)
Item = TypeVar("Item")
Result = TypeVar("Result")

_AT_ONCE = 2
"""Records worked on at once, in multiples of the calls at once: some are always between calls."""


class _Caller:
    """Calls of one stage to one model."""

    def __init__(self, endpoints: Endpoints, model: ModelSection, stage: str) -> None:
        self.endpoints = endpoints
        self.model = model
        self.stage = stage

    async def call(self, request: ModelRequest, task: str) -> ModelReply:
        driver = self.endpoints.driver(self.model)
        return await driver.call(request, Purpose(self.stage, task))

    def is_stored(self, request: ModelRequest) -> bool:
        return self.endpoints.is_stored(request)


class RoleAuthor:
    """Writes every task with the model of its prompt's role."""

    def __init__(self, by_role: Mapping[str, ModelAuthor | BestOfAuthor]) -> None:
        """Take the author of each role."""
        self.by_role = by_role
        self.name = ", ".join(sorted({author.name for author in by_role.values()}))

    async def write(self, task: Task[Response]) -> Response:
        """Fulfil a task.

        Raises:
            AuthorError: No valid reply could be had.
        """
        return await self.by_role[load_prompt(task.name).about.role].write(task)


class AuthorPool:
    """Makes authors for the stages of one run, and closes what they share at its end."""

    def __init__(
        self,
        models: Mapping[str, ModelSection],
        log: CallLog,
        blobs: BlobStore,
        prices: Mapping[str, Price],
        cap: int | None,
        *,
        folder: Path,
        tapes: Tapes,
        best_of: BestOfSection | None = None,
        choices: PeopleChoices | None = None,
        retry_failed: bool = False,
    ) -> None:
        """Find the keys of all endpoints that the roles use; none is asked yet.

        Args:
            models: The model of each role.
            log: Where replies are kept.
            blobs: The bytes of images.
            prices: Prices by model.
            cap: Most that may be spent, in billionths of a dollar; None for no cap.
            folder: What relative paths of key files are relative to.
            tapes: Where replies are recorded to, or replayed from.
            best_of: Which tasks are drawn several times.
            choices: Where people choose among draws; None if a judge does.
            retry_failed: Whether models are asked again where stored replies cannot be used.
        """
        self.retry_failed = retry_failed
        self.best_of = best_of
        self.choices = choices
        self.models = models
        self.tapes = tapes
        self._loop = ModelLoop()
        self._all = [*models.values(), *(best_of.models if best_of else ())]
        payments = Payments(log, prices, cap)
        asked = self._all if tapes.replay is None else []
        self._endpoints = Endpoints(asked, folder, payments, ImageScaler(blobs).shown)

    def author(self, stage: str, trace: CallTrace) -> RoleAuthor:
        """The author of a unit of a stage."""
        by_role: dict[str, ModelAuthor | BestOfAuthor] = {}
        own = {role: self._author(model, stage, trace) for role, model in self.models.items()}
        if self.best_of is not None:
            samples = self.best_of.samples
            beside = [self._author(model, stage, trace) for model in self.best_of.models]
            chooser: Chooser = JudgeChooser(own["judge"])
            if self.choices is not None:
                chooser = self.choices.chooser(stage)
            for role in self.best_of.roles:
                by_role[role] = BestOfAuthor([own[role], *beside], samples, chooser, trace)
        return RoleAuthor({**own, **by_role})

    def _author(self, model: ModelSection, stage: str, trace: CallTrace) -> ModelAuthor:
        caller = self._caller(model, stage)
        return ModelAuthor(model.choice(), caller, trace, retry_failed=self.retry_failed)

    def _caller(self, model: ModelSection, stage: str) -> ModelCaller:
        if self.tapes.replay is not None:
            return self.tapes.replay
        caller = _Caller(self._endpoints, model, stage)
        return Recorder(caller, self.tapes.record) if self.tapes.record else caller

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do one piece of work where the drivers live, and wait for its result."""
        return self._loop.run(work)

    def each(
        self, items: Iterable[Item], work: Callable[[Item], Awaitable[Result]]
    ) -> Iterator[Result]:
        """Results for items, in their order, as many at once as the endpoints take."""
        at_once = max(
            model.batch_terms().size if model.batch else _AT_ONCE * model.concurrency
            for model in self._all
        )
        return self._loop.each(items, work, at_once)

    def settle(self, stage: str) -> None:
        """Take note that a stage has asked people all that it asks for now."""
        if self.choices is not None:
            self.choices.settle(stage)

    def stop(self) -> None:
        """Make no new call; what is under way may end."""
        self._loop.soon(self._endpoints.stop)

    def close(self) -> None:
        """Let what is under way end and be kept, then close everything."""
        self._loop.run(self._endpoints.close())
        self._loop.close()

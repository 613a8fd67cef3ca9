"""The authors of a run: one driver for each endpoint, one loop, one log, one budget."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from memassay.flows.calls.endpoints import Endpoints, batch_terms
from memassay.flows.calls.loop import ModelLoop
from memassay.flows.calls.payments import Payments
from memassay.flows.calls.recordings import Recordings
from memassay.schemas.contracts.author_sections import BestOfSection, ModelSection
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.contracts.protocols import BlobStore
from memassay.synth.models.author import ModelAuthor
from memassay.synth.models.best_of import BestOfAuthor, Chooser, JudgeChooser
from memassay.synth.models.images import ImageScaler
from memassay.synth.models.prompt_files import load_prompt

Response = TypeVar("Response", bound=BaseModel)
Item = TypeVar("Item")
Result = TypeVar("Result")

_AT_ONCE = 2
"""Records worked on at once, in multiples of the calls at once: some are always between calls."""


class AuthorPool:
    """The models that write in one run; closes what they share at its end."""

    def __init__(
        self,
        models: Mapping[str, ModelSection],
        payments: Payments,
        blobs: BlobStore,
        folder: Path,
        *,
        recordings: Recordings | None = None,
        best_of: BestOfSection | None = None,
        choices: Chooser | None = None,
        retry_failed: bool = False,
    ) -> None:
        """Find the keys of all endpoints that the roles use; none is asked yet.

        Args:
            models: The model of each role.
            payments: Where replies are kept, and the budget.
            blobs: The bytes of images.
            folder: What relative paths of key files are relative to.
            recordings: Where replies are recorded to, or replayed from.
            best_of: Which tasks are drawn several times.
            choices: Who chooses among draws; the role judge if nobody is given.
            retry_failed: Whether models are asked again where stored replies cannot be used.
        """
        self._retry_failed = retry_failed
        self._loop = ModelLoop()
        self._all = [*models.values(), *(best_of.models if best_of else ())]
        shown = ImageScaler(blobs).images_of
        known = recordings or Recordings()
        self._endpoints = Endpoints(self._all, folder, payments, shown, known)
        own = {role: self._author(model) for role, model in models.items()}
        self._chooser = choices
        self._authors: dict[str, ModelAuthor | BestOfAuthor] = {**own}
        if best_of is not None:
            self._chooser = choices or JudgeChooser(own["judge"])
            beside = [self._author(model) for model in best_of.models]
            for role in best_of.roles:
                drawing = [own[role], *beside]
                self._authors[role] = BestOfAuthor(drawing, best_of.samples, self._chooser)

    def _author(self, model: ModelSection) -> ModelAuthor:
        endpoints = self._endpoints
        return ModelAuthor(
            model.choice(),
            partial(endpoints.call, model),
            endpoints.is_stored,
            retry_failed=self._retry_failed,
        )

    async def write(self, task: Task[Response], trace: CallTrace) -> Response:
        """Fulfil a task with the model of its prompt's role, or the best of several drafts.

        Args:
            task: The task.
            trace: Of the unit it is for; takes note of every call.

        Raises:
            AuthorError: No valid reply could be had.
            UndecidedError: People have yet to choose among drafts.
        """
        return await self._authors[load_prompt(task.name).about.role].write(task, trace)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do one piece of work where the drivers live, and wait for its result."""
        return self._loop.run(work)

    def each(
        self, items: Iterable[Item], work: Callable[[Item], Awaitable[Result]]
    ) -> Iterator[Result]:
        """Results for items, in their order, as many at once as the endpoints take."""
        at_once = max(
            batch_terms(model).size if model.batch else _AT_ONCE * model.concurrency
            for model in self._all
        )
        return self._loop.each(items, work, at_once)

    def settle(self, stage: str) -> None:
        """Take note that a stage has asked people all that it asks for now."""
        if self._chooser is not None:
            self._chooser.settle(stage)

    def stop(self, *, soon: bool = False) -> None:
        """Make no new call; what is under way may end, or with `soon` has seconds left for it."""
        self._loop.soon(partial(self._endpoints.stop, soon=soon))

    def close(self) -> None:
        """Let what is under way end and be kept, then close everything."""
        self._loop.run(self._endpoints.close())
        self._loop.close()

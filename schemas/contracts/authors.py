"""What authors and the clients of models promise."""

from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from memassay.schemas.contracts.calls import (
    BatchState,
    CallTrace,
    ModelReply,
    ModelRequest,
    ShownImage,
)
from memassay.schemas.errors import CallError

Response = TypeVar("Response", bound=BaseModel)
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Task(Generic[Response]):
    """What an author is asked for.

    Attributes:
        name: Name of the task; its prompt is found by it.
        inputs: What the prompt is filled with; texts from outside are quoted as data.
        response: Model of the reply.
        images: Images shown, in order.
        record: Id of the record it is for, for messages.
        draw: Which of several samples is asked for (best of n).
    """

    name: str
    inputs: dict[str, Any]
    response: type[Response]
    images: tuple[ShownImage, ...] = ()
    record: str = ""
    draw: int = 0


class Authors(Protocol):
    """The models that write in a run, as the units of its stages see them."""

    async def write(self, task: Task[Response], trace: CallTrace) -> Response:
        """Fulfil a task of the unit that a trace is of.

        Raises:
            AuthorError: No valid reply could be had; it keeps the raw text.
            UndecidedError: People have yet to choose among drafts.
        """
        ...

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do one piece of work where the calls are made, and wait for its result."""
        ...

    def each(
        self, items: Iterable[Item], work: Callable[[Item], Awaitable[Result]]
    ) -> Iterator[Result]:
        """Results for items, in their order, as many at once as the models take."""
        ...

    def settle(self, stage: str) -> None:
        """Take note that a stage has asked people all that it asks for now."""
        ...

    def stop(self, *, soon: bool = False) -> None:
        """Make no new call; what is under way may end, or with `soon` has seconds left for it."""
        ...


class ModelClient(Protocol):
    """Speaks one provider's protocol; a call is one HTTP exchange, never repeated inside."""

    async def send(self, request: ModelRequest, images: Sequence[bytes]) -> ModelReply:
        """Send a request with the bytes of its images.

        Raises:
            CallError: No reply came; it says whether another try makes sense.
        """
        ...

    async def close(self) -> None:
        """Let go of its connections."""
        ...


class BatchClient(Protocol):
    """Speaks one provider's batch protocol: submit now, harvest within a day."""

    async def submit(
        self, tag: str, requests: Mapping[str, tuple[ModelRequest, Sequence[bytes]]]
    ) -> str:
        """Submit requests with the bytes of their images, by key; gives the batch's id."""
        ...

    async def find(self, tag: str) -> str | None:
        """Id of the batch that was submitted under a tag, if it ever was."""
        ...

    async def state(self, batch: str) -> BatchState:
        """How far a batch is."""
        ...

    async def harvest(
        self, batch: str, images: Mapping[str, int]
    ) -> dict[str, ModelReply | CallError]:
        """By key, what an ended batch gave; `images` counts those of each request."""
        ...

    async def close(self) -> None:
        """Let go of its connections."""
        ...

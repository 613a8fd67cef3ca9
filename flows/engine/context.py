"""What a stage is given beside its records."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, JsonValue

from memassay.flows.engine.interrupts import raise_if_asked_to_end
from memassay.schemas.base import Record
from memassay.schemas.contracts.authors import Authors, Task
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import (
    AuthorError,
    StoppedError,
    UndecidedError,
    UsageError,
)
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.values.keyed_random import KeyedRandom, keyed_random

if TYPE_CHECKING:
    from memassay.flows.store.records import Store

Response = TypeVar("Response", bound=BaseModel)


@dataclass(frozen=True)
class Memory:
    """Where a unit of work keeps parts that are done.

    Attributes:
        store: The store of the workspace.
        version: Version of the stage, so that parts of another one are not taken for its own.
        is_whole: Whether records, and the bytes that belong to them, are there and intact.
        is_over: Whether the run ends, so that no further part is begun.
    """

    store: "Store"
    version: str
    is_whole: Callable[[Sequence[str]], bool]
    is_over: Callable[[], bool] = lambda: False


class UnitContext:
    """The context of one unit of work; findings collect in `findings`."""

    def __init__(
        self,
        seed: int,
        stage: str,
        shard: str,
        blobs: BlobStore,
        authors: Authors | None = None,
        memory: Memory | None = None,
        depends: JsonValue = None,
    ) -> None:
        """Bind a unit to its seed path, the blob store, and the authors of the run if it has any.

        What the unit asks authors for is noted in `calls`. Without a memory every part of it is
        made again.
        """
        self._memory = memory
        self.calls = CallTrace(stage)
        self._authors = authors
        self.shard = shard
        self.blobs = blobs
        self.findings: list[Finding] = []
        self.depends = depends
        self._key = (str(seed), stage, shard)

    def random(self, *purpose: str) -> KeyedRandom:
        """A generator keyed by seed, stage, shard and purpose."""
        return keyed_random(*self._key, *purpose)

    def unit(
        self, key: str, inputs: JsonValue, make: Callable[[], Iterable[Record]]
    ) -> list[Record]:
        """The records of a part of this unit: made once for its inputs, then remembered.

        A run that is killed in the middle of a unit keeps the parts that are done.

        Args:
            key: Name of the part, unique in the unit.
            inputs: All that the part depends on beside seed, stage, shard and key.
            make: Makes the records, by `random` of this context and by nothing that it keeps;
                findings are to be reported outside.

        Raises:
            StoppedError: The run ends.
        """
        if self._memory is None:
            return list(make())
        store, version = self._memory.store, self._memory.version
        name = content_hash(["part", *self._key, version, key, inputs])
        known = store.unit(name)
        if known is None or known.outputs is None or not self._memory.is_whole(known.outputs):
            if self._memory.is_over():
                raise StoppedError("the run ends")
            made = list(make())
            raise_if_asked_to_end()
            store.remember(name, self.calls.stage, f"{self.shard}/{key}", made)
            return made
        return store.get_all(known.outputs)

    def write(self, task: Task[Response]) -> Response:
        """What the author of the run writes for a task.

        Raises:
            AuthorError: No valid reply could be had.
        """
        authors = self._with_authors()
        return authors.run(authors.write(task, self.calls))

    def write_all(self, tasks: Iterable[Task[Response]]) -> Iterator[Response]:
        """What the author writes for tasks that do not depend on each other, in their order.

        Raises:
            AuthorError: No valid reply could be had for one of them.
            UndecidedError: People have yet to choose for some; all that can be written is.
            UsageError: The recipe names no author that takes tasks.
        """
        for written in self._write_tasks(tasks, (UndecidedError,)):
            assert not isinstance(written, AuthorError)
            yield written

    def write_each(self, tasks: Iterable[Task[Response]]) -> Iterator[Response | AuthorError]:
        """As `write_all`; of a task for which no valid reply could be had, the error.

        Raises:
            UndecidedError: People have yet to choose for some; all that can be written is.
            UsageError: The recipe names no author that takes tasks.
        """
        return self._write_tasks(tasks, (AuthorError, UndecidedError))

    def _write_tasks(
        self,
        tasks: Iterable[Task[Response]],
        kept: tuple[type[AuthorError | UndecidedError], ...],
    ) -> Iterator[Response | AuthorError]:
        """Replies in the order of tasks; errors of the kinds kept do not end the others."""
        authors = self._with_authors()

        async def try_write(task: Task[Response]) -> Response | AuthorError | UndecidedError:
            try:
                return await authors.write(task, self.calls)
            except kept as error:
                return error

        undecided: UndecidedError | None = None
        for written in authors.each(tasks, try_write):
            if isinstance(written, UndecidedError):
                undecided = written
            elif undecided is None:
                yield written
        if undecided is not None:
            raise undecided

    def _with_authors(self) -> Authors:
        if self._authors is None:
            raise UsageError("author: expected a language model, got the simulator")
        return self._authors

    def emit(self, finding: Finding) -> None:
        """Report a finding about one of this stage's records."""
        self.findings.append(finding)

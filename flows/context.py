"""What a stage is given beside its records."""

import hashlib
from collections.abc import Iterable, Iterator
from random import Random
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from memassay.schemas.author_protocols import Task
from memassay.schemas.errors import UsageError
from memassay.schemas.finding import Finding
from memassay.schemas.protocols import BlobStore
from memassay.synth.model_author import CallTrace

if TYPE_CHECKING:
    from memassay.flows.author_pool import AuthorPool

Response = TypeVar("Response", bound=BaseModel)


def keyed_random(*key: str) -> Random:
    """A generator that draws alike for equal keys, on every machine and in any order of work."""
    text = "\x1f".join(key)
    return Random(int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest(), "big"))


class UnitContext:
    """The context of one unit of work; findings collect in `findings`."""

    def __init__(
        self,
        seed: int,
        stage: str,
        shard: str,
        blobs: BlobStore,
        authors: "AuthorPool | None" = None,
    ) -> None:
        """Bind a unit to its seed path, the blob store, and the authors of the run if it has any.

        What the unit asks authors for is noted in `calls`.
        """
        self.calls = CallTrace()
        self._authors = authors
        self._stage = stage
        self.shard = shard
        self.blobs = blobs
        self.findings: list[Finding] = []
        self._key = (str(seed), stage, shard)

    def random(self, *purpose: str) -> Random:
        """A generator keyed by seed, stage, shard and purpose."""
        return keyed_random(*self._key, *purpose)

    def write(self, task: Task[Response]) -> Response:
        """What the author of the run writes for a task.

        Raises:
            AuthorError: No valid reply could be had.
        """
        return next(iter(self.write_all([task])))

    def write_all(self, tasks: Iterable[Task[Response]]) -> Iterator[Response]:
        """What the author writes for tasks that do not depend on each other, in their order.

        Raises:
            AuthorError: No valid reply could be had for one of them.
            UsageError: The recipe names no author that takes tasks.
        """
        if self._authors is None:
            raise UsageError("author: expected a language model, got the simulator")
        author = self._authors.author(self._stage, self.calls)
        return self._authors.each(tasks, author.write)

    def emit(self, finding: Finding) -> None:
        """Report a finding about one of this stage's records."""
        self.findings.append(finding)

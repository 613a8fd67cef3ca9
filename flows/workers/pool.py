"""Work on many items in several processes, which live as long as a command does.

Every item is done by a function of a module, given a message that is the same for all of them. What
it gives must be small: the process that asks keeps what comes before its turn.
"""

import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from memassay.flows.workers.child import DEATHS, Child, start_child
from memassay.flows.workers.messages import Failed
from memassay.schemas.errors import WorkerError

_M = TypeVar("_M")
_T = TypeVar("_T")
_R = TypeVar("_R")
COMMAND: Final = (sys.executable, "-m", "memassay.flows.workers.pool_process")


class Pool:
    """Processes of a command, this one among them; others start when there is work for them.

    Attributes:
        size: How many there are at most.
    """

    def __init__(self, size: int) -> None:
        """Start none yet."""
        self.size = size
        self._children: list[Child] = []
        self._scratch: TemporaryDirectory[str] | None = None
        self._maps = 0

    def __enter__(self) -> Self:
        """The pool, whose processes end with the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every process, whatever it does."""
        self._end()
        if self._scratch is not None:
            self._scratch.cleanup()

    def map(
        self,
        work: Callable[[_M, _T], _R],
        message: _M,
        items: Sequence[_T],
        size_of: Callable[[_T], float] = lambda _: 0,
        name_of: Callable[[_T], str] = str,
    ) -> Iterator[_R]:
        """What a function gives for each item, in their order; the largest are done first.

        Args:
            work: A function of a module, of the message and an item.
            message: What it needs beside the item; it is pickled once.
            items: What to do.
            size_of: How much work an item is.
            name_of: What an error calls an item.

        Raises:
            WorkerError: One item has ended three processes.
            Exception: What the function raised.
        """
        others = min(self.size, len(items)) - 1
        if others < 1:
            yield from (work(message, item) for item in items)
            return
        first = sorted(range(len(items)), key=lambda at: -size_of(items[at]))
        left = _Left(first, [name_of(item) for item in items])
        place = self._write((work, message))
        while len(self._children) < others:
            self._children.append(_start())
        for at in range(others):
            Thread(target=self._serve, args=(at, place, items, left), daemon=True).start()
        try:
            for at in range(len(items)):
                while (own := left.take_own(at)) is not None:
                    left.put(own, work(message, items[own]))
                yield left.result(at)
        except BaseException:
            # What they still do is of no use to anybody.
            left.stop()
            self._end()
            raise

    def _write(self, work: Any) -> Path:
        if self._scratch is None:
            self._scratch = TemporaryDirectory(prefix="memassay-")
        self._maps += 1
        place = Path(self._scratch.name) / str(self._maps)
        place.write_bytes(pickle.dumps(work))
        return place

    def _serve(self, position: int, place: Path, items: Sequence[Any], left: "_Left") -> None:
        """Give one process items until none is left; put another in the place of a dead one."""
        try:
            while (at := left.take()) is not None:
                child = self._children[position]
                try:
                    child.connection.send((place, items[at]))
                    left.put(at, child.connection.recv())
                except (EOFError, OSError):
                    if left.is_stopped:
                        return
                    child.process.wait()
                    left.put_back(at, child)
                    child.end()
                    self._children[position] = _start()
        except Exception as error:  # noqa: BLE001 - who waits for the items raises it
            left.stop(error)

    def _end(self) -> None:
        for one in self._children:
            one.end()
        self._children.clear()


class _Left:
    """The items of one `map`: which are left, and what came of the others."""

    def __init__(self, order: Sequence[int], names: Sequence[str]) -> None:
        self._free, self._names = list(reversed(order)), names
        self._done: dict[int, Any] = {}
        self._deaths: dict[int, int] = {}
        self._unfinished = len(names)
        self._changed = Condition()
        self._error: Exception | None = None
        self.is_stopped = False

    def take(self) -> int | None:
        """The next item for a process; None when all are done, and no death can bring one back."""
        with self._changed:
            while not self._free and self._unfinished and not self.is_stopped:
                self._changed.wait()
            return self._free.pop() if self._free and not self.is_stopped else None

    def take_own(self, awaited: int) -> int | None:
        """The next item that has ended no process; None as soon as the awaited one is done.

        Raises:
            Exception: What an item gave in its place.
        """
        with self._changed:
            while self._error is None and awaited not in self._done:
                own = next((at for at in reversed(self._free) if at not in self._deaths), None)
                if own is not None:
                    self._free.remove(own)
                    return own
                self._changed.wait()
            if self._error is not None:
                raise self._error
            return None

    def put(self, at: int, reply: Any) -> None:
        """Note what came of an item."""
        with self._changed:
            if isinstance(reply, Failed):
                self._error = self._error or reply.error
            self._done[at] = reply
            self._unfinished -= 1
            self._changed.notify_all()

    def put_back(self, at: int, child: Child) -> None:
        """Note that a process has died of an item, or with it.

        Raises:
            WorkerError: It is not the first one.
        """
        with self._changed:
            self._deaths[at] = self._deaths.get(at, 0) + 1
            if self._deaths[at] >= DEATHS:
                raise WorkerError(
                    f"{self._names[at]}: expected a process to do it, got {DEATHS} that ended with "
                    f"{child.process.returncode} ({child.last_words()}); look at its memory, or "
                    "use --workers 1"
                )
            self._free.append(at)
            self._changed.notify_all()

    def result(self, at: int) -> Any:
        """What came of an item that is done; it is not kept."""
        with self._changed:
            return self._done.pop(at)

    def stop(self, error: Exception | None = None) -> None:
        """Give no further item to anybody; who waits raises the error."""
        with self._changed:
            self._error = self._error or error
            self.is_stopped = True
            self._changed.notify_all()


def _start() -> Child:
    child = start_child(COMMAND)
    child.tell([*sys.path])
    return child

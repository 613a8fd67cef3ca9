"""The event loop that all calls of a run share, and work on many records in it at once."""

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 32
"""Records begun beyond the oldest unfinished one, in multiples of those worked on at once."""


class ModelLoop:
    """One thread with one event loop; stages, which are plain functions, hand it their calls."""

    def __init__(self) -> None:
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="models", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do one piece of work in the loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def soon(self, work: Callable[[], None]) -> None:
        """Have something done in the loop; nobody waits for it."""
        self._loop.call_soon_threadsafe(work)

    def each(
        self, items: Iterable[Item], work: Callable[[Item], Awaitable[Result]], at_once: int
    ) -> Iterator[Result]:
        """Results for items, in their order, a bounded number being worked on at once.

        Memory stays flat however many items there are: none is begun that is too far ahead of
        the oldest unfinished one. The first error ends it; what is under way is waited for.

        Args:
            items: Read from the loop's thread, one after another.
            work: Called in the loop.
            at_once: Items worked on at once.
        """
        done: queue.SimpleQueue[tuple[int, Result] | BaseException | None] = queue.SimpleQueue()
        room = asyncio.Semaphore(at_once * _AHEAD)
        numbered = enumerate(items)

        async def worker() -> None:
            while True:
                await room.acquire()
                position, item = next(numbered, (-1, None))
                if position < 0:
                    return
                done.put((position, await work(item)))  # type: ignore[arg-type]

        async def workers() -> None:
            tasks = [asyncio.create_task(worker()) for _ in range(at_once)]
            try:
                await asyncio.gather(*tasks)
            except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                done.put(error)
            else:
                done.put(None)

        running = asyncio.run_coroutine_threadsafe(workers(), self._loop)
        early: dict[int, Result] = {}
        following = 0
        try:
            while (found := done.get()) is not None:
                if isinstance(found, BaseException):
                    raise found
                early[found[0]] = found[1]
                while following in early:
                    yield early.pop(following)
                    following += 1
                    self._loop.call_soon_threadsafe(room.release)
        finally:
            running.cancel()

    def close(self) -> None:
        """End the thread; what is still under way in it is given up, and nobody waits for ever."""

        async def give_up() -> None:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

        self.run(give_up())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

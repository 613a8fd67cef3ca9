"""Who works on a unit: an owner that is known to live as long as its lock file is locked.

Whether the holder of a lease lives the kernel says at once; its leases are free as soon as it
is dead. A lease also has an end, for a holder that lives but hangs: it is moved while the
holder's heart beats.
"""

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.exc import OperationalError

from memassay.flows.store.file_locks import clear_unlocked, is_locked, open_locked
from memassay.flows.store.records import LEASE_SECONDS, Store

POLL_SECONDS = 0.2


class Owner:
    """One run's identity in a workspace, alive until the process ends or `close` is called."""

    def __init__(self, folder: Path) -> None:
        """Lock a file of our own in a folder of owners, and clear away those of the dead."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.name = uuid.uuid4().hex
        clear_unlocked(sorted(folder.glob("*.lock")))
        self._handle = open_locked(folder / f"{self.name}.lock")

    def close(self) -> None:
        """Stop being alive."""
        (self.folder / f"{self.name}.lock").unlink(missing_ok=True)
        os.close(self._handle)


def is_alive(folder: Path, name: str) -> bool:
    """Whether an owner still runs."""
    return is_locked(folder / f"{name}.lock")


class Finished(NamedTuple):
    """A unit that is done.

    Attributes:
        outputs: Content hashes of its records.
        completions: How often it was finished, 1 unless its files were deleted.
    """

    outputs: tuple[str, ...]
    completions: int


@contextmanager
def heartbeat(store: Store, owner: Owner) -> Iterator[None]:
    """Extend an owner's leases in the background while the block runs."""
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(LEASE_SECONDS / 4):
            try:
                store.extend(owner.name, time.time())
            except OperationalError:
                # The database is busy; the next beat still comes well before the leases end.
                continue

    thread = threading.Thread(target=beat, name="memassay-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def take_or_wait(
    store: Store,
    owner: Owner,
    key: str,
    stage: str,
    shard: str,
    pause: Callable[[float], None] = time.sleep,
) -> Finished | None:
    """Take the lease of a unit, or wait until somebody else has finished it.

    Returns:
        None when the unit is ours to do, else what it gave.
    """
    while True:
        state = store.unit(key)
        if state is not None and state.outputs is not None:
            return Finished(state.outputs, state.completions)
        holder = state.owner if state is not None else None
        dead = None if holder is None or is_alive(owner.folder, holder) else holder
        if store.lease(key, stage, shard, owner.name, time.time(), dead):
            return None
        pause(POLL_SECONDS)

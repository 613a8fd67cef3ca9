"""Who works on a unit: an owner that is known to live as long as its lock file is locked.

A lease in the database has an end, for owners on other machines. For owners on this one the
kernel says at once whether they live: it lets go of a lock when its process dies, however.
"""

import fcntl
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memassay.flows.store import LEASE_SECONDS, Store

POLL_SECONDS = 0.2


class Owner:
    """One run's identity in a workspace, alive until the process ends or `close` is called."""

    def __init__(self, folder: Path) -> None:
        """Lock a file of our own in a folder of owners, and clear away those of the dead."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.name = uuid.uuid4().hex
        for path in sorted(folder.glob("*.lock")):
            if not is_alive(folder, path.stem):
                path.unlink(missing_ok=True)
        self._handle = os.open(folder / f"{self.name}.lock", os.O_CREAT | os.O_RDWR)
        fcntl.flock(self._handle, fcntl.LOCK_EX)

    def close(self) -> None:
        """Stop being alive."""
        (self.folder / f"{self.name}.lock").unlink(missing_ok=True)
        os.close(self._handle)


def is_alive(folder: Path, name: str) -> bool:
    """Whether an owner of this machine still runs."""
    try:
        handle = os.open(folder / f"{name}.lock", os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


@contextmanager
def heartbeat(store: Store, owner: Owner) -> Iterator[None]:
    """Extend an owner's leases in the background while the block runs."""
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(LEASE_SECONDS / 4):
            store.extend(owner.name, time.time())

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
) -> tuple[str, ...] | None:
    """Take the lease of a unit, or wait until somebody else has finished it.

    Returns:
        None when the unit is ours to do, else the content hashes of its finished outputs.
    """
    while True:
        state = store.unit(key)
        if state is not None and state.outputs is not None:
            return state.outputs
        holder = state.owner if state is not None else None
        dead = None if holder is None or is_alive(owner.folder, holder) else holder
        if store.lease(key, stage, shard, owner.name, time.time(), dead):
            return None
        pause(POLL_SECONDS)

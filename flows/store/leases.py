"""Who works on a unit: an owner holds its lease, and renews it for as long as it lives.

Whether the holder of a lease lives is seen by its renewals in the database: they are counted, so
that machines whose clocks differ, or that do not see each other's files, agree. One that is renewed
no more is free after `LEASE_SECONDS`. That a holder is dead can be known at once, and then nobody
waits: by its lock file, on its machine, or by its session, where the database is a server.
"""

import hashlib
import platform
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from sqlalchemy.exc import SQLAlchemyError

from memassay.flows.store.file_locks import clear_unlocked, is_locked, lock_file
from memassay.flows.store.records import Store

LEASE_SECONDS: Final = 60.0
"""How long a lease holds that nobody renews."""
POLL_SECONDS: Final = 0.2

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@cache
def _here() -> str:
    """What names this machine since it was started; only its own locks say anything here."""
    known = _BOOT.read_text("ascii") if _BOOT.is_file() else platform.node()
    return hashlib.sha256(known.encode()).hexdigest()[:12]


class Life(Protocol):
    """The life of an owner, which ends with its process at the latest.

    Attributes:
        name: Name of the owner.
    """

    name: str

    def leave(self) -> None:
        """End it."""
        ...


class Owners(Protocol):
    """The owners of leases in a workspace, and who of them is known to be dead."""

    def enter(self) -> Life:
        """Begin to live, under a name of its own."""
        ...

    def is_dead(self, name: str) -> bool:
        """Whether an owner is known to be dead."""
        ...

    def dead(self) -> Iterable[str]:
        """Names of dead owners that left something behind."""
        ...

    def clear(self, name: str) -> None:
        """Clear away what a dead owner left behind, its leases apart."""
        ...


class OwnerFiles:
    """Owners by locked files, which say something on the machine of the owner alone."""

    def __init__(self, folder: Path) -> None:
        """Use a folder; it is made when somebody enters."""
        self.folder = folder

    def enter(self) -> "OwnerFile":
        """Begin to live, under a name of its own."""
        return OwnerFile(self.folder)

    def is_dead(self, name: str) -> bool:
        """Whether an owner is known to be dead; of another machine's, or one without file, no."""
        path = self.folder / f"{name}.lock"
        return name.startswith(f"{_here()}-") and path.is_file() and not is_locked(path)

    def dead(self) -> Iterator[str]:
        """Names of owners of this machine that were killed."""
        for path in sorted(self.folder.glob("*.lock")):
            if self.is_dead(path.stem):
                yield path.stem

    def clear(self, name: str) -> None:
        """Clear the file of an owner away, unless it is locked after all."""
        clear_unlocked([self.folder / f"{name}.lock"])


class OwnerFile:
    """The locked file of one owner."""

    def __init__(self, folder: Path) -> None:
        """Lock a file of our own in a folder of owners."""
        folder.mkdir(parents=True, exist_ok=True)
        self.name = f"{_here()}-{uuid.uuid4().hex}"
        self._path = folder / f"{self.name}.lock"
        self._lock = lock_file(self._path)

    def leave(self) -> None:
        """Let go of the file, and delete it."""
        self._path.unlink(missing_ok=True)
        self._lock.release()


class Owner:
    """One run's identity in a workspace, alive until the process ends or `close` is called."""

    def __init__(self, owners: Owners) -> None:
        """Enter among the owners of a workspace."""
        self.owners = owners
        self._life = owners.enter()
        self.name = self._life.name

    def close(self) -> None:
        """Stop being alive."""
        self._life.leave()


def bury_the_dead(store: Store, owners: Owners) -> None:
    """Free what runs held that are known to be dead, and clear away what they left."""
    for name in owners.dead():
        store.bury(name)
        owners.clear(name)


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
    """Renew an owner's leases in the background while the block runs."""
    bury_the_dead(store, owner.owners)
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(LEASE_SECONDS / 4):
            try:
                store.extend(owner.name)
            except SQLAlchemyError:
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
    clock: Callable[[], float] = time.monotonic,
) -> Finished | None:
    """Take the lease of a unit, or wait until somebody else has finished it.

    Args:
        store: Where units are.
        owner: Who wants it.
        key: Key of the unit.
        stage: Name of its stage.
        shard: What it works on.
        pause: Waits for so many seconds.
        clock: Seconds that only grow, by which the holder's silence is measured.

    Returns:
        None when the unit is ours to do, else what it gave.
    """
    watched, since = None, clock()
    while True:
        state = store.unit(key)
        if state is not None and state.outputs is not None:
            return Finished(state.outputs, state.completions)
        if state is None or state.owner in (None, owner.name):
            if store.lease(key, stage, shard, owner.name):
                return None
            continue
        if owner.owners.is_dead(state.owner):
            store.bury(state.owner)
        elif state != watched:
            watched, since = state, clock()
        elif clock() - since >= LEASE_SECONDS:
            store.bury_silent(key, state)
        else:
            pause(POLL_SECONDS)

"""Files that are locked for as long as the process that made them lives.

The kernel lets go of a lock when its process dies, however it dies. So a locked file is alive,
and one that is not locked was left behind and may be cleared away.
"""

from collections.abc import Iterable
from pathlib import Path

from filelock import FileLock, Timeout


def lock_file(path: Path) -> FileLock:
    """Make a file and lock it; releasing, or the end of the process, lets go of it."""
    # One that is made in a thread may be let go of in another.
    lock = FileLock(path, thread_local=False)
    lock.acquire()
    return lock


def is_locked(path: Path) -> bool:
    """Whether some process, or another lock of this one, holds a file.

    For the moment of asking it is held here: of two who ask at once, one may see it locked.
    """
    if not path.is_file():
        return False
    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True


def clear_unlocked(paths: Iterable[Path]) -> None:
    """Delete those files that nobody holds locked."""
    for path in paths:
        if path.is_file():
            try:
                # Deleted under the lock: its maker cannot have come in between.
                with FileLock(path, timeout=0):
                    path.unlink(missing_ok=True)
            except Timeout:
                continue

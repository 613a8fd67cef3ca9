"""Files that are locked for as long as the process that made them lives.

The kernel lets go of a lock when its process dies, however it dies. So a locked file is alive,
and one that is not locked was left behind and may be cleared away.
"""

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path


def open_locked(path: Path) -> int:
    """Make a file, lock it and give its handle; closing the handle lets go of the lock."""
    while True:
        handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o666)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if _is_at(path, handle):
            return handle
        # Somebody cleared it away between its making and its locking.
        os.close(handle)


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def is_locked(path: Path) -> bool:
    """Whether some process, or another handle of this one, holds a file locked."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        # A shared lock, so that two who ask at once do not take each other for the owner.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def clear_unlocked(paths: Iterable[Path]) -> None:
    """Delete those files that nobody holds locked."""
    for path in paths:
        try:
            handle = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Deleted under the lock: its maker cannot have come in between.
            if _is_at(path, handle):
                path.unlink()
        except BlockingIOError:
            continue
        finally:
            os.close(handle)

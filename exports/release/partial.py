"""The folder in which a release is written before it is renamed."""

import fcntl
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memassay.exports.release.layout import sync


@contextmanager
def partial_folder(folder: Path) -> Iterator[Path]:
    """A new folder beside the release, locked for as long as this process writes it."""
    partial = Path(tempfile.mkdtemp(prefix=_prefix(folder), dir=folder.parent))
    handle = os.open(partial, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        # mkdtemp lets nobody else in; a release has the rights of any new folder.
        partial.chmod(0o755)
        yield partial
    finally:
        os.close(handle)
        shutil.rmtree(partial, ignore_errors=True)


def _prefix(folder: Path) -> str:
    """How folders beside a release are named that are none."""
    return f".{folder.name}.partial-"


def remove_leftovers(folder: Path) -> None:
    """Remove what killed writes left; a folder that another process writes is locked."""
    for leftover in sorted(folder.parent.glob(f"{glob.escape(_prefix(folder))}*")):
        handle = os.open(leftover, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(leftover)
        except BlockingIOError:
            continue
        finally:
            os.close(handle)


def sync_tree(folder: Path) -> None:
    """Have everything below a folder, and the folder, on the disk."""
    for path in sorted(folder.rglob("*"), reverse=True):
        sync(path)
    sync(folder)

"""Functions for the tests of pools: what a process is sent must lie in a module."""

import os
import signal
import sys
from pathlib import Path


def square(message: int, item: int) -> tuple[int, int, int]:
    """The square of an item beside the message, and the process that computed it."""
    return item * item, message, os.getpid()


def meet(folder: Path, item: str) -> int:
    """Wait until as many processes have begun as there are items, then give this one."""
    (folder / item).touch()
    while len(list(folder.iterdir())) < 2:
        pass
    return os.getpid()


def refuse(_message: None, item: str) -> str:
    """Fail on the last item."""
    if item == "c":
        raise ValueError("c: expected another letter")
    return item


def die(message: tuple[Path, int, int], item: str) -> str:
    """End so many other processes; this one waits for that.

    Args:
        message: An empty folder, how many are to end, and the process that is not.
        item: What is given.
    """
    folder, deaths, parent = message
    if os.getpid() == parent:
        while len(list(folder.iterdir())) < deaths:
            pass
    elif len(list(folder.iterdir())) < deaths:
        (folder / str(os.getpid())).touch()
        sys.stderr.write("out of memory\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    return item

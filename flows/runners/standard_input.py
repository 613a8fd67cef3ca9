"""A child process that ends with its parent: the pipe on its standard input says when.

The parent holds the other end, which the kernel closes however the parent ends. So no process is
left behind, and nothing on the disk must say who is to be killed.
"""

import os
import sys
import threading
from collections.abc import Callable


def when_parent_ends(act: Callable[[], None]) -> None:
    """Call a function, in a thread of its own, once nobody holds the other end of standard input.

    The descriptor is read, not Python's buffered file: the thread would hold the lock of that file,
    and an interpreter that ends while a thread does is aborted.
    """
    descriptor = sys.stdin.fileno()

    def wait() -> None:
        while os.read(descriptor, 1024):
            pass
        act()

    threading.Thread(target=wait, name="parent-watcher", daemon=True).start()

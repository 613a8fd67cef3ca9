"""How much memory the processes of a run have."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")
_RESIDENT: Final = re.compile(r"^VmRSS:\s+(\d+) kB$", re.MULTILINE)


def largest_process() -> int:
    """Bytes that the largest of this process and those below it has in memory.

    0 where the system does not say (anything but Linux).
    """
    return max((_resident(process) for process in _family(os.getpid())), default=0)


def _family(process: int) -> Iterator[int]:
    yield process
    for listed in _PROCESSES.glob(f"{process}/task/*/children"):
        # One that ends meanwhile has no memory.
        with suppress(OSError):
            for child in listed.read_text("ascii").split():
                yield from _family(int(child))


def _resident(process: int) -> int:
    try:
        found = _RESIDENT.search((_PROCESSES / str(process) / "status").read_text("utf-8"))
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0

"""The process that started this one, as this one sees it."""

import os
import pickle
import signal
from multiprocessing.connection import Connection

from memassay.flows.runners.standard_input import when_parent_ends


def join_parent(descriptor: int) -> Connection:
    """The pipe to the parent; this process ends with it, and by nothing else.

    Args:
        descriptor: One end of a pipe for messages; standard input is a pipe that nobody writes to.
    """
    # Ctrl-C goes to every process of a terminal; the parent alone decides what ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    when_parent_ends(lambda: os._exit(0))
    return Connection(descriptor)


def sendable(error: Exception) -> Exception:
    """An error as it can be sent: one of a class that cannot be is given in words."""
    from memassay.schemas.errors import CodeError

    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - classes of other packages may raise anything here
        return CodeError(f"{type(error).__name__}: {error}")
    return error

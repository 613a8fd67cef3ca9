"""A process of a pool: it does one piece of work after the other, and keeps nothing of them."""

import pickle
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from memassay.flows.runners.garbage import collect_seldom
from memassay.flows.workers.messages import Failed
from memassay.flows.workers.parent import join_parent, sendable


def main(descriptor: int) -> None:
    """Work until the process that started this one ends.

    Args:
        descriptor: One end of a pipe: where modules are found, then pieces of work.
    """
    connection = join_parent(descriptor)
    try:
        sys.path[:] = connection.recv()
        collect_seldom()
        _work(connection)
    except EOFError:
        return


def _work(connection: Connection) -> None:
    known: tuple[Path | None, Callable[[Any, Any], Any] | None, Any] = (None, None, None)
    while True:
        place, item = connection.recv()
        try:
            if known[0] != place:
                known = (place, *pickle.loads(place.read_bytes()))
            _, work, message = known
            assert work is not None
            reply: Any = work(message, item)
        except Exception as error:  # noqa: BLE001 - the parent raises it, whatever it is
            reply = Failed(sendable(error))
        connection.send(reply)


if __name__ == "__main__":
    main(int(sys.argv[1]))

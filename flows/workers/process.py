"""A process that does units of a run: it takes what is free, and skips what somebody holds.

It is told which units there are, never which one to do: the leases in the store decide, as between
two runs of one workspace. So whatever becomes of it, the store is right, and its unit is free.
"""

import pickle
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from memassay.flows.store.sharing import StageMessage, UnitDone
from memassay.flows.workers.messages import Failed, Ready, RunMessage
from memassay.flows.workers.opened import open_run
from memassay.flows.workers.parent import join_parent, sendable

if TYPE_CHECKING:
    from memassay.flows.engine.run import Run


def main(descriptor: int) -> None:
    """Work until the run that started this process ends.

    Args:
        descriptor: One end of a pipe for messages; standard input is a pipe that nobody writes to.
    """
    connection = join_parent(descriptor)
    message: RunMessage = connection.recv()
    sys.path[:] = message.path
    try:
        _work(message, connection)
    except EOFError:
        return
    except Exception as error:  # noqa: BLE001 - the run raises it, whatever it is
        connection.send(Failed(sendable(error)))


def _work(message: RunMessage, connection: Connection) -> None:
    with open_run(message) as run:
        connection.send(Ready(run.owner.name))
        while True:
            place: Path = connection.recv()
            _do_units(run, pickle.loads(place.read_bytes()), connection)


def _do_units(run: "Run", message: StageMessage, connection: Connection) -> None:
    """One pass over the units of a stage: those that others hold now are theirs to finish."""
    stage = run.join(message)
    for shard in message.inputs:
        before, again = run.made[stage.name], len(run.again)
        run.try_unit(stage, shard)
        if run.made[stage.name] > before:
            connection.send(UnitDone(stage.name, shard, len(run.again) > again))


if __name__ == "__main__":
    main(int(sys.argv[1]))

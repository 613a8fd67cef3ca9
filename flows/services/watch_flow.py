"""The process that serves a recipe as a Prefect deployment, and the flow that it runs.

It reads its standard input, a pipe of which the watch holds the other end: should that be killed,
the kernel closes it, and this process ends with its flow runs.
"""

import os
import signal
import sys
import threading
from pathlib import Path

from prefect import flow
from prefect.types.entrypoint import EntrypointType

from memassay.flows.services.watch import NAME, resume


@flow(name=NAME, retries=0, persist_result=False, validate_parameters=False)
def resume_when_decided(recipe: str, folder: str) -> None:
    """Look at the queue of a recipe once, and run it again if people have decided all of it."""
    resume(Path(recipe), Path(folder), runner="prefect")


def serve(recipe: str, folder: str) -> None:
    """Serve the deployment until Ctrl-C, or until the watch is gone."""
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    resume_when_decided.serve(
        name=Path(recipe).stem,
        parameters={"recipe": recipe, "folder": folder},
        limit=1,
        print_starting_message=False,
        entrypoint_type=EntrypointType.MODULE_PATH,
    )


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os.killpg(os.getpgid(0), signal.SIGKILL)

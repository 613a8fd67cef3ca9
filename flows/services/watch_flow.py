"""The process that serves a recipe as a Prefect deployment, and the flow that it runs.

Should the watch be killed, this process ends with its flow runs.
"""

import os
import signal
from pathlib import Path

from prefect import flow
from prefect.types.entrypoint import EntrypointType

from memassay.flows.runners.standard_input import when_parent_ends
from memassay.flows.services.watch import NAME, PLACE, resume
from memassay.flows.store.places.address import place_of


@flow(name=NAME, retries=0, persist_result=False, validate_parameters=False)
def resume_when_decided(recipe: str) -> None:
    """Look at the queue of a recipe once, and run it again if people have decided all of it."""
    resume(Path(recipe), place_of(os.environ[PLACE]), runner="prefect")


def serve(recipe: str) -> None:
    """Serve the deployment until Ctrl-C, or until the watch is gone."""
    when_parent_ends(_kill_group)
    resume_when_decided.serve(
        name=Path(recipe).stem,
        parameters={"recipe": recipe},
        limit=1,
        print_starting_message=False,
        entrypoint_type=EntrypointType.MODULE_PATH,
    )


def _kill_group() -> None:
    os.killpg(os.getpgid(0), signal.SIGKILL)

"""The flow that a served deployment runs at every look; in a module of its own for Prefect."""

from pathlib import Path

from prefect import flow

from memassay.flows.services.watch import NAME, resume


@flow(name=NAME, retries=0, persist_result=False, validate_parameters=False)
def resume_when_decided(recipe: str, folder: str) -> None:
    """Look at the queue of a recipe once, and run it again if people have decided all of it."""
    resume(Path(recipe), Path(folder), runner="prefect")

"""The plain driver: one process, no server."""

from memassay.flows.engine import Run
from memassay.flows.leases import heartbeat
from memassay.flows.progress import ProgressReporter
from memassay.flows.side_by_side import run_units


def run_plain(run: Run, progress: ProgressReporter) -> None:
    """Run every stage of a plan to its end.

    Raises:
        WaitingError: A gate blocks.
        MemassayError: A stage failed; what was finished before stays finished.
    """
    with heartbeat(run.workspace.store, run.owner):
        for stage in run.plan.stages:
            shards = run.start(stage)
            progress.begin(stage.name, len(shards))
            run_units(run, stage, shards, progress.advance)
            progress.end(stage.name, run.close(stage).counts)

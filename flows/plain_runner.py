"""The plain driver: one process, one unit after another, no server."""

from memassay.flows.engine import Run
from memassay.flows.leases import heartbeat
from memassay.flows.progress import ProgressReporter


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
            for shard in shards:
                run.run_unit(stage, shard)
                progress.advance()
            progress.end(stage.name, run.close(stage).counts)

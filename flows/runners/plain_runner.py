"""The plain driver: one process, no server."""

from memassay.flows.engine.run import Run
from memassay.flows.runners.process_memory import largest_process
from memassay.flows.runners.progress import ProgressReporter
from memassay.flows.runners.side_by_side import run_units
from memassay.flows.store.leases import heartbeat


def run_plain(run: Run, progress: ProgressReporter) -> None:
    """Run every stage of a plan to its end.

    Raises:
        WaitingError: A gate blocks.
        MemassayError: A stage failed; what was finished before stays finished.
    """
    run.reached.memory = largest_process

    def advance() -> None:
        progress.advance()
        progress.show(run.pace())

    with heartbeat(run.workspace.store, run.owner):
        for stage in run.plan.stages:
            shards = run.start(stage)
            progress.begin(stage.name, len(shards))
            left = run.keep(stage, shards)
            run.reached.begin(len(shards) - len(left))
            for _ in range(len(shards) - len(left)):
                progress.advance()
            run_units(run, stage, left, advance)
            progress.end(stage.name, run.close(stage).counts)

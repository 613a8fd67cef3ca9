"""The units of a stage: one after another, or side by side where they wait for models.

A history written by a model waits nearly all the time, one call after the other: histories side
by side keep the endpoint busy. What comes of it does not depend on who is first: a unit draws by
its own key, and a stage's outputs are merged by content hash.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from memassay.flows.engine.run import Run
from memassay.flows.store.leases import POLL_SECONDS
from memassay.schemas.contracts.protocols import Stage


def run_units(run: Run, stage: Stage, shards: Sequence[str], advance: Callable[[], None]) -> None:
    """Run units of a stage to their end.

    The first failure ends it: no other unit makes a further call, and those in the middle of one
    keep its reply before they give up.

    Args:
        run: The run, of which the stage was started.
        stage: The stage.
        shards: Its units.
        advance: Called for every unit that is done, in the calling thread.
    """
    at_once = min(run.at_once(stage), len(shards))
    try:
        if at_once <= 1:
            share_units(run, stage, shards, advance)
            return
        with ThreadPoolExecutor(at_once, thread_name_prefix="history") as threads:
            units = [threads.submit(run.run_unit, stage, shard) for shard in shards]
            try:
                for unit in as_completed(units):
                    unit.result()
                    advance()
            except BaseException as error:
                run.stop(error)
                threads.shutdown(wait=False, cancel_futures=True)
                raise
    except BaseException as error:
        run.stop(error)
        raise


def share_units(run: Run, stage: Stage, shards: Sequence[str], advance: Callable[[], None]) -> None:
    """Do units that nobody holds until all are done, by us, our team or another run.

    Args:
        run: The run.
        stage: Its stage.
        shards: The units.
        advance: Called for every unit that is done.
    """
    run.share(stage, shards)
    left = [*shards]
    while left:
        rest = []
        for shard in left:
            run.look_at_team()
            if run.team is not None and run.team.is_deadly(stage.name, shard):
                done = not run.keep(stage, [shard])
            else:
                done = run.try_unit(stage, shard)
            if done:
                advance()
            else:
                rest.append(shard)
                run.reached.held = len(rest)
        run.reached.held = len(rest)
        if len(rest) == len(left):
            run.pause(POLL_SECONDS)
        left = rest

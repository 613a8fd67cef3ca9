"""In which order processes come, and by when each must begin."""

import heapq
from collections.abc import Sequence
from datetime import date, timedelta

from memassay.synth.world.processes.process import Process, Stage

_BETWEEN_STAGES = 1.5
_BETWEEN_PROCESSES = 0.5
"""Sessions that pass from stage to stage, and from a process to one that waits for it (our choice,
of which 96 % of processes with real chains were laid)."""


def in_order(processes: Sequence[Process]) -> list[Process]:
    """Processes, each after those it waits for, the least rank first among those that are ready.

    What waits for a process that is not there waits for nobody.
    """
    known = {one.id: one for one in processes}
    left = {one.id: {each.process for each in one.after} & set(known) for one in processes}
    waiting: dict[str, list[str]] = {one.id: [] for one in processes}
    for one in processes:
        for earlier in left[one.id]:
            waiting[earlier].append(one.id)
    ready = [_turn(known[one]) for one, waits in left.items() if not waits]
    heapq.heapify(ready)
    order: list[Process] = []
    while ready:
        done = heapq.heappop(ready)[-1]
        order.append(known[done])
        for other in waiting[done]:
            left[other].discard(done)
            if not left[other]:
                heapq.heappush(ready, _turn(known[other]))
    return order


def _turn(process: Process) -> tuple[bool, float, str]:
    return not process.opens, process.rank, process.id


def latest_days(order: Sequence[Process], dates: Sequence[date]) -> dict[str, date]:
    """Last day to begin each process, so that all who wait for it have their time.

    The backward pass of a critical path.

    Args:
        order: Processes in order.
        dates: Days of the sessions.
    """
    mean = (dates[-1] - dates[0]) / len(dates)
    waiting: dict[str, list[tuple[Process, int]]] = {one.id: [] for one in order}
    for one in order:
        for each in one.after:
            if each.process in waiting:
                waiting[each.process].append((one, each.stage))
    latest: dict[str, date] = {}
    for one in reversed(order):
        ends = [dates[-1] - _least(one.stages, mean)]
        for other, stage in waiting[one.id]:
            until = _least(one.stages[: stage + 1], mean)
            ends.append(latest[other.id] - until - _wait(other, mean))
        latest[one.id] = max(min(ends), dates[0])
    return latest


def _wait(process: Process, mean: timedelta) -> timedelta:
    """Least time from what a process waits for to its first stage.

    What counts days from a stage of another process is told in a later session.
    """
    first = process.stages[0]
    days = first.after[0] if first.after and first.since else 0
    return max(timedelta(days=days), mean) if days else mean * _BETWEEN_PROCESSES


def _least(stages: Sequence[Stage], mean: timedelta) -> timedelta:
    """Least time that stages take, and what sessions that lie apart add to it."""
    days = sum(stage.after[0] for stage in stages if stage.after and stage.since is None)
    return timedelta(days=days) + mean * _BETWEEN_STAGES * (len(stages) - 1)

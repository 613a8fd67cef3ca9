"""One process on its sessions: all layouts that fit are counted, and one is drawn.

Backward it counts the weighted ways to finish from each session and day; forward it draws. There is
no search and no rejection, and each spot draws a number of its own, so that a spot which falls away
moves nothing else (Gumbel maximum).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import log
from random import Random

from memassay.synth.world.processes.process import Process, Spot, Stage

Draw = Callable[..., Random]
"""The generator of a purpose."""
_SOON = (6, 2)
"""Weight of a telling on the day itself over one long after, and what each day takes of it."""
_NEAR = 4
_ROOMY = 6
"""How sharply a process keeps to the session it aims at, and what fills to where room is."""


@dataclass(frozen=True)
class Ground:
    """What a process is laid on.

    Attributes:
        dates: Days of the sessions.
        room: Rounds that each session has room for.
        first: First session in which it can begin.
        last: Last day on which it can begin to be told.
        aim: Session near which it begins; None: where there is most room.
        since: By stage, the day from which its time counts, where that is of another process.
        late: Days that each stage may be told later than it wants.
    """

    dates: Sequence[date]
    room: Sequence[int]
    first: int
    last: date
    aim: float | None
    since: dict[int, date]
    late: int


def lay(process: Process, ground: Ground, draw: Draw) -> list[Spot] | None:
    """A spot for each stage, drawn from all layouts that fit by their weight; None if none fits.

    Args:
        process: What is laid.
        ground: What it is laid on.
        draw: Draws a number for each spot.
    """
    ways: list[dict[Spot, int]] = [{} for _ in process.stages]
    for at in reversed(range(len(process.stages))):
        ends = at == len(process.stages) - 1
        for spot in _spots(process, at, ground):
            after = 1 if ends else _onward(process.stages[at + 1], spot, ways[at + 1])
            if after:
                ways[at][spot] = after * _weight(process, at, spot, ground)
    spots: list[Spot] = []
    for at, stage in enumerate(process.stages):
        fits = [spot for spot in ways[at] if not at or _follows(stage, spots[-1], spot)]
        if not fits:
            return None
        scores = {spot: log(ways[at][spot]) + _gumbel(draw, process, at, spot) for spot in fits}
        spots.append(max(fits, key=lambda spot: (scores[spot], spot.session, spot.day)))
    return spots


def _gumbel(draw: Draw, process: Process, at: int, spot: Spot) -> float:
    number = draw(process.id, str(at), str(spot.session), spot.day.isoformat()).random()
    return -log(-log(max(number, 1e-12)))


def _spots(process: Process, at: int, ground: Ground) -> list[Spot]:
    """Spots that a stage alone could have."""
    stage = process.stages[at]
    found: list[Spot] = []
    sessions = range(1) if process.opens and not at else range(ground.first, len(ground.dates))
    for session in sessions:
        told = ground.dates[session]
        if ground.room[session] < stage.rounds or (not at and told > ground.last):
            continue
        for back in range(stage.told + (ground.late if len(process.stages) > 1 else 0) + 1):
            day = told - timedelta(days=back)
            if _can_happen(process, at, day, ground):
                found.append(Spot(session, day, told))
    return found


def _can_happen(process: Process, at: int, day: date, ground: Ground) -> bool:
    stage = process.stages[at]
    if stage.on is not None and day.weekday() not in stage.on:
        return False
    if not at and process.months and day.month not in process.months:
        return False
    if not at and ground.first and day < ground.dates[ground.first]:
        return False
    if at in ground.since and stage.after is not None:
        least, most = stage.after
        return least <= (day - ground.since[at]).days <= most
    return True


def _follows(stage: Stage, before: Spot, spot: Spot) -> bool:
    """Whether a stage can be there: what had happened by the session before was told in it."""
    if spot.session <= before.session or spot.day <= before.told:
        return False
    if stage.after is None or stage.since is not None:
        return True
    return stage.after[0] <= (spot.day - before.day).days <= stage.after[1]


def _onward(stage: Stage, spot: Spot, ways: dict[Spot, int]) -> int:
    return sum(number for other, number in ways.items() if _follows(stage, spot, other))


def _weight(process: Process, at: int, spot: Spot, ground: Ground) -> int:
    back = (ground.dates[spot.session] - spot.day).days
    soon = 1 + max(0, _SOON[0] - _SOON[1] * back) if process.stages[at].told else 1
    if at:
        return soon
    if ground.aim is None:
        return soon * int(max(1, ground.room[spot.session]) ** _ROOMY)
    away = 1 + abs(spot.session + 0.5 - ground.aim)
    return soon * (int(10**6 / away**_NEAR) + 1)

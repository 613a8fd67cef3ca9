"""Hands processes on from full sessions to empty ones, and from crowded ones to those with room."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from memassay.synth.world.processes.process import Plan, Process, Spot

_CROWD: Final = 6
"""Rounds that a session may have beyond its share before it hands some on (our choice)."""


def even_out(plan: Plan, dates: Sequence[date], rounds: Sequence[int]) -> None:
    """Relieve crowded sessions, the most crowded first, as long as somebody can be moved.

    Args:
        plan: What was laid; it is changed.
        dates: Days of the sessions.
        rounds: Rounds that each session has room for.
    """
    for _ in plan.spots:
        over = [told - room for told, room in zip(_rounds(plan, len(dates)), rounds, strict=True)]
        crowded = [at for at, more in enumerate(over) if more > _CROWD]
        roomy = [at for at, more in enumerate(over) if more <= 0]
        ways = sorted(
            (-over[source], abs(source - target), source, target)
            for source in crowded
            for target in roomy
        )
        if not any(_hand_on(plan, source, target, dates) for *_, source, target in ways):
            return


def _rounds(plan: Plan, sessions: int) -> list[int]:
    told = [0] * sessions
    for one in plan.order:
        for stage, spot in zip(one.stages, plan.spots.get(one.id, ()), strict=False):
            told[spot.session] += stage.rounds
    return told


def fill_empty(plan: Plan, dates: Sequence[date]) -> None:
    """Move processes of one stage from session to session until each session has one, if that goes.

    A session takes the last process of the one before, or the first of the one after, from the
    nearest that has two or more; what lies between hands one on.

    Args:
        plan: What was laid; it is changed.
        dates: Days of the sessions.
    """
    sessions = len(dates)
    for empty in range(sessions):
        told = _by_session(plan, sessions)
        if told[empty]:
            continue
        rich = [at for at in range(sessions) if len(told[at]) > 1]
        for source in sorted(rich, key=lambda at: (abs(at - empty), at)):
            if _hand_on(plan, source, empty, dates):
                break


def _by_session(plan: Plan, sessions: int) -> list[list[Process]]:
    told: list[list[Process]] = [[] for _ in range(sessions)]
    for one in plan.order:
        for spot in plan.spots.get(one.id, ()):
            told[spot.session].append(one)
    return told


def _hand_on(plan: Plan, source: int, empty: int, dates: Sequence[date]) -> bool:
    """Move a process a session further all the way from a session to an empty one."""
    step = 1 if empty > source else -1
    before = dict(plan.spots)
    for at in range(source, empty, step):
        told = _by_session(plan, len(dates))[at]
        movable = [one for one in told if _can_move(plan, one, at + step)]
        if not movable:
            plan.spots = before
            return False
        moved = movable[-1 if step > 0 else 0]
        plan.spots = {**plan.spots, moved.id: [Spot(at + step, dates[at + step], dates[at + step])]}
    return True


def _can_move(plan: Plan, one: Process, session: int) -> bool:
    """Whether a process can be told in a session without parting from those before and after it."""
    if len(one.stages) > 1 or one.opens or one.months or one.stages[0].since:
        return False
    if one.stages[0].on or one.stages[0].told:
        return False
    for each in one.after:
        if each.process in plan.spots and plan.spots[each.process][each.stage].session > session:
            return False
    for other in plan.order:
        if any(stage.since and stage.since.process == one.id for stage in other.stages):
            return False
        waits = [each for each in other.after if each.process == one.id]
        if waits and other.id in plan.spots and plan.spots[other.id][0].session < session:
            return False
    return True

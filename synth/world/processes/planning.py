"""Lays processes over the sessions of a history, edition by edition."""

from collections.abc import Iterator, Sequence
from datetime import date

from memassay.synth.world.processes.filling import even_out, fill_empty
from memassay.synth.world.processes.laying import Draw, Ground, lay
from memassay.synth.world.processes.order import in_order, latest_days
from memassay.synth.world.processes.process import Plan, Process, Spot, Unplaced

_GIVE = ((0, True, 0), (3, True, 0), (3, False, 0), (6, False, 8), (9, False, 21), (99, False, 21))
"""What gives way before a process is lost: rounds of a session, time for those who wait for it,
days until it is told."""


def plan(
    processes: Sequence[Process], dates: Sequence[date], rounds: Sequence[int], draw: Draw
) -> Plan:
    """Where each stage happens and is told.

    Processes are laid in an order that keeps every `after`; what is in the middle of that order
    aims at the middle of the history. What was laid never moves again, so a later edition changes
    nothing before it. What has one stage, may happen at any time and waits for nobody, as nobody
    waits for it, fills what the others leave.

    Args:
        processes: What is laid.
        dates: Days of the sessions, rising.
        rounds: Rounds that each session has room for.
        draw: The generator of a purpose.
    """
    made = _Planning(dates, rounds, draw)
    for edition in sorted({one.edition for one in processes}):
        made.lay_all(in_order([one for one in processes if one.edition == edition]))
        if edition == min(one.edition for one in processes):
            even_out(made.plan, dates, rounds)
            fill_empty(made.plan, dates)
            made.count_room(rounds)
    return made.plan


class _Planning:
    """A plan in the making.

    Attributes:
        plan: What was laid so far.
    """

    def __init__(self, dates: Sequence[date], rounds: Sequence[int], draw: Draw) -> None:
        self.dates, self.room, self.draw = dates, list(rounds), draw
        self.plan = Plan()

    def count_room(self, rounds: Sequence[int]) -> None:
        """Count again what room is left, after some were moved."""
        self.room = list(rounds)
        for one in self.plan.order:
            for stage, spot in zip(one.stages, self.plan.spots.get(one.id, ()), strict=False):
                self.room[spot.session] -= stage.rounds

    def lay_all(self, order: Sequence[Process]) -> None:
        """Lay the processes of one edition."""
        self.plan.order += order
        latest = latest_days(order, self.dates)
        awaited = {each.process for one in order for each in one.after}
        fills = {one.id for one in order if _is_free(one) and one.id not in awaited}
        aims = dict(_aims(order, len(self.dates)))
        for one in sorted(order, key=lambda one: one.id in fills):
            until = sum(day <= latest[one.id] for day in self.dates)
            self._lay(one, None if one.id in fills else min(aims[one.id], until), latest[one.id])

    def _lay(self, one: Process, aim: float | None, latest: date) -> None:
        missing = [each.process for each in one.after if each.process not in self.plan.spots]
        if missing:
            self.plan.unplaced.append(Unplaced(one.id, f"it comes after {missing[0]}"))
            return
        first = max(
            (self._spot_of(each.process, each.stage).session for each in one.after), default=0
        )
        since = {
            at: self._spot_of(stage.since.process, stage.since.stage).day
            for at, stage in enumerate(one.stages)
            if stage.since
        }
        for extra, on_time, late in _GIVE:
            room = [rounds + extra for rounds in self.room]
            last = latest if on_time else self.dates[-1]
            ground = Ground(self.dates, room, first, last, aim, since, late)
            spots = lay(one, ground, self.draw)
            if spots is not None:
                break
        else:
            self.plan.unplaced.append(Unplaced(one.id, self._reason(one, first)))
            return
        self.plan.spots[one.id] = spots
        for stage, spot in zip(one.stages, spots, strict=True):
            self.room[spot.session] -= stage.rounds

    def _spot_of(self, process: str, stage: int) -> Spot:
        spots = self.plan.spots[process]
        return spots[min(stage, len(spots) - 1)]

    def _reason(self, one: Process, first: int) -> str:
        """The constraint without which a process could be laid."""
        days = self.dates[first:]
        if one.months and not any(day.month in one.months for day in days):
            return "no session left lies in its months"
        if len(days) < len(one.stages):
            return "fewer sessions are left than it has stages"
        least = sum(stage.after[0] for stage in one.stages if stage.after)
        if (days[-1] - days[0]).days < least:
            return f"its stages take {least} days, {(days[-1] - days[0]).days} are left"
        return "no sessions lie as far apart as its stages"


def _is_free(process: Process) -> bool:
    """Whether a process can come anywhere: nothing of its own binds it to a time."""
    bound = process.after or process.months or process.opens
    return len(process.stages) == 1 and not bound


def _aims(order: Sequence[Process], sessions: int) -> Iterator[tuple[str, float]]:
    """Session at which the middle of each first stage would be, were all told in their order."""
    total, done = sum(one.rounds for one in order), 0
    for one in order:
        yield one.id, (done + one.stages[0].rounds / 2) / total * sessions
        done += one.rounds

"""Interference: values that slots never have, claimed in a session and set aside there.

They are drawn after all that is true, so that no other point moves with them, and none of them ever
comes true.
"""

from collections.abc import Sequence

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Slot
from memassay.synth.paths.worldmemarena.lifelong.world.cast import Cast
from memassay.synth.paths.worldmemarena.lifelong.world.points import (
    Point,
    Role,
    SessionPlan,
    replay,
)
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Sizes
from memassay.synth.paths.worldmemarena.lifelong.world.values import lawful


def add_interference(
    cast: Cast, sessions: Sequence[SessionPlan], sizes: Sizes, true: Sequence[Point]
) -> list[Point]:
    """All points, session by session: those of interference among the others.

    In turn they claim a change of what holds, and a value of what nobody ever tells.
    """
    used: dict[Slot, set[str]] = {}
    for point in true:
        used.setdefault(point.slot, set()).add(point.value.text)
    made: list[Point] = []
    for at in range(len(sessions)):
        own = [point for point in true if point.session == at]
        made += own
        claimed: set[Slot] = set()
        for number in range(sizes.interference if at else 0):
            claim = _claim(cast, sessions, tuple(made), at, number, used, claimed)
            if claim is not None:
                made.append(claim)
                claimed.add(claim.slot)
                used.setdefault(claim.slot, set()).add(claim.value.text)
    return made


def _claim(
    cast: Cast,
    sessions: Sequence[SessionPlan],
    so_far: Sequence[Point],
    at: int,
    number: int,
    used: dict[Slot, set[str]],
    claimed: set[Slot],
) -> Point | None:
    untold = _open_slots(cast, so_far, at) if number % 2 == 0 else {}
    slots = untold or _values_now(cast, so_far, at, sessions[at].date)
    fit: dict[Slot, list[FactValue]] = {}
    for slot, old in slots.items():
        values = lawful(cast, slot, sessions[at].date, old, used.get(slot, ()))
        if values and slot not in claimed:
            fit[slot] = values
    fresh = {slot: values for slot, values in fit.items() if not _is_claimed(slot, so_far)}
    for slot in cast.draws.rank(fresh or fit, "claimed", at, number)[:1]:
        value = cast.draws.random("false value", *slot, at).choice(fit[slot])
        key = f"{slot.thing}/{slot.attribute}/{at}/claimed"
        return Point(key, at, slot, value, is_false=True, is_change=slots[slot] is not None)
    return None


def _open_slots(cast: Cast, so_far: Sequence[Point], at: int) -> dict[Slot, FactValue | None]:
    """Slots that nobody ever tells, of things that came up before."""
    known = {point.slot.thing for point in so_far if point.session < at and not point.is_false}
    return {
        Slot(name, cast.untold_name(thing)): None
        for name, thing in cast.things.items()
        if name in known and cast.untold_name(thing)
    }


def _values_now(
    cast: Cast, so_far: Sequence[Point], at: int, today: str
) -> dict[Slot, FactValue | None]:
    """Values that hold since an earlier session and are not touched in this one."""
    touched = {key for point in so_far if point.session == at for key in point.replaces}
    return {
        point.slot: point.value
        for point in replay(so_far).values()
        if point.role is Role.SLOT
        and point.session < at
        and point.key not in touched
        and not point.other
        and cast.kind(point.slot.thing).arc != "setup"
        and not (point.value.type is ValueType.DATE and point.value.text <= today)
    }


def _is_claimed(slot: Slot, so_far: Sequence[Point]) -> bool:
    return any(point.is_false and point.slot == slot for point in so_far)

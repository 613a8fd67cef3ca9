"""The trajectory of a world: what is appended, revised, deleted and merged, session by session.

Everything is drawn before a word exists. Targets are ranked by numbers of their own, values keyed
by slot and session, so that a dial which adds or drops a point moves few others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memassay.schemas.records.ledger import FactOperation, FactValue, ValueType
from memassay.synth.paths.worldmemarena.lifelong.files.parts import EventSpec
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Slot, Vertical
from memassay.synth.paths.worldmemarena.lifelong.world.cast import Cast, Thing
from memassay.synth.paths.worldmemarena.lifelong.world.interference import add_interference
from memassay.synth.paths.worldmemarena.lifelong.world.points import (
    Point,
    Role,
    SessionPlan,
    World,
)
from memassay.synth.paths.worldmemarena.lifelong.world.sessions import plan_sessions
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Draws, Sizes
from memassay.synth.paths.worldmemarena.lifelong.world.values import lawful

AUTHORITY: Final = "authority"
"""Attribute of the rank of a source."""
_NAMED: Final = 0.4
"""Share of sessions in which a named event changes several slots (our choice)."""
_SEEN: Final = 0.5
"""Share of sessions that first revise what a picture showed (our choice)."""
_DISPUTE: Final = 2
"""Of each so many sessions as a checkpoint covers, the one in which sources disagree."""


def draw_world(vertical: Vertical, draws: Draws, sizes: Sizes) -> World:
    """A world, all of it, without a word."""
    cast = Cast(vertical, draws)
    sessions = plan_sessions(vertical, draws, sizes.sessions)
    true = _Trajectory(cast, sessions, sizes).draw()
    points = add_interference(cast, sessions, sizes, true)
    return World(vertical, draws, sizes, cast, sessions, points)


class _Trajectory:
    """Draws the points that come true."""

    def __init__(self, cast: Cast, sessions: Sequence[SessionPlan], sizes: Sizes) -> None:
        self.cast, self.draws, self.sessions, self.sizes = cast, cast.draws, sessions, sizes
        self.points: list[Point] = []
        self.live: dict[Slot, Point] = {}
        self.used: dict[Slot, set[str]] = {}
        setup = self._queue("setup")
        room = sizes.points - len(cast.vertical.sources.names) - len(cast.vertical.rules)
        self.queues = {"setup": setup[:room], "main": self._queue("main")}
        self.queues["side"] = self._queue("side")
        self.queues["side" if self.queues["side"] else "main"][:0] = setup[room:]
        self.open_disputes = [
            slot
            for arc in ("main", "side")
            for thing in cast.order(arc)
            for slot in cast.slots(thing, disputed=True)
        ]

    def _queue(self, arc: str) -> list[Slot]:
        things = self.cast.order(arc)  # type: ignore[arg-type]
        return [slot for thing in things for slot in self.cast.slots(thing)]

    def draw(self) -> list[Point]:
        for at, session in enumerate(self.sessions):
            if at == 0:
                self._teach()
            taken: set[Slot] = set()
            for point in self._updates(at, session, taken) if at else ():
                self._add(point)
            for point in self._births(at, session):
                self._add(point)
            self._show_more(at)
        return self.points

    def _show_more(self, at: int) -> None:
        """Show changes, too, where too few new things can be shown."""
        seen = {point.slot.thing for point in self.points if point.session == at and point.pictured}
        for nth, point in enumerate(self.points):
            if point.session != at or point.slot.thing in seen or len(seen) >= self.sizes.images:
                continue
            if point.operation is FactOperation.REVISE and self._can_be_shown(point.slot):
                shown = replace(point, pictured=True)
                self.points[nth] = self.live[point.slot] = shown
                seen.add(point.slot.thing)

    def _can_be_shown(self, slot: Slot) -> bool:
        has_label = bool(self.cast.spec(slot).label)
        return has_label and self.cast.kind(slot.thing).picture is not None

    def _add(self, point: Point) -> None:
        self.points.append(point)
        self.used.setdefault(point.slot, set()).add(point.value.text)
        for key in point.replaces:
            self.live = {slot: one for slot, one in self.live.items() if one.key != key}
        if point.role is Role.SLOT and point.operation in {
            FactOperation.APPEND,
            FactOperation.REVISE,
        }:
            self.live[point.slot] = point

    def _teach(self) -> None:
        """The ranks of sources and the rules, in the first session."""
        vertical = self.cast.vertical
        for at, name in enumerate(vertical.sources.names):
            rank = FactValue(type=ValueType.NUMBER, text=str(len(vertical.sources.names) - at))
            slot = Slot(name, AUTHORITY)
            self._add(Point(f"rank/{name}", 0, slot, rank, role=Role.RANK))
        for name, rule in vertical.rules.items():
            text = rule.statement[0].replace("{user}", self.cast.user)
            value = FactValue(type=ValueType.RULE, text=text, rule=rule.rule)
            self._add(Point(f"rule/{name}", 0, Slot(name, ""), value, role=Role.RULE))

    # Births

    def _births(self, at: int, session: SessionPlan) -> Iterator[Point]:
        taught = len(self.points) if at == 0 else 0
        claims = list(self._claims(at))
        wanted = self.sizes.points - taught - len(claims)
        born = [self._birth(slot, at) for slot in self._next_slots(session.arc, wanted)]
        shown = self._choose_shown(at, born)
        yield from (replace(point, pictured=point.slot in shown) for point in born)
        yield from claims

    def _next_slots(self, arc: str, wanted: int) -> list[Slot]:
        taken: list[Slot] = []
        for name in (arc, "main", "side"):
            queue = self.queues[name]
            while queue and len(taken) < wanted:
                taken.append(queue.pop(0))
        return taken

    def _birth(self, slot: Slot, at: int) -> Point:
        values = lawful(self.cast, slot, self.sessions[at].date, None, ())
        value = self.draws.random("value", *slot, at).choice(values)
        return Point(f"{slot.thing}/{slot.attribute}/{at}", at, slot, value)

    def _choose_shown(self, at: int, born: Sequence[Point]) -> set[Slot]:
        """Slots that pictures show first: as many pictures as are left beside those of updates."""
        seen = {point.slot.thing for point in self.points if point.session == at and point.pictured}
        shown: set[Slot] = set()
        for slot in self.draws.rank([point.slot for point in born], "shown", at):
            if len(seen) >= self.sizes.images:
                break
            if self._can_be_shown(slot) and slot.thing not in seen:
                shown.add(slot)
                seen.add(slot.thing)
        return shown

    def _claims(self, at: int) -> Iterator[Point]:
        """What two sources say of a slot, once for each checkpoint."""
        stretch = max(self.sizes.sessions // self.sizes.checkpoints, 1)
        if at == 0 or at % stretch != min(_DISPUTE, stretch - 1) or not self.open_disputes:
            return
        slot = self.open_disputes.pop(0)
        names = self.cast.vertical.sources.names
        pair = self.draws.rank(names, "dispute", *slot)[:2]
        used: set[str] = set()
        for source in pair:
            values = lawful(self.cast, slot, self.sessions[at].date, None, used)
            value = self.draws.random("claim", *slot, source).choice(values)
            used.add(value.text)
            key = f"{slot.thing}/{slot.attribute}/{source}"
            yield Point(key, at, slot, value, role=Role.CLAIM, source=source)

    # Updates

    def _updates(self, at: int, session: SessionPlan, taken: set[Slot]) -> Iterator[Point]:
        """Named events first, then a deletion or a merge in turn, then what is revised alone."""
        wanted = self.sizes.updates
        made = list(self._named_event(at, taken)) if self.draws.chance(_NAMED, "event", at) else []
        made = made[:wanted]
        third = (self._deletion, self._merge, None)[at % 3]
        if third is not None and len(made) < wanted:
            made += third(at, taken)
        while len(made) < wanted:
            point = self._revision(at, session, taken)
            if point is None:
                break
            made.append(point)
        yield from made

    def _open_slots(self, at: int, taken: set[Slot]) -> list[Slot]:
        """Slots that were told in an earlier session and not touched in this one."""
        return [
            slot for slot, point in self.live.items() if point.session < at and slot not in taken
        ]

    def _room(self, slot: Slot, at: int) -> list[FactValue]:
        old = self.live[slot].value
        if old.type is ValueType.DATE and old.text <= self.sessions[at].date:
            return []  # what is over does not move
        used = self.used[slot]
        return lawful(self.cast, slot, self.sessions[at].date, old, used)

    def _revise(self, slot: Slot, at: int, event: str = "") -> Point:
        old = self.live[slot]
        value = self.draws.random("value", *slot, at).choice(self._room(slot, at))
        return Point(
            f"{slot.thing}/{slot.attribute}/{at}",
            at,
            slot,
            value,
            FactOperation.REVISE,
            replaces=(old.key,),
            pictured=old.pictured,
            event=event,
            is_change=True,
        )

    def _revision(self, at: int, session: SessionPlan, taken: set[Slot]) -> Point | None:
        fit = [slot for slot in self._open_slots(at, taken) if self._room(slot, at)]
        first = not any(point.session == at for point in self.points) and not taken
        seen = [slot for slot in fit if self.live[slot].pictured]
        if first and seen and self.draws.chance(_SEEN, "seen", at):
            fit = seen
        if not fit:
            return None
        same_arc = [slot for slot in fit if self.cast.kind(slot.thing).arc == session.arc]
        slot = self.draws.rank(same_arc or fit, "revised", at)[0]
        taken.add(slot)
        return self._revise(slot, at)

    def _delete(self, slot: Slot, at: int, event: str = "") -> Point:
        old = self.live[slot]
        return Point(
            f"{slot.thing}/{slot.attribute}/{at}",
            at,
            slot,
            old.value,
            FactOperation.DELETE,
            replaces=(old.key,),
            event=event,
            is_change=True,
        )

    def _deletion(self, at: int, taken: set[Slot]) -> list[Point]:
        known = self._open_slots(at, taken)
        fit = [slot for slot in known if self.cast.spec(slot).ended is not None]
        for slot in self.draws.rank(fit, "deleted", at)[:1]:
            taken.add(slot)
            return [self._delete(slot, at)]
        return []

    def _merge(self, at: int, taken: set[Slot]) -> list[Point]:
        known = [
            slot for slot in self._open_slots(at, taken) if self.cast.spec(slot).merged is not None
        ]
        order = self.draws.rank(known, "merged", at)
        for first in order:
            for second in order:
                alike = self.cast.things[first.thing].kind == self.cast.things[second.thing].kind
                if first != second and alike and first.attribute == second.attribute:
                    taken |= {first, second}
                    return [self._join(first, second, at)]
        return []

    def _join(self, first: Slot, second: Slot, at: int) -> Point:
        olds = (self.live[first], self.live[second])
        total = sum(int(one.value.text) for one in olds)
        return Point(
            f"{first.thing}+{second.thing}/{first.attribute}/{at}",
            at,
            first,
            FactValue(type=ValueType.NUMBER, text=str(total), unit=olds[0].value.unit),
            FactOperation.MERGE,
            other=second.thing,
            replaces=tuple(one.key for one in olds),
            is_change=True,
        )

    def _named_event(self, at: int, taken: set[Slot]) -> Iterator[Point]:
        """The effects of an event that can happen to some thing."""
        can = [
            (name, thing.name)
            for name, event in self.cast.vertical.events.items()
            for thing in self.cast.things.values()
            if thing.kind == event.kind and self._can_happen(event, thing, at, taken)
        ]
        for name, thing in self.draws.rank(can, "happens", at)[:1]:
            for attribute, effect in self.cast.vertical.events[name].effects.items():
                slot = Slot(thing, attribute)
                taken.add(slot)
                make = self._revise if effect == "revise" else self._delete
                yield make(slot, at, name)

    def _can_happen(self, event: EventSpec, thing: Thing, at: int, taken: set[Slot]) -> bool:
        if len(event.effects) > self.sizes.updates:
            return False
        known = set(self._open_slots(at, taken))
        if not all(Slot(thing.name, one) in known for one in (*event.needs, *event.effects)):
            return False
        return all(
            effect == "delete" or len(self._room(Slot(thing.name, one), at)) > 0
            for one, effect in event.effects.items()
        )

"""What can be asked at a checkpoint: points that were told by then, and the state they lead to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from memassay.schemas.records.ledger import FactOperation, ValueType
from memassay.synth.paths.worldmemarena.lifelong.files.parts import Attribute
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Slot
from memassay.synth.paths.worldmemarena.lifelong.telling.sentences import Wordsmith
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point, Role, World, replay


@dataclass(frozen=True)
class View:
    """A world as it is known after so many sessions.

    Attributes:
        world: The world.
        smith: Its words.
        seen: How many sessions were seen.
        before: How many the checkpoint before had seen.
        after: How many the next one will have seen.
    """

    world: World
    smith: Wordsmith
    seen: int
    before: int
    after: int

    @cached_property
    def points(self) -> list[Point]:
        """What was told by then."""
        return [point for point in self.world.points if point.session < self.seen]

    @cached_property
    def state(self) -> list[Point]:
        """What holds then, of slots."""
        return [point for point in replay(self.points).values() if point.role is Role.SLOT]

    @cached_property
    def histories(self) -> dict[Slot, list[Point]]:
        """By slot all that was true of it, the first value first; merges are of no slot."""
        found: dict[Slot, list[Point]] = {}
        for point in self.points:
            if point.role is Role.SLOT and not point.is_false and not point.other:
                found.setdefault(point.slot, []).append(point)
        return found

    @cached_property
    def held(self) -> list[Point]:
        """What holds then, merges apart."""
        return [point for point in self.state if not point.other]

    @cached_property
    def false(self) -> list[Point]:
        """Interference that was told by then."""
        return [point for point in self.points if point.is_false]

    def spec(self, point: Point) -> Attribute:
        """The attribute of a point."""
        return self.smith.spec(point)

    def is_first(self, point: Point) -> bool:
        """Whether a point states the first value of its slot, which was not changed."""
        return len(self.histories[point.slot]) == 1

    def is_new(self, point: Point) -> bool:
        """Whether a point came after the checkpoint before."""
        return point.session >= self.before

    def changes_next(self, point: Point) -> Point | None:
        """The only change of a slot before the next checkpoint; None if it has none or several."""
        later = [
            one
            for one in self.world.points
            if self.seen <= one.session < self.after
            and not one.is_false
            and (one.slot == point.slot or one.other == point.slot.thing)
            and one.slot.attribute == point.slot.attribute
        ]
        return later[0] if len(later) == 1 else None

    def is_revised_next(self, point: Point) -> bool:
        """Whether a slot is revised once before the next checkpoint, and told in the same way."""
        change = self.changes_next(point)
        return (
            change is not None
            and change.operation is FactOperation.REVISE
            and change.pictured == point.pictured
        )

    def is_deleted_next(self, point: Point) -> bool:
        """Whether a slot ends before the next checkpoint."""
        change = self.changes_next(point)
        return change is not None and change.operation is FactOperation.DELETE

    @cached_property
    def joined(self) -> frozenset[frozenset[str]]:
        """Pairs of things that are one at some time, which is called by both names."""
        return frozenset(
            frozenset({one.slot.thing, one.other}) for one in self.world.points if one.other
        )

    def numbers(self) -> dict[tuple[str, str], list[Point]]:
        """Numbers that hold and can be added, by kind and attribute."""
        found: dict[tuple[str, str], list[Point]] = {}
        for point in self.held:
            if point.value.type is ValueType.NUMBER and self.spec(point).merged is not None:
                kind = self.world.cast.things[point.slot.thing].kind
                found.setdefault((kind, point.slot.attribute), []).append(point)
        return found

    def dates(self) -> list[Point]:
        """Dates that hold."""
        return [point for point in self.held if point.value.type is ValueType.DATE]


def names_in_list(names: Sequence[str]) -> str:
    """Names as a sentence lists them."""
    return f"{', '.join(names[:-1])} and {names[-1]}"

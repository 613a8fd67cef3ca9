"""The facts of a world: points as records, and what everybody knows beside them."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.ids import record_id
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactStatus,
    FactValue,
    ValueType,
)
from memassay.synth.paths.worldmemarena.lifelong.telling.sentences import Wordsmith
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point, Role, World

FORMAT: Final = "worldmemarena"
INTERFERENCE: Final = "interference"
PRIMARY: Final = "primary"
SYSTEM: Final = "system"
_TYPES: Final = {Role.RANK: "rule", Role.RULE: "rule"}


class FactBook:
    """Facts by key of their point, numbered in the order in which they are told.

    Attributes:
        facts: All of them, then what everybody knows.
    """

    def __init__(
        self, world: World, smith: Wordsmith, conversation: str, order: Sequence[Point]
    ) -> None:
        """Take a world, its words, the id of its conversation, and its points as they are told."""
        self.world, self.smith, self.conversation = world, smith, conversation
        self._ids = {
            point.key: record_id(conversation, f"F{at:03d}")
            for at, point in enumerate(order, start=1)
        }
        self._by_key = {point.key: self._fact(point) for point in order}
        self.facts = [*self._by_key.values(), *self._knowledge()]

    def of(self, key: str) -> Fact:
        """The fact of a point."""
        return self._by_key[key]

    def text(self, fact: Fact) -> str:
        """The value of a fact as pictures print it."""
        return spoken_value(fact.value)

    def _fact(self, point: Point) -> Fact:
        return Fact(
            id=self._ids[point.key],
            subject=self._subject(point),
            attribute=self._attribute(point),
            value=point.value,
            statement=self.smith.statement(point),
            source=_source(point),
            status=FactStatus.INTERFERENCE if point.is_false else FactStatus.ASSERTED,
            operation=point.operation,
            supersedes=[self._ids[key] for key in point.replaces],
            importance=0.0 if point.is_false else 0.5,
            extras={FORMAT: {"memory_type": self._type(point)}},
        )

    def _subject(self, point: Point) -> str:
        return self.world.cast.user if point.role is Role.RULE else point.subject

    def _attribute(self, point: Point) -> str:
        if point.role is Role.RULE:
            return self.world.vertical.rules[point.slot.thing].say
        if point.role is Role.RANK:
            return point.slot.attribute
        return self.smith.spec(point).say

    def _type(self, point: Point) -> str:
        return _TYPES.get(point.role) or self.smith.spec(point).type

    def _knowledge(self) -> Iterator[Fact]:
        """What everybody knows about values that are told."""
        seen: set[tuple[str, str]] = set()
        for point in self.world.points:
            if point.role is not Role.SLOT:
                continue
            known = self.smith.spec(point).known
            value = point.value.text
            if known is None or (value, known.attribute) in seen or value not in known.of:
                continue
            seen.add((value, known.attribute))
            local = re.sub(r"[^A-Za-z0-9-]", "", f"{value}-{known.attribute}")
            yield Fact(
                id=record_id(self.conversation, f"X-{local}"),
                subject=value,
                attribute=known.attribute,
                value=FactValue(type=ValueType.TEXT, text=known.of[value]),
                holder=FactHolder.EXTERNAL,
                citation="general knowledge",
            )


def _source(point: Point) -> str:
    if point.is_false:
        return INTERFERENCE
    return point.source or (SYSTEM if point.pictured else PRIMARY)

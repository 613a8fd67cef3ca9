"""Who and what a world is about: the user, things by kind, and their slots in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memassay.synth.paths.worldmemarena.lifelong.files.parts import Arc, Attribute, Kind, Name
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Slot, Vertical
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Draws

UNTOLD: Final = 0.4
"""Share of things of which one attribute is never told: the home of boundary questions."""
_USER: Final = "{user}"


@dataclass(frozen=True)
class Thing:
    """Somebody or something that has slots."""

    kind: str
    name: str
    spoken: str


class Cast:
    """The things of one world.

    Attributes:
        user: Name of the user.
        things: By name.
    """

    def __init__(self, vertical: Vertical, draws: Draws) -> None:
        """Draw the user and the order of things."""
        self.vertical, self.draws = vertical, draws
        self.user = draws.random("user").choice(vertical.users)
        self.things = {
            thing.name: thing
            for name, kind in vertical.kinds.items()
            for thing in self._things_of(name, kind)
        }

    def _things_of(self, name: str, kind: Kind) -> Iterator[Thing]:
        for each in self.draws.rank([one.name for one in kind.names], "name", name):
            own = next(one for one in kind.names if one.name == each)
            yield Thing(name, each.replace(_USER, self.user), self._name_for_user(own))

    def _name_for_user(self, name: Name) -> str:
        return name.spoken.replace(_USER, "I")

    @cached_property
    def people(self) -> list[str]:
        """Names that values can be."""
        return self.draws.rank(
            [name for name in self.vertical.people if name != self.user], "people"
        )

    def spec(self, slot: Slot) -> Attribute:
        """The attribute of a slot."""
        return self.vertical.attribute(self.things[slot.thing].kind, slot.attribute)

    def kind(self, thing: str) -> Kind:
        """The kind of a thing."""
        return self.vertical.kinds[self.things[thing].kind]

    def order(self, arc: Arc) -> list[Thing]:
        """Things of an arc, those of all its kinds in turn."""
        by_kind: dict[str, list[Thing]] = {}
        for thing in self.things.values():
            if self.vertical.kinds[thing.kind].arc == arc:
                by_kind.setdefault(thing.kind, []).append(thing)
        longest = max(map(len, by_kind.values()), default=0)
        return [
            by_kind[kind][at]
            for at in range(longest)
            for kind in self.draws.rank(by_kind, "turn", at)
            if at < len(by_kind[kind])
        ]

    def slots(self, thing: Thing, *, disputed: bool = False) -> list[Slot]:
        """The slots of a thing that are told, in the order of the file."""
        return [
            Slot(thing.name, name)
            for name, spec in self.vertical.kinds[thing.kind].attributes.items()
            if spec.disputed is disputed and name != self.untold_name(thing)
        ]

    def untold_name(self, thing: Thing) -> str:
        """The attribute of a thing that is never told; empty for most things."""
        kind = self.vertical.kinds[thing.kind]
        if kind.arc == "setup":
            return ""
        if not self.draws.chance(UNTOLD, "untold", thing.name):
            return ""
        open_names = [name for name, spec in kind.attributes.items() if not spec.disputed]
        return self.draws.rank(open_names, "which untold", thing.name)[0]

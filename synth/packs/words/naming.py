"""How people speak of who and what a dialogue is about: in full first, then shorter."""

import re
from dataclasses import dataclass, field
from typing import Final

from memassay.synth.packs.files.pack_parts import Referent, RoleSpec
from memassay.synth.world.grammar import with_article

USER, ASSISTANT = "user", "assistant"
_MINE: Final = re.compile(r"^(my|our)\b")
_OWNERS: Final = {"my": "your", "our": "your"}


def in_mouth_of(side: str, phrase: str) -> str:
    """A phrase of the user's as a side says it: `my aunt` is `your aunt` to the assistant."""
    if side == USER:
        return phrase
    return _MINE.sub(lambda found: _OWNERS[found[1]], phrase)


def definite(item: str) -> str:
    """An item with its article as something known: `the light meter`."""
    return f"the {re.sub(r'^(?:an?|some|the|my|our) ', '', item)}"


@dataclass
class Naming:
    """The names of a dialogue so far.

    Attributes:
        last: By name of a referent, the round and side in which it was spoken of last.
        latest: What the turn spoke of last, which a pronoun can mean.
    """

    last: dict[str, tuple[int, str]] = field(default_factory=dict)
    latest: str = ""

    def enter_turn(self) -> None:
        """Begin a turn: no pronoun reaches into it."""
        self.latest = ""

    def name(self, spec: RoleSpec, one: Referent, number: int, side: str, *, owner: bool) -> str:
        """How a side speaks of something now.

        Args:
            spec: Its role.
            one: What it is.
            number: Number of the round.
            side: Who speaks.
            owner: Whether `'s` follows, which no pronoun takes.
        """
        before = self.last.get(one.name)
        again = before == (number, side) and self.latest == one.name
        self.last[one.name] = (number, side)
        self.latest = one.name
        if again and not owner and spec.kind == "thing" and spec.noun in ("count", "mass"):
            return "it"
        return in_mouth_of(side, _full(spec, one) if before is None else _shorter(spec, one))


def _full(spec: RoleSpec, one: Referent) -> str:
    if one.intro is not None:
        return one.intro
    return with_article(one.name) if spec.noun == "count" else one.name


def _shorter(spec: RoleSpec, one: Referent) -> str:
    if spec.noun in ("count", "plural"):
        return definite(one.name)
    return one.name

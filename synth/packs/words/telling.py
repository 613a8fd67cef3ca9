"""Says a plan in words: turns with the places where facts are said."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.synth.packs.files.pack_file import SLOT
from memassay.synth.packs.files.pack_parts import Referent
from memassay.synth.packs.plans.plan import EntryKind, Plan, Step
from memassay.synth.packs.words.naming import ASSISTANT, USER, Naming, definite, in_mouth_of
from memassay.synth.packs.words.wording import Said, Wordings

_OLD, _NEW, _ITEM, _THE_ITEM = "old", "new", "item", "item.the"


@dataclass(frozen=True)
class Place:
    """Where a turn says something that became known: position of the entry, and span."""

    entry: int
    start: int
    end: int


@dataclass(frozen=True)
class SpokenTurn:
    """A turn in words, and what it says where."""

    text: str
    places: tuple[Place, ...]


class Teller:
    """Puts values and names into the wordings of a dialogue, round by round.

    Attributes:
        current: By fact and subject, the position of the entry that holds.
    """

    def __init__(self, plan: Plan, wordings: Wordings) -> None:
        """Take a plan and its wordings."""
        self.plan, self.wordings = plan, wordings
        self.naming = Naming()
        self.current: dict[tuple[str, str], int] = {}

    def tell(self, step: Step) -> dict[str, SpokenTurn]:
        """Both turns of a round; rounds are told in order."""
        for at, entry in enumerate(self.plan.entries):
            if entry.round == step.number and entry.kind is not EntryKind.PIECE:
                self.current[entry.name, entry.subject] = at
        return {side: self._turn(step, side) for side in (USER, ASSISTANT)}

    def _turn(self, step: Step, side: str) -> SpokenTurn:
        self.naming.enter_turn()
        text, places = "", list[Place]()
        for said in self.wordings.said[step.number, side]:
            text += " " if text else ""
            for piece, entry in self._pieces(said, step, side):
                piece = _capital(piece) if _begins(text) else piece
                if entry is not None:
                    places.append(Place(entry, len(text), len(text) + len(piece)))
                text += piece
        return SpokenTurn(text, tuple(places))

    def _pieces(self, said: Said, step: Step, side: str) -> Iterator[tuple[str, int | None]]:
        """The wording in pieces: words as they are, and what its slots say."""
        end = 0
        for found in SLOT.finditer(said.wording):
            yield said.wording[end : found.start()], None
            owner = said.wording[found.end() :].startswith("'s")
            yield self._slot(found[1], step, side, owner=owner)
            end = found.end()
        yield said.wording[end:], None

    def _slot(self, slot: str, step: Step, side: str, *, owner: bool) -> tuple[str, int | None]:
        if slot.startswith("@"):
            role = self.plan.pack.roles[slot[1:]]
            one = self._referent(slot[1:], step)
            return self.naming.name(role, one, step.number, side, owner=owner), None
        at, entry = step.aside, None
        if slot in (_OLD, _NEW, _ITEM, _THE_ITEM):
            assert at is not None
            entry = self.plan.entries[at]
            if slot == _OLD:
                assert entry.replaces is not None
                # What no longer holds is no place where a fact can be learned.
                return self._say(entry.replaces, side), None
            if slot == _THE_ITEM:
                # It is known by then, and its article is another than that of the value.
                return definite(self._say(at, side)), None
            return self._say(at, side), at
        own = step.bound.name if step.bound and self.plan.pack.facts[slot].of else ""
        at = self.current[slot, own]
        return self._say(at, side), at

    def _say(self, at: int, side: str) -> str:
        return in_mouth_of(side, spoken_value(self.plan.entries[at].value))

    def _referent(self, role: str, step: Step) -> Referent:
        if self.plan.pack.roles[role].many:
            assert step.bound is not None
            return step.bound
        return self.plan.cast[role][0]


_SENTENCE: Final = re.compile(r"(?:^|[.!?]['\")]?\s)$")


def _begins(text: str) -> bool:
    return bool(_SENTENCE.search(text))


def _capital(piece: str) -> str:
    return piece[:1].upper() + piece[1:]

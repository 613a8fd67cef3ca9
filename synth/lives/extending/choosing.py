"""Which arcs a life gets, around what, and with which values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from statistics import median
from typing import Final, NamedTuple

from memassay.schemas.ids import record_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import RoundKind
from memassay.synth.lives.extending.arcs import arcs
from memassay.synth.lives.extending.assigning import (
    arcs_needed,
    attributes_asked,
    texts_of,
    usable_arcs,
)
from memassay.synth.lives.extending.filled_arcs import FilledArc, fill_arc
from memassay.synth.lives.extending.matters import EXTENSION, Matter, is_extension, matters_of
from memassay.synth.lives.extending.money import currency_of

_MOST: Final = 3
"""Arcs that a session begins, at most (our choice)."""


class Chosen(NamedTuple):
    """An arc before it has values: its name, and what it is around."""

    name: str
    matter: Matter


@dataclass(frozen=True)
class Need:
    """What new sessions need.

    Attributes:
        sessions: How many they are.
        each: Arcs that each session but the last begins, where there are so many.
        user: Id of who speaks of them.
        known: Sessions of the life that lie before all of them.
    """

    sessions: int
    each: int
    user: str
    known: int


def arcs_a_session(bundle: Bundle, extensions: int) -> int:
    """How many arcs a session begins, so that new sessions are about as long as those before."""
    sessions = [one for one in bundle.conversation.sessions if one.rounds]
    utterances = sessions[0].rounds[0].kind is RoundKind.UTTERANCE
    usual = median(len(one.rounds) for one in sessions) / (2 if utterances else 1)

    def off(arcs_: int) -> float:
        """By how many rounds sessions of so many arcs are too long or too short."""
        begun = [arcs_] * arcs_needed(extensions)
        if extensions == 1:
            return abs(7 * arcs_ + 1 - usual)
        lengths = [5 * new + 5 * old + 1 for new, old in zip([*begun, 0], [0, *begun], strict=True)]
        return sum(abs(length - usual) for length in lengths)

    return min(range(1, _MOST + 1), key=off)


class Supply:
    """The arcs of a life, drawn by one generator."""

    def __init__(self, bundle: Bundle, user: str, random: Random) -> None:
        """Take the life as it is before it is extended."""
        self._bundle, self._user, self._random = bundle, user, random
        self._said = "\n".join(texts_of(bundle))
        self._people = arcs().strangers(self._said)
        # A value that is a gold elsewhere would be a second place that shows the answer.
        self._golds = {gold for item in bundle.questions for gold in item.answer.values}
        self._currency = currency_of(bundle)

    def choose(self, need: Need, assigned: Sequence[str]) -> list[list[Chosen]]:
        """Arcs for each session but the last, that the life does not mention yet.

        None where the life speaks of nothing again and again.
        """
        fit = usable_arcs(self._said, attributes_asked(self._bundle.questions))
        matters = matters_of(self._bundle, self._user, need.known)
        groups = min(arcs_needed(need.sessions), len(fit))
        if not matters or not groups or len(self._people) < 2 * groups:
            return []
        each = max(1, min(need.each, len(fit) // groups))
        drawn = self._random.sample(fit, groups * each)
        names = [*dict.fromkeys([*(name for name in assigned if name in fit), *drawn])]
        # Those that were extended before go on with what was not spoken of then.
        done = sum(map(is_extension, self._bundle.conversation.sessions))
        around = islice(cycle(matters), done * each, None)
        chosen = [Chosen(*one) for one in zip(names[: groups * each], around, strict=False)]
        return [chosen[at : at + each] for at in range(0, len(chosen), each)]

    def fill(
        self, group: Sequence[Chosen], numbers: tuple[int, int], when: str | None
    ) -> Iterator[FilledArc]:
        """Arcs with values; what they say is about things, not about people twice.

        Args:
            group: The arcs that a session begins.
            numbers: Number of that session, and of the one that continues them.
            when: Its date.
        """
        first, later = numbers
        for nth, one in enumerate(group):
            ids = (
                record_id(self._bundle.id, f"{EXTENSION}{first}-F{nth or ''}"),
                record_id(self._bundle.id, f"{EXTENSION}{later}-G{nth or ''}"),
            )
            if len(self._people) < 2:
                self._people = arcs().strangers(self._said)
            yield fill_arc(
                arcs().arcs[one.name],
                one.matter,
                ids,
                self._user,
                self._people,
                self._golds,
                self._currency,
                self._random,
                when,
            )

"""What the texts of members are about: how often each has a stem, weighed by rarity."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import Final

from memassay.synth.clusters.words import stems
from memassay.synth.lives.ordering.cues import Member

_SENTENCE: Final = re.compile(r"(?<=[.!?…])[\"”)]*\s+|\n+|—")
_TOPIC: Final = 3
"""First rounds that show what a dialogue is about."""
_UTTERANCES: Final = 4
"""Utterances of two people that say as much as a round with an assistant does: both greet first."""


@dataclass(frozen=True)
class Sentence:
    """A sentence that people say.

    Attributes:
        round: Its place among the rounds of its member, from 0.
        text: With one kind of apostrophe.
    """

    round: int
    text: str


class Text:
    """What one member says.

    Attributes:
        sentences: Of people, in order.
        opening: What people say first.
        counts: In how many rounds each stem is, no matter who says it.
        topic: The same of people in its first rounds.
    """

    def __init__(self, member: Member) -> None:
        """Read it once."""
        rounds = member.dialogue.rounds
        self.sentences = [
            Sentence(at, text)
            for at, one in enumerate(rounds)
            for text in _SENTENCE.split(one.text.replace("’", "'"))
            if text.strip()
        ]
        self.counts = _counts(f"{one.text}\n{one.reply}" for one in rounds)
        unit = 1 if any(one.reply for one in rounds) else _UTTERANCES
        self.opening = "\n".join(one.text for one in self.sentences if one.round < unit)
        self.topic = _counts(one.text for one in rounds[: unit * _TOPIC])


def _counts(texts: Iterable[str]) -> Counter[str]:
    return Counter(stem for text in texts for stem in set(stems(text)))


class Texts:
    """All members side by side.

    Attributes:
        each: By place.
    """

    def __init__(self, members: Sequence[Member]) -> None:
        """Read all of them once."""
        self.each = [Text(one) for one in members]
        found = Counter(stem for one in self.each for stem in one.counts)
        # A stem that one member has alone links it to no other.
        self._rarity = {
            stem: log((1 + len(self.each)) / count) for stem, count in found.items() if count > 1
        }
        self._lengths = {
            topic: [self._length(_part(one, topic)) for one in self.each] for topic in (False, True)
        }

    def _length(self, counts: Counter[str]) -> float:
        weights = [self._rarity.get(stem, 0.0) * log1p(n) for stem, n in sorted(counts.items())]
        return sqrt(sum(one**2 for one in weights)) or 1.0

    def referent(self, at: int, said: str, *, topic: bool) -> tuple[int, float] | None:
        """The other member that speaks most of what is said, and how clearly, 0 to 1.

        Args:
            at: The member that says it.
            said: Its words.
            topic: Whether the other's first rounds are looked at, or all of it.
        """
        asked = sorted({stem for stem in stems(said) if stem in self._rarity})
        scores = sorted(
            (
                (self._likeness(asked, other, topic), -other)
                for other in range(len(self.each))
                if other != at
            ),
            reverse=True,
        )
        if not scores or scores[0][0] <= 0:
            return None
        second = scores[1][0] if len(scores) > 1 else 0.0
        return -scores[0][1], round((scores[0][0] - second) / scores[0][0], 6)

    def _likeness(self, asked: Sequence[str], member: int, topic: bool) -> float:
        counts = _part(self.each[member], topic)
        found = sum(self._rarity[stem] ** 2 * log1p(counts[stem]) for stem in asked)
        return found / self._lengths[topic][member]


def _part(text: Text, topic: bool) -> Counter[str]:
    return text.topic if topic else text.counts

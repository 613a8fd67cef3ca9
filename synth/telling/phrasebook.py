"""Chooses among wordings: each comes as seldom as can be over a conversation."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from memassay.synth.world.grammar import Expansion, expand

_TRIES: Final = 12
"""How often other words are tried for what was said before."""


class Phrasebook:
    """Chooses words for one conversation: what came least often, and nothing twice if it can be."""

    def __init__(self, random: Random) -> None:
        """Take what chooses."""
        self.random = random
        self.times: Counter[str] = Counter()
        self.said: set[str] = set()

    def say(self, patterns: Sequence[str], values: Mapping[str, str]) -> Expansion:
        """One of some patterns with its slots filled."""
        return self._fresh(self._seldom(patterns), values)

    def exchange(
        self, pairs: Sequence[tuple[str, str]], values: Mapping[str, str]
    ) -> tuple[Expansion, Expansion]:
        """What the user says and what the assistant replies, of one pair."""
        users = self._seldom([user for user, _ in pairs])
        reply = next(one for user, one in pairs if user == users)
        return self._fresh(users, values), self._fresh(reply, values)

    def ask(self, patterns: Sequence[str], values: Mapping[str, str]) -> str:
        """A question; alike ones may be asked of several pictures."""
        return expand(self._seldom(patterns), self.random, values).text

    def _seldom(self, patterns: Sequence[str]) -> str:
        least = min(self.times[one] for one in patterns)
        chosen = self.random.choice([one for one in patterns if self.times[one] == least])
        self.times[chosen] += 1
        return chosen

    def _fresh(self, pattern: str, values: Mapping[str, str]) -> Expansion:
        made = expand(pattern, self.random, values)
        for _ in range(_TRIES):
            if made.text not in self.said:
                break
            made = expand(pattern, self.random, values)
        self.said.add(made.text)
        return made

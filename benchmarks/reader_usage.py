"""How words are used in the texts of a release: where a noun phrase ends, without a word list."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from reader_release import ReadRound

_WORD: Final = re.compile(r"[^\W\d_][\w'-]*|\d[\d.:]*|[.,;:?!]")
_PRONOUNS: Final = ("he", "she", "it", "who", "me", "him", "her", "us", "them")
_DETERMINERS: Final = (
    "a",
    "an",
    "the",
    "my",
    "your",
    "his",
    "her",
    "its",
    "our",
    "their",
    "no",
    "this",
)
ARTICLES: Final = ("a", "an", "some")
_OFTEN: Final = 0.2
"""Share of what is brought in that is taken up, at least, where it is a thing of note."""
LONGEST: Final = 5
"""Most words of a noun phrase after its article."""


class Usage:
    """What stands before words, and which things replies take up."""

    def __init__(self, rounds: Iterable[ReadRound] = ()) -> None:
        """Count in rounds, those of a whole release at best."""
        self._after_pronoun: Counter[str] = Counter()
        self._after_determiner: Counter[str] = Counter()
        self._brought: Counter[str] = Counter()
        self._taken_up: Counter[str] = Counter()
        for each in rounds:
            turns = [_WORD.findall(text.lower()) for text in each.turns]
            for words in turns:
                for one, after in pairwise(words):
                    self._after_pronoun[after] += one in _PRONOUNS
                    self._after_determiner[after] += one in _DETERMINERS
            brought = {run for words in turns[:1] for run in _runs(words, ARTICLES)}
            again = {run for words in turns[1:] for run in _runs(words, ("the",))}
            self._brought.update(brought)
            self._taken_up.update(brought & again)

    def ends(self, word: str) -> bool:
        """Whether a word is no part of a noun phrase: it follows pronouns, not articles."""
        return self._after_pronoun[word] > self._after_determiner[word]

    def taken_up(self, phrase: str) -> bool:
        """Whether replies often say a phrase with `the` that a user brought in with `a`."""
        return self._taken_up[phrase] > _OFTEN * self._brought[phrase]


def _runs(words: Sequence[str], articles: Collection[str]) -> Iterator[str]:
    """The runs of words after articles, in lower case."""
    for at, word in enumerate(words):
        if word in articles:
            yield from (" ".join(words[at + 1 : at + 1 + size]) for size in range(1, LONGEST + 1))

"""How words are used in a release: where noun phrases end, which things replies take up."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from reader_release import ReadRound

TOKEN: Final = re.compile(r"[^\W\d_][\w'-]*|\d[\d.:]*|[^\w\s]")
"""A word, a number or a mark."""
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
_REACH: Final = (4, 2)
"""Words before and after a thing that make two sentences alike."""


class Usage:
    """What stands before words, and which things replies take up."""

    def __init__(self, rounds: Iterable[ReadRound] = ()) -> None:
        """Count in rounds, those of a whole release at best."""
        self._after_pronoun: Counter[str] = Counter()
        self._after_determiner: Counter[str] = Counter()
        self._brought: Counter[str] = Counter()
        self._taken_up: Counter[str] = Counter()
        self._frames: set[tuple[str, ...]] = set()
        for each in rounds:
            turns = [TOKEN.findall(text.lower()) for text in each.turns]
            for words in turns:
                for one, after in pairwise(words):
                    self._after_pronoun[after] += one in _PRONOUNS
                    self._after_determiner[after] += one in _DETERMINERS
            brought = {run for words in turns[:1] for run in _runs(words, ARTICLES)}
            again = {run for words in turns[1:] for run in _runs(words, ("the",))}
            self._brought.update(brought)
            self._taken_up.update(brought & again)
            for words in turns[:1]:
                self._note_frames(words, again)

    def _note_frames(self, words: Sequence[str], again: Collection[str]) -> None:
        """Keep the words around each thing that the reply takes up."""
        for at, word in enumerate(words):
            sizes = [
                size
                for size in range(1, LONGEST + 1)
                if word in ARTICLES and " ".join(words[at + 1 : at + 1 + size]) in again
            ]
            if sizes:
                self._frames.add(_frame(words[:at], words[at + 1 + sizes[-1] :]))

    def ends(self, word: str) -> bool:
        """Whether a word is no part of a noun phrase: it follows pronouns, not articles."""
        return self._after_pronoun[word] > self._after_determiner[word]

    def taken_up(self, phrase: str) -> bool:
        """Whether replies often say a phrase with `the` that a user brought in with `a`."""
        return self._taken_up[phrase] > _OFTEN * self._brought[phrase]

    def brings_in(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Whether a thing that a reply takes up stands between the same words anywhere."""
        return _frame(before, after) in self._frames


def _frame(before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """The words next to a thing, those of its own sentence before it."""
    near = before[-_REACH[0] :]
    ends = [at for at, word in enumerate(near) if word in ".?!"]
    return (*near[ends[-1] + 1 if ends else 0 :], "", *after[: _REACH[1]])


def _runs(words: Sequence[str], articles: Collection[str]) -> Iterator[str]:
    """The runs of words after articles, in lower case."""
    for at, word in enumerate(words):
        if word in articles:
            yield from (" ".join(words[at + 1 : at + 1 + size]) for size in range(1, LONGEST + 1))

"""Sentences of rounds, and how well they match the words of a question."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reader_release import ReadRound

_LITTLE_WORDS: Final = """
a an and are as at be been by did do does for from had has have her his how i in is it its me my
of on or she he that the their they this to was were what when where which who whom whose will
with much many out according say said give gave exactly s you your
"""
_STOP: Final = frozenset(_LITTLE_WORDS.split())
_SENTENCE: Final = re.compile(r"(?<=[.!?;])[\"')]*\s+")
_ENDING: Final = re.compile(r"(ings?|edly|ed|es|s|ly|er|ers|ing|ion|ions|ment|ments|al|ance)$")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a round with the number of its turn."""

    text: str
    turn: int
    round: ReadRound


def sentences(rounds: Iterable[ReadRound]) -> list[Sentence]:
    """Sentences in the order in which they are said."""
    return [
        Sentence(part, turn, each)
        for each in rounds
        for turn, text in enumerate(each.turns)
        for part in _SENTENCE.split(text)
        if part.strip()
    ]


def is_little(word: str) -> bool:
    """Whether a word in lower case joins others and says nothing itself."""
    return word in _STOP


def stems(text: str) -> list[str]:
    """Content words without endings, in lower case."""
    words = re.findall(r"[^\W_]+", text.lower().replace("'s", " "))
    return [_stem(word) for word in words if word not in _STOP]


def _stem(word: str) -> str:
    short = word
    while len(short) > 4 and (match := _ENDING.search(short)) and match.start() >= 3:
        short = short[: match.start()]
    return short.rstrip("e")[:6] if not short.isdigit() else short


class Weights:
    """How telling a word is in a conversation: rare words tell more."""

    def __init__(self, rounds: Sequence[ReadRound]) -> None:
        """Count in how many rounds each word stands."""
        self._rounds = len(rounds)
        self._counts = Counter(stem for each in rounds for stem in set(stems(" ".join(each.turns))))

    def of(self, stem: str) -> float:
        """Weight of a word; positive."""
        return math.log(1 + self._rounds / (1 + self._counts[stem]))

    def overlap(self, asked: str, said: str) -> float:
        """Weight of the words of a question that a sentence holds."""
        there = set(stems(said))
        return sum(self.of(stem) for stem in sorted(set(stems(asked))) if stem in there)


_PAUSE: Final = re.compile(r"[.,;:!?()]+(?:\s|$)|\s[-–—]\s")
_LONGEST_ECHO: Final = 9


def echoes(turns: Sequence[str]) -> list[str]:
    """Runs of words that stand at least twice in a round, the longest only, in lower case."""
    places: dict[tuple[str, ...], set[tuple[int, int]]] = {}
    runs = [run for turn in turns for run in _PAUSE.split(turn.lower())]
    for number, run in enumerate(runs):
        words = [word.strip("\"'") for word in run.split()]
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + _LONGEST_ECHO) + 1):
                places.setdefault(tuple(words[start:end]), set()).add((number, start))
    twice = {words: len(where) for words, where in places.items() if len(where) >= 2}
    return [
        " ".join(words)
        for words, count in twice.items()
        if not any(_within(words, longer) and twice[longer] >= count for longer in twice)
    ]


def _within(words: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    size = len(words)
    return size < len(longer) and any(
        longer[at : at + size] == words for at in range(len(longer) - size + 1)
    )


def first_match(patterns: Sequence[re.Pattern[str]], question: str) -> re.Match[str] | None:
    """The match of the first pattern that a question fits as a whole; None if none does."""
    return next(filter(None, (one.fullmatch(question) for one in patterns)), None)

"""Whether the two turns of a round are each in the other's voice, by the words of both voices."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import log
from statistics import median
from typing import Final, NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.validators.places import Parts, rounds

_TOKEN: Final = re.compile(r"[\w'’]+|[?!]")
_LEAST_ROUNDS: Final = 20
_TOLD_APART: Final = 22.0
"""Log-odds of the middle round from which on the voices of a conversation differ enough."""
_SHARE: Final = 0.6
"""It is enough to speak against the voices nearly as clearly as the middle round for them."""
_LEAST_APART: Final = 10.0
_SHARE_ALIKE: Final = 1.6
"""Where voices differ less, a round must speak against them more clearly than others for them."""

_Word = str | tuple[str, str]
"""A word, or two that follow each other; the empty one stands before and behind a text."""


class _Exchange(NamedTuple):
    parts: Parts
    human: frozenset[_Word]
    assistant: frozenset[_Word]


def exchanged(bundle: Bundle) -> Iterator[Parts]:
    """Places of the rounds whose person sounds like the assistant, and the other way about.

    Naive Bayes over the words and pairs of words of a conversation, each round held against all
    others (leave one out). Conversations whose voices are hardly told apart are left alone.
    """
    each = list(_exchanges(bundle))
    if len(each) < _LEAST_ROUNDS:
        return
    human = Counter(word for one in each for word in one.human)
    assistant = Counter(word for one in each for word in one.assistant)
    scale = _Odds(human, assistant)
    odds = [scale.of(one) for one in each]
    usual = median(odds)
    if usual >= _LEAST_APART:
        least = usual * (_SHARE if usual >= _TOLD_APART else _SHARE_ALIKE)
        yield from (one.parts for one, odd in zip(each, odds, strict=True) if odd < -least)


def _exchanges(bundle: Bundle) -> Iterator[_Exchange]:
    kinds = {speaker.id: speaker.kind for speaker in bundle.conversation.speakers}
    for parts, round_ in rounds(bundle):
        said = {kinds.get(turn.speaker): _words(turn.text) for turn in round_.turns}
        human, assistant = said.get(SpeakerKind.HUMAN), said.get(SpeakerKind.ASSISTANT)
        if len(round_.turns) == len(said) and human and assistant:
            yield _Exchange(parts, human, assistant)


def _words(text: str) -> frozenset[_Word]:
    said = ["", *_TOKEN.findall(text.casefold()), ""]
    return frozenset([*said[1:-1], *pairwise(said)])


class _Odds:
    """How much better words fit one voice than the other, each without its own round."""

    def __init__(self, human: Counter[_Word], assistant: Counter[_Word]) -> None:
        """Take in how many rounds each voice has a word."""
        self._human, self._assistant = human, assistant
        self._by_person: dict[_Word, float] = {}
        self._by_assistant: dict[_Word, float] = {}

    def of(self, one: _Exchange) -> float:
        """How much better the words of a round fit its voices than exchanged ones, as log-odds."""
        return sum(map(self._person, one.human - one.assistant)) - sum(
            map(self._machine, one.assistant - one.human)
        )

    def _person(self, word: _Word) -> float:
        """The log-odds of a word that the person of a round says, and the assistant does not."""
        if word not in self._by_person:
            odds = log(self._human[word] - 0.5) - log(self._assistant[word] + 0.5)
            self._by_person[word] = odds
        return self._by_person[word]

    def _machine(self, word: _Word) -> float:
        if word not in self._by_assistant:
            odds = log(self._human[word] + 0.5) - log(self._assistant[word] - 0.5)
            self._by_assistant[word] = odds
        return self._by_assistant[word]

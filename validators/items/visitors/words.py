"""Where a session speaks of what a question asks, by the words that both have."""

from collections import Counter
from collections.abc import Iterator, Mapping
from math import log
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.records.question import QAItem
from memassay.validators.items.visitors.sessions import visitors
from memassay.validators.places import is_visitor
from memassay.validators.wording import key_words, sentences

_ENOUGH: Final = 0.5
"""Share of the weight of a question's words from which on a place speaks of it (our choice)."""
_TOGETHER: Final = 3
"""Sentences that are read together, so that an answer has its question (our choice)."""


class Spoken:
    """What visitors of one host speak of, and how rare each word is among the host's rounds."""

    def __init__(self, bundle: Bundle) -> None:
        """Index a conversation."""
        names = " ".join(one.name for one in bundle.conversation.speakers)
        self._names = key_words(names)
        own = [one for one in bundle.conversation.sessions if not is_visitor(one)]
        rounds = [
            key_words(" . ".join(turn.text for turn in each.turns))
            for session in own
            for each in session.rounds
        ]
        self._rounds = len(rounds)
        self._times = Counter(word for words in rounds for word in words)
        self.windows = [(one, list(_windows(one))) for one in visitors(bundle)]

    def weights(self, item: QAItem) -> dict[str, float]:
        """The words of a question, names of speakers left out, each with its rarity."""
        words = key_words(item.question.text) - self._names
        return {word: log((self._rounds + 2) / (self._times[word] + 1)) for word in sorted(words)}


def spoken_of(
    weights: Mapping[str, float], windows: list[tuple[str, frozenset[str]]]
) -> tuple[str, frozenset[str]] | None:
    """The first round that has half of the weight of some words, with the words it has."""
    least = _ENOUGH * sum(weights.values())
    for place, words in windows:
        shared = weights.keys() & words
        if shared and sum(weights[word] for word in shared) >= least:
            return place, frozenset(shared)
    return None


def _windows(session: Session) -> Iterator[tuple[str, frozenset[str]]]:
    """The words of every three sentences or captions in a row, with the round of the last."""
    parts = [
        (round_.id, key_words(text))
        for round_ in session.rounds
        for turn in round_.turns
        for text in (*sentences(turn.text), *(one.caption or "" for one in turn.attachments))
    ]
    for at, (place, _) in enumerate(parts):
        near = parts[max(0, at - _TOGETHER + 1) : at + 1]
        yield place, frozenset().union(*(words for _, words in near))

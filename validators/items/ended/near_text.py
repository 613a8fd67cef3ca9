"""Where a text tells of an end beside the words of a question: worth a look, not an accusation.

Close to a sentence that says of anything that it is no more stands what the question asks of: its
words in that round, in one beside it, or in an earlier one that a rare word links with the end.
"""

import re
from functools import cached_property
from typing import Final, NamedTuple

from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.asked_words import END_WORDS, GENERAL, uncovered
from memassay.validators.items.ended.end_words import may_end
from memassay.validators.items.ended.told_text import (
    DOUBTED,
    Search,
    ToldEnding,
    ToldText,
    covered,
    of_owner,
    value_in,
)
from memassay.validators.wording import key_words, sentences

_RARE: Final = 12
"""In how many turns a word may stand that links an end with what ends (our choice)."""
_FEWEST: Final = 2
"""Words that say what a question is about, if they are not rare."""
_BESIDE: Final = 2
"""How many turns before or after an end are its neighbours: a round of two, and one more."""
_NAMED: Final = key_words(
    "make brand model company firm service provider manufacturer platform app shop store insurer "
    "bank charity name title island city town village country club team band choir school studio "
    "restaurant hotel pub inn bar cafe medicine road"
)
"""Kinds of things that a text calls by their names alone."""
_BY_NAME: Final = re.compile(r"(?<=[\w,;:] )[A-Z][\w-]+")
_BACK: Final = re.compile(r"\b(?:it|that|this|them|those|they|he|she|him|her)\b")


class _Asked(NamedTuple):
    """What a question looks for, the words for the thing it is about, and all that must be said."""

    search: Search
    topic: frozenset[str]
    words: frozenset[str]


class _End(NamedTuple):
    """A sentence that may tell of an end.

    Attributes:
        at: Place of its turn.
        said: It, behind the sentence before if it only says "it".
        beside: Places of the turns that may tell of what ends.
    """

    at: int
    said: str
    beside: list[int]


class NearEndings:
    """The sentences of a conversation that may tell of an end."""

    def __init__(self, text: ToldText) -> None:
        """Keep the text."""
        self._text = text

    def near(self, question: str, sessions: frozenset[str]) -> ToldEnding | None:
        """Where what a question may ask for is told, and where an end beside the same words is."""
        search = self._text.search(question)
        head = search.asked.head - self._text.names
        topic = uncovered(search.wanted - head, GENERAL) or search.wanted
        if len(topic | head) < _FEWEST and not any(map(self._is_rare, topic)):
            return None
        asked = _Asked(search, topic, topic | (head - END_WORDS))
        with_word = {word: self._text.turns_with(word) for word in asked.words}
        for end in self._ends:
            turn = self._text.turns[end.at]
            if turn.id.partition(":")[0] not in sessions or not of_owner(
                search, turn, end.said, strictly=True
            ):
                continue
            left = asked.words - covered(asked.words, end.said)
            for first in end.beside:
                still = {word for word in left if first not in with_word[word]}
                if still <= _NAMED and self._tells(asked, frozenset(still), first, end.said):
                    return ToldEnding(self._text.turns[first].id, turn.id)
        return None

    def _tells(self, asked: _Asked, left: frozenset[str], first: int, said: str) -> bool:
        """Whether a turn and an end have what is asked for, and belong together.

        Words that are left may stand there as a name.
        """
        turn = self._text.turns[first]
        both = f"{turn.text} {said}"
        if (
            turn.speaker in self._text.assistants
            or not of_owner(asked.search, turn, turn.text, strictly=True)
            or (left and not _BY_NAME.search(both))
            or not value_in(asked.search.asked, normalise(both))
        ):
            return False
        return bool(covered(asked.topic, said)) or any(
            covered(asked.topic, one) and self._linked(one, said)
            for one in sentences(turn.text)
            if not DOUBTED.search(normalise(one))
        )

    @cached_property
    def _ends(self) -> list[_End]:
        """The sentences that may tell of an end; an assistant ends nothing."""
        found, before = [], ""
        for at, sentence in self._text.sentences:
            if self._text.turns[at].speaker not in self._text.assistants and may_end(sentence):
                back = _BACK.search(normalise(sentence))
                said = f"{before} {sentence}" if back else sentence
                found.append(_End(at, said, self._beside(at, said)))
            before = sentence
        return found

    def _beside(self, at: int, said: str) -> list[int]:
        """Places of the turns that may tell of what ends: this one, its neighbours, linked ones."""
        near = range(max(0, at - _BESIDE), min(len(self._text.turns), at + _BESIDE + 1))
        linked = {
            turn for word in self._rare(said) for turn in self._text.turns_with(word) if turn < at
        }
        return sorted({*near, *linked}, key=lambda turn: (abs(turn - at), turn))

    def _linked(self, one: str, said: str) -> bool:
        """Whether two sentences share a word that few others have."""
        return not self._rare(one).isdisjoint(self._rare(said))

    def _rare(self, sentence: str) -> frozenset[str]:
        own = key_words(sentence) - END_WORDS - GENERAL - self._text.names
        return frozenset(filter(self._is_rare, own))

    def _is_rare(self, word: str) -> bool:
        return len(self._text.turns_with(word)) <= _RARE

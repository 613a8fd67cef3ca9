"""The sentences of a conversation, found by their words and by who speaks; no ledger is needed."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind, Turn
from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.asked_words import (
    Asked,
    Vocabulary,
    asked_in,
    kinds_of,
    uncovered,
)
from memassay.validators.wording import key_words, sentences

_FIRST_PERSON: Final = re.compile(r"\b(?:i|my|me|we|our|us)\b")
_DATED: Final = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|"
    r"july|august|september|october|november|december|tomorrow|tonight|weekend|week|month|noon|midnight)\b"
)
_NUMBER: Final = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand)\b"
)
_MONEY: Final = re.compile(r"[$€£]|\b(?:eur|euros?|usd|dollars?|pounds?|bucks)\b")
_DATING: Final = re.compile(r"\b(?:dating|going out with|in love with)\b")
DOUBTED: Final = re.compile(
    r"\b(?:if|might|may|could|would|maybe|perhaps|whether|wish|hope|not|never)\b|n't\b"
)


class ToldEnding(NamedTuple):
    """Turns that say what was there, and that it ended."""

    there: str
    ended: str


class Search(NamedTuple):
    """What is looked for.

    Attributes:
        asked: What the question asks for.
        wanted: Its words, without the names of those who speak.
        owners: By id of the speakers whom it names, the words of their names.
    """

    asked: Asked
    wanted: frozenset[str]
    owners: dict[str, frozenset[str]]


class ToldText:
    """The turns and sentences of a conversation, and what a question looks for in them."""

    def __init__(self, bundle: Bundle) -> None:
        """Cut the turns once; questions are many."""
        self._owners = _names(bundle)
        self.names = frozenset().union(*self._owners.values())
        speakers = bundle.conversation.speakers
        self.assistants = {one.id for one in speakers if one.kind is SpeakerKind.ASSISTANT}
        self.turns = list(bundle.conversation.turns())
        self.sentences = [
            (at, one) for at, turn in enumerate(self.turns) for one in sentences(turn.text)
        ]

    def search(self, question: str) -> Search:
        """What a question looks for."""
        asked = asked_in(question)
        owners = {speaker: own for speaker, own in self._owners.items() if own & asked.all_words}
        return Search(asked, asked.words - self.names, owners)

    @cached_property
    def by_word(self) -> dict[str, set[int]]:
        """By word, the places in the list of sentences that have it, or name its kind."""
        found: dict[str, set[int]] = defaultdict(set)
        for place, (_, one) in enumerate(self.sentences):
            own = key_words(f"{one} {_kinds_in(normalise(one))}")
            for word in own | kinds_of(own):
                found[word].add(place)
        return dict(found)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self.by_word)

    def with_all(self, words: frozenset[str]) -> Iterator[tuple[int, str]]:
        """Sentences that have every one of some words, with the place of their turn."""
        places = [
            set().union(*(self.by_word[alike] for alike in self._vocabulary.akin(word)))
            for word in sorted(words)
        ]
        for place in sorted(set.intersection(*places)):
            yield self.sentences[place]

    def turns_with(self, word: str) -> frozenset[int]:
        """Places of the turns that have a word, a form or a sense of it."""
        return frozenset(
            self.sentences[place][0]
            for alike in self._vocabulary.akin(word)
            for place in self.by_word[alike]
        )


def covered(words: frozenset[str], text: str) -> frozenset[str]:
    """The words that a text says, in whatever form or by its kind."""
    own = key_words(text)
    return words - uncovered(words, own | kinds_of(own))


def _kinds_in(sentence: str) -> str:
    """Words for what a sentence gives without the word: a price, a date."""
    kinds = {"price": _MONEY, "date": _DATED, "partner": _DATING}
    return " ".join(kind for kind, pattern in kinds.items() if pattern.search(sentence))


def value_in(asked: Asked, sentence: str) -> bool:
    """Whether a sentence has a date or a number, if that is asked for."""
    needed = {"date": _DATED, "number": _NUMBER}.get(asked.kind)
    return needed is None or needed.search(sentence) is not None


def of_owner(search: Search, turn: Turn, sentence: str, *, strictly: bool = False) -> bool:
    """Whether whoever a question names says a sentence, or is named in it.

    Strictly, who is named in what another says of themselves is only spoken to.
    """
    said = key_words(sentence)
    own_words = strictly and _FIRST_PERSON.search(normalise(sentence)) is not None
    return not search.owners or any(
        turn.speaker == speaker or (own & said and not own_words)
        for speaker, own in search.owners.items()
    )


def _names(bundle: Bundle) -> dict[str, frozenset[str]]:
    """Words of the names of those who speak, by id; those of its personas are the one human's."""
    speakers = bundle.conversation.speakers
    humans = [each.id for each in speakers if each.kind is SpeakerKind.HUMAN]
    found = {each.id: key_words(each.name) for each in speakers}
    if len(humans) == 1:
        found[humans[0]] |= key_words(" ".join(each.name for each in bundle.personas))
    return found

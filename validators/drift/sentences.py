"""What audits hear in a history: sentences with their place, content words, names, numbers."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import pointer
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, SpeakerKind
from memassay.schemas.records.persona import Persona
from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.text import tokens

_WORDS: Final = Path(__file__).parent / "words"
_BREAK: Final = re.compile(r"(?<=[.!?…])[\"')\]]*\s+")
_NUMBER: Final = re.compile(r"(?<![\w.,:-])[0-9]+(?:[.,:][0-9]+)*(?![\w-])")
_DIGIT: Final = re.compile("[0-9]")
_ENDINGS: Final = ("ings", "ing", "edly", "ed", "ies", "es", "s", "ly")


@cache
def word_list(name: str) -> tuple[str, ...]:
    """The lines of a word list that ships, without comments."""
    lines = (_WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


_STOPPED: Final = frozenset(word_list("stopped"))


class Sentence(NamedTuple):
    """One sentence of a dialogue.

    Attributes:
        session: 0-based position of its session.
        round: 0-based position of its round in the session.
        turn: 0-based position of its turn in the round.
        by_user: Whether the user says it.
        text: The sentence.
        said_in: The round.
    """

    session: int
    round: int
    turn: int
    by_user: bool
    text: str
    said_in: Round

    @property
    def parts(self) -> tuple[str | int, ...]:
        """Parts of the JSON Pointer to its turn's text."""
        return ("sessions", self.session, "rounds", self.round, "turns", self.turn, "text")

    @property
    def pointer(self) -> str:
        """JSON Pointer to its turn's text."""
        return pointer(*self.parts)


def persona_of(bundle: Bundle) -> Persona | None:
    """The persona a history is about; None where none is known, and audits have nothing to say."""
    return bundle.personas[0] if bundle.personas else None


@text_cache(1 << 14)
def split(text: str) -> tuple[str, ...]:
    """The sentences of a text."""
    return tuple(part for part in _BREAK.split(text) if part)


def sentences(bundle: Bundle) -> Iterator[Sentence]:
    """Every sentence of a dialogue, in time order."""
    humans = {one.id for one in bundle.conversation.speakers if one.kind is SpeakerKind.HUMAN}
    for s, session in enumerate(bundle.conversation.sessions):
        for r, round_ in enumerate(session.rounds):
            for t, turn in enumerate(round_.turns):
                for text in split(turn.text):
                    yield Sentence(s, r, t, turn.speaker in humans, text, round_)


@text_cache(1 << 15)
def stem(word: str) -> str:
    """A word without its commonest endings, so that `kittens` meets `kitten`."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def content_words(text: str) -> set[str]:
    """Stems of the words that carry a text's content; numbers are left out."""
    return {stem(word) for word in tokens(text) if word not in _STOPPED and word[0].isalpha()}


def numbers(text: str) -> set[str]:
    """Numbers of a text as they are written, without a final mark: `12.50`, `07:30`, `2024`."""
    return set(_NUMBER.findall(text)) if _DIGIT.search(text) else set()


def known_names(bundle: Bundle) -> frozenset[str]:
    """Capitalised words by which a history's own people and things go."""
    texts = [name for event in bundle.events for name in event.names.values()]
    texts += [one.name for one in bundle.personas]
    texts += [speaker.name for speaker in bundle.conversation.speakers]
    texts += [fact.value.text for fact in bundle.facts]
    texts += [asset.transcription or "" for asset in bundle.assets]
    texts += [text for one in bundle.personas for text in (one.summary, one.core_event)]
    return frozenset(re.findall(r"\b[A-Z][\w'-]*\w", " ".join(texts)))

"""Words of a dialogue: stems of what is said, names of places and things, who is addressed."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from memassay.schemas.values import stems as english
from memassay.schemas.values.caches import text_cache
from memassay.synth.clusters.dialogue import Dialogue

_WORD: Final = re.compile(r"[^\W\d_](?:[\w'’\-]*\w)?|\d+")
_SENTENCE: Final = re.compile(r"(?<=[.!?…:\"“])\s+|\n|—")
_PRONOUNS: Final = frozenset({"I", "I'm", "I've", "I'll", "I'd"})
_NAME: Final = r"[A-Z][a-z]+"
_ADDRESSED: Final = re.compile(
    rf"[a-z0-9)’'], ({_NAME})(?: {_NAME})?(?=[.!?—])"
    rf"|\b(?:Hi|Hello|Hey|[Ww]elcome back|Congratulations),? ({_NAME})\b"
)
"""`That sounds fun, Maria!` or `Hi Maria`: what one says to somebody."""


def words(text: str) -> list[str]:
    """Words and numbers of a text, with one kind of apostrophe."""
    return _WORD.findall(text.replace("’", "'"))


@text_cache(1 << 18)
def stem(word: str) -> str:
    """The stem of a word; empty for a word that says nothing of the topic."""
    lower = word.lower().removesuffix("'s")
    if len(lower) < 2 or lower in _stop_words():
        return ""
    found = english.stem(lower)
    return "" if found in _stop_stems() else found


@cache
def _stop_words() -> frozenset[str]:
    # The library takes most of a second to import, and only clustering asks for it.
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


@cache
def _stop_stems() -> frozenset[str]:
    return frozenset(english.stem(word) for word in _stop_words())


def stems(text: str) -> list[str]:
    """Stems of the telling words of a text, in order."""
    return [found for word in words(text) if (found := stem(word))]


def is_name(word: str) -> bool:
    """Whether a word that begins no sentence is written as names are."""
    return len(word) > 1 and word[0].isupper() and word not in _PRONOUNS


def has_capitals(sentence: str) -> bool:
    """Whether anything but the beginning of a sentence may be a name; a fast first look."""
    rest = sentence[1:]
    return rest != rest.lower()


def entities(text: str) -> list[str]:
    """Capitalised words inside sentences, alone and as runs of several, lower-case."""
    found: list[str] = []
    for sentence in _SENTENCE.split(text):
        if not has_capitals(sentence):
            continue
        run: list[str] = []
        # The first word of a sentence is capitalised whatever it is.
        for word in [*words(sentence)[1:], ""]:
            if is_name(word):
                run.append(word.lower().removesuffix("'s"))
                continue
            found += run
            if len(run) > 1:
                found.append(" ".join(run))
            run = []
    return found


def names_of_people(dialogues: Sequence[Dialogue]) -> list[frozenset[str]]:
    """Names of the people of each dialogue, lower-case: those known, and those they are called.

    A word is a name if replies address somebody by it more often than they hold it otherwise, and
    it is nowhere written small.
    """
    vocatives = [Counter(_vocatives(one)) for one in dialogues]
    total = sum(vocatives, Counter[str]())
    seen, small = _occurrences(dialogues, set(total))
    often = {name for name, count in total.items() if 2 * count > seen[name]}
    names = {name for name in often if name.lower() not in small}
    return [
        frozenset(name.lower() for name in {*one.names, *(names & own.keys())})
        for one, own in zip(dialogues, vocatives, strict=True)
    ]


def _vocatives(dialogue: Dialogue) -> Iterable[str]:
    for one in dialogue.rounds:
        for found in _ADDRESSED.finditer(one.reply):
            yield found[1] or found[2]


def _occurrences(dialogues: Sequence[Dialogue], names: set[str]) -> tuple[Counter[str], set[str]]:
    """How often replies hold each name, and which of the names are written small anywhere."""
    seen: Counter[str] = Counter()
    lower = {name.lower() for name in names}
    small: set[str] = set()
    for dialogue in dialogues:
        for one in dialogue.rounds:
            said = [word.removesuffix("'s") for word in words(one.reply)]
            seen.update(word for word in said if word in names)
            small.update(lower.intersection(said))
            small.update(lower.intersection(words(one.text)))
    return seen, small

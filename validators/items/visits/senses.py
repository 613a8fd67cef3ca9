"""Words of everyday life, and which of them may answer which. English, by a list of our own."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from memassay.schemas.values.caches import text_cache
from memassay.validators.texts.history import roots

_MARKED: Final = re.compile(r"<[^<>]*>")
"""A concept of a guest: its name says nothing about it."""
_WORK_OUT: Final = re.compile(r"\bwork(?:s|ed|ing)? out\b", re.IGNORECASE)
_TAKE_UP: Final = re.compile(r"\b(?:take|takes|taking|taken|took) up\b", re.IGNORECASE)
_BEGINNING: Final = 6
"""Letters with which forms of one word begin: `volunteer` and `volunteering`."""
_GENERAL: Final = "general "


class _Lists(NamedTuple):
    """The list of words, each as its stem.

    Attributes:
        general: Words that say nothing of what a question is about.
        near: By word, the lines in which it stands.
        kinds_of: By word, what asks for it by its kind.
        kinds: All that ask so.
    """

    general: frozenset[str]
    near: dict[str, frozenset[str]]
    kinds_of: dict[str, frozenset[str]]
    kinds: frozenset[str]


@cache
def _lists() -> _Lists:
    # Stems take a second to import: a release without visitors never asks for them.
    written = Path(__file__).with_name("life_words.txt").read_text("utf-8").splitlines()
    lines = [line for line in written if not line.startswith("#")]
    general = [line.removeprefix(_GENERAL) for line in lines if line.startswith(_GENERAL)]
    plain = [line for line in lines if ":" not in line and not line.startswith(_GENERAL)]
    kinds = [line.split(":") for line in lines if ":" in line]
    kinds_of = _by_word(
        (f"kind {name}", words) for names, words in kinds for name in sorted(roots(names))
    )
    return _Lists(
        roots(" ".join(general)),
        _by_word((f"line {at}", line) for at, line in enumerate(plain)),
        kinds_of,
        frozenset[str]().union(*kinds_of.values()),
    )


def _by_word(lines: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sense, line in lines:
        for word in roots(line):
            found.setdefault(word, set()).add(sense)
    return {word: frozenset(senses) for word, senses in found.items()}


class Senses(NamedTuple):
    """What a word, or several, can stand for.

    Attributes:
        forms: Themselves, how they begin, and the kinds that they ask for or are of.
        near: The lines of words that mean about the same.
    """

    forms: frozenset[str]
    near: frozenset[str]


@text_cache(1 << 14)
def content(text: str) -> frozenset[str]:
    """Words of a text, no numbers and no names of concepts among them."""
    plain = _TAKE_UP.sub("pastime", _WORK_OUT.sub("workout", _MARKED.sub(" ", text)))
    return frozenset(word for word in roots(plain) if not word[0].isdigit())


def telling(text: str) -> frozenset[str]:
    """The words of a text that tell what it is about: none that any text may have."""
    return content(text) - _lists().general


@text_cache(1 << 14)
def asked(word: str) -> Senses:
    """What answers a word of a question."""
    kind = f"kind {word}"
    forms = {*_forms(word), *([kind] if kind in _lists().kinds else ())}
    return Senses(frozenset(forms), _lists().near.get(word, frozenset()))


@text_cache(1 << 14)
def spoken(words: frozenset[str]) -> Senses:
    """What words of a statement can answer."""
    forms = {form for word in words for form in _forms(word)}
    kinds = {kind for word in words for kind in _lists().kinds_of.get(word, ())}
    near = {sense for word in words for sense in _lists().near.get(word, ())}
    return Senses(frozenset(forms | kinds), frozenset(near))


def _forms(word: str) -> Iterator[str]:
    yield word
    if len(word) >= _BEGINNING:
        yield f"{word[:_BEGINNING]}-"

"""Words of a text with their case and place, and how runs of words are found in each other."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.text import NUMBER_WORDS, normalise

_WORD: Final = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*|[^\W\d_]+(?:['’][^\W\d_]+)*", re.UNICODE)
_BREAK: Final = re.compile(r"[.!?:;\"“”(]\s*$|\s['‘]$")
_MARKS: Final = frozenset({"'", "’"})
_ARTICLES: Final = frozenset({"a", "an", "the"})
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")

Run = tuple[str, ...]
"""Folded words that follow one another, articles left out."""


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        folded: Case-folded, without a possessive `'s`; number words are digits.
        capital: Whether it is written with a capital first letter.
        begins: Whether a sentence, a quotation or a clause after a colon begins with it, so that
            its capital says nothing.
        owner: Whether it is possessive.
    """

    folded: str
    capital: bool
    begins: bool
    owner: bool = False


def split_words(words: str) -> frozenset[str]:
    """Words that are written one after another."""
    return frozenset(words.split())


@text_cache(1 << 13)
def words_of(text: str) -> tuple[Word, ...]:
    """The words of a text in order, articles left out."""
    found: list[Word] = []
    begins, end = True, 0
    for match in _WORD.finditer(text):
        begins = begins or _BREAK.search(text[end : match.start()]) is not None
        end = match.end()
        said = normalise(match.group())
        folded = _fold(said)
        if folded not in _ARTICLES:
            owner = said.endswith(("'s", "s'")) or text[end : end + 1] in _MARKS
            found.append(Word(folded, match.group()[0].isupper(), begins, owner))
            begins = False
    return tuple(found)


def _fold(word: str) -> str:
    """A normalised word without its possessive; number words and thousands as plain digits."""
    plain = word.removesuffix("'s").removesuffix("'")
    if "," in plain and _THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", "")
    return NUMBER_WORDS.get(plain, plain)


@text_cache(1 << 14)
def run_of(text: str) -> Run:
    """The folded words of a text, articles left out."""
    folded = map(_fold, _WORD.findall(normalise(text)))
    return tuple(word for word in folded if word not in _ARTICLES)


def places_of(run: Run, line: Sequence[str]) -> list[range]:
    """Where a run is in a line of folded words."""
    size = len(run)
    if not size:
        return []
    return [
        range(at, at + size)
        for at in range(len(line) - size + 1)
        if line[at] == run[0] and tuple(line[at : at + size]) == run
    ]


def stands_in(run: Run, lines: Iterable[Run]) -> bool:
    """Whether a run is in one of some lines."""
    return any(places_of(run, line) for line in lines)

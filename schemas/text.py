"""Text normalisation and search: one way to say that a text holds a value.

Everything here is independent of the locale: `str.casefold` and Unicode tables only.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(r"[0-9]+(?:[.,:][0-9]+)*|[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_ARTICLES: Final = frozenset({"a", "an", "the"})
_UNITS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS: Final = {word: str(value) for value, word in enumerate(_UNITS)} | {
    word: str(10 * value) for value, word in enumerate(_TENS, start=2)
}
"""Digits by English number word, up to ninety."""


def normalise(text: str) -> str:
    """Compatibility-decomposed, case-folded text with plain quotes and single spaces."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return " ".join(folded.split())


def tokens(text: str) -> list[str]:
    """Words and numbers of a normalised text; `1,200` is `1200`, possessive `'s` is dropped."""
    return [token for token, _ in _tokens_with_spans(normalise(text))]


def _tokens_with_spans(normalised: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for found in _TOKEN.finditer(normalised):
        token = found.group().replace("’", "'")
        if _THOUSANDS.fullmatch(token):
            token = token.replace(",", "")
        yield token.removesuffix("'s"), found.span()


def content_tokens(text: str) -> list[str]:
    """Tokens without articles, number words as digits: the form in which values are compared."""
    return [NUMBER_WORDS.get(token, token) for token in tokens(text) if token not in _ARTICLES]


def holds(text: str, value: str) -> bool:
    """Whether a text holds a value as a run of whole tokens (`12` is not in `120`)."""
    needle, hay = content_tokens(value), content_tokens(text)
    if not needle:
        return False
    size = len(needle)
    return any(hay[at : at + size] == needle for at in range(len(hay) - size + 1))


def same(left: str, right: str) -> bool:
    """Whether two texts say the same value, up to case, articles, punctuation, number words."""
    return content_tokens(left) == content_tokens(right)


def coverage(text: str, value: str) -> float:
    """Share (0..1) of the distinct content tokens of a value that occur in a text; 0 for none."""
    needed = set(content_tokens(value))
    return len(needed & set(content_tokens(text))) / len(needed) if needed else 0.0


def shingles(text: str, size: int = 3) -> set[tuple[str, ...]]:
    """Distinct runs of `size` tokens; a shorter text gives its one run of all tokens."""
    words = tokens(text)
    if len(words) <= size:
        return {tuple(words)} if words else set()
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def jaccard(left: set[tuple[str, ...]], right: set[tuple[str, ...]]) -> float:
    """Shared part (0..1) of two sets of shingles; 0 when both are empty."""
    union = left | right
    return len(left & right) / len(union) if union else 0.0

"""How a text compares with a gold in words: the same words, some of them, or others."""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from memassay.validators.wording import key_words, words, yes_or_no

_LISTED: Final = re.compile(r"\s*(?:[,;\n]| and | then )+\s*")
_SHORTEST: Final = 4
_NEGATIONS: Final = frozenset({"not", "no", "never", "none", "nothing", "without", "nor", "cannot"})


class Verdict(StrEnum):
    """What a text beside a gold is."""

    SAME = "the gold"
    COARSER = "less precise than the gold"
    OTHER = "something else than the gold"
    UNSURE = "not known to follow from the gold"


@lru_cache(maxsize=1 << 12)
def plain_words(text: str) -> tuple[str, ...]:
    """Words in order: number words as digits, no articles, accents or endings of the plural."""
    letters = unicodedata.normalize("NFKD", text)
    return tuple(map(_singular, words("".join(one for one in letters if not _is_accent(one)))))


def _is_accent(letter: str) -> bool:
    return unicodedata.combining(letter) > 0


def _singular(word: str) -> str:
    long = len(word) >= _SHORTEST and word.isalpha()
    return word.removesuffix("s") if long and not word.endswith("ss") else word


def truth_verdict(text: str, gold: str) -> Verdict:
    """How a text compares with a yes or no, after which it may go on: "Yes, twice"."""
    first = yes_or_no((plain_words(text) or ("",))[0])
    if first is None:
        return Verdict.UNSURE
    return Verdict.SAME if first == yes_or_no(gold) else Verdict.OTHER


def phrase_verdict(text: str, gold: str) -> Verdict:
    """How a text compares with a gold that is neither an amount nor a date."""
    left, right = plain_words(text), plain_words(gold)
    if left == right:
        return Verdict.SAME
    numbers = [[word for word in of if word[0].isdigit()] for of in (left, right)]
    bare = [[word for word in of if not word[0].isdigit()] for of in (left, right)]
    if bare[0] == bare[1] and all(numbers):
        return Verdict.OTHER
    if _NEGATIONS & (set(left) ^ set(right)) and set(left) & set(right):
        # Of several steps, the one that is denied may not be the one that is named.
        return Verdict.OTHER if len(pieces(gold)) == 1 else Verdict.UNSURE
    rest = iter(right)
    return Verdict.COARSER if left and all(word in rest for word in left) else Verdict.UNSURE


def pieces(text: str) -> list[str]:
    """The parts of a listing: between commas, semicolons, lines, "and"."""
    return [one for one in _LISTED.split(text) if one]


def list_verdict(text: str, values: Sequence[str], *, ordered: bool) -> Verdict:
    """How a text compares with several golds: all of them, or keywords of them in their order.

    A keyword belongs to the first gold that has a word of it. Keywords of no gold are allowed,
    as people choose them, unless they are more than half.
    """
    if plain_words(text) == tuple(word for value in values for word in plain_words(value)):
        return Verdict.SAME
    parts = pieces(text)
    golds = [key_words(value) for value in values]
    places = [
        [at for at, gold in enumerate(golds) if not gold.isdisjoint(key_words(part))]
        for part in parts
    ]
    known = [place for place in places if place]
    if 2 * len(known) < len(parts) or not known:
        return Verdict.UNSURE
    return Verdict.COARSER if not ordered or _can_rise(known) else Verdict.OTHER


def _can_rise(places: Sequence[Sequence[int]]) -> bool:
    """Whether one place of each can be chosen so that none comes before the last one chosen."""
    least = 0
    for place in places:
        later = [at for at in place if at >= least]
        if not later:
            return False
        least = min(later)
    return True

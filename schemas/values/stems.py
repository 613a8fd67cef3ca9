"""Stems of English words: `walks`, `walked` and `walking` have one."""

from functools import cache

from Stemmer import Stemmer

from memassay.schemas.values.caches import text_cache


@cache
def _stemmer() -> Stemmer:
    return Stemmer("english")


@text_cache(1 << 16)
def stem(word: str) -> str:
    """The stem of a word in small letters (Snowball, also called Porter 2)."""
    found: str = _stemmer().stemWord(word)
    return found

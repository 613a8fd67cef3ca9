"""Stems of English words: `walks`, `walked` and `walking` have one."""

from functools import cache
from typing import Protocol, cast

from memassay.schemas.values.caches import text_cache


class _Stemmer(Protocol):
    def stem(self, word: str) -> str: ...


@cache
def _stemmer() -> _Stemmer:
    # Its package takes a second to import, and most runs never ask for a stem.
    from nltk.stem.snowball import SnowballStemmer

    return cast(_Stemmer, SnowballStemmer("english"))


@text_cache(1 << 16)
def stem(word: str) -> str:
    """The stem of a word in small letters (Snowball, also called Porter 2)."""
    return _stemmer().stem(word)

"""Words in the form in which deeds and things are compared."""

import re
from functools import cache, lru_cache
from typing import Final

from nltk.stem.snowball import SnowballStemmer

from memassay.synth.lives.unifying.reading.wording import word_groups

_STEMMER: Final = SnowballStemmer("english")
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*|\d+")


@cache
def _base_forms() -> dict[str, str]:
    return {form: verb for verb, forms in word_groups("irregular").items() for form in forms}


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """`drive` for `drove`, `driving` and `drives`; `dog` for `dogs`."""
    plain = word.lower()
    found: str = _STEMMER.stem(_base_forms().get(plain, plain))
    return found


@lru_cache(maxsize=1 << 12)
def stems(text: str) -> tuple[str, ...]:
    """The stem of every word of a text, in order."""
    return tuple(stem(one) for one in _TOKEN.findall(text))

"""The words by which answers are compared: no case, no articles, no plural, no accents."""

import unicodedata
from typing import Final

from memassay.schemas.values.caches import text_cache
from memassay.validators.wording import words

_NEGATIONS: Final = frozenset(
    {"not", "no", "never", "none", "nothing", "without", "neither", "nor", "cannot"}
)
_SHORTEST: Final = 4


@text_cache(1 << 12)
def plain_words(text: str) -> tuple[str, ...]:
    """Words of a text in order: number words as digits, without articles, endings of the plural."""
    bare = "".join(
        one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one)
    )
    return tuple(_singular(word) for word in words(bare))


def _singular(word: str) -> str:
    if len(word) < _SHORTEST or not word.isalpha() or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word.removesuffix("s")


def denied(of: tuple[str, ...]) -> bool:
    """Whether some words deny what they say."""
    return any(word in _NEGATIONS or word.endswith("n't") for word in of)


def within(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    """Whether some words stand among others, in their order."""
    rest = iter(many)
    return bool(few) and all(word in rest for word in few)

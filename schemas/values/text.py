"""Text normalisation and search: one way to say that a text holds a value.

Everything here is independent of the locale: `str.casefold` and Unicode tables only.
"""

import re
import unicodedata
from typing import Final

from memassay.schemas.values.caches import text_cache

_TOKEN: Final = re.compile(r"[0-9]+(?:[.,:][0-9]+)*|[^\W_]+(?:'[^\W_]+)*", re.UNICODE)
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_PLAIN: Final = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"'} | dict.fromkeys("‐–—−", "-")
)
# Case folding turns the Turkish capital dotted I into an i and this mark, which no word holds.
_DOT_ABOVE: Final = "\u0307"
# Fillers of Hangul and the blank of Braille, which Unicode counts as letters and as a symbol.
_UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_KEPT: Final = 1 << 13
"""Texts whose tokens are kept: rules look at the same ones of a history again and again."""
_ARTICLES: Final = frozenset({"a", "an", "the"})
_UNITS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
    *("seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FIRST_OF_TWO: Final = frozenset(_TENS)
NUMBER_WORDS: Final = (
    {word: str(value) for value, word in enumerate(_UNITS)}
    | {word: str(10 * value) for value, word in enumerate(_TENS, start=2)}
    | {
        f"{ten}-{unit}": str(10 * tens + value)
        for tens, ten in enumerate(_TENS, start=2)
        for value, unit in enumerate(_UNITS[1:10], start=1)
    }
)
"""Digits by English number word, from `zero` to `ninety-nine`."""
_IN_ORDER: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
ORDINALS: Final = {word: number for number, word in enumerate(_IN_ORDER, start=1)}
"""Number by English ordinal, from `first` to `twentieth`."""


def normalise(text: str) -> str:
    """Compatibility-composed (NFKC), case-folded text with plain quotes, dashes and spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold()
    return " ".join(folded.replace(f"i{_DOT_ABOVE}", "i").split())


def is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen: spaces, zero-width characters, marks alone."""
    return not any(unicodedata.category(one)[0] in "LNPS" and one not in _UNSEEN for one in text)


def tokens(text: str) -> list[str]:
    """Words and numbers of a normalised text; `1,200` is `1200`, possessive `'s` is dropped."""
    return list(_tokens(text))


@text_cache(_KEPT)
def _tokens(text: str) -> tuple[str, ...]:
    return _plain_tokens(normalise(text))


def _plain_tokens(normalised: str) -> tuple[str, ...]:
    found: list[str] = _TOKEN.findall(normalised)
    if "," in normalised or "'s" in normalised:
        return tuple(map(_plain, found))
    return tuple(found)


def _plain(token: str) -> str:
    if "," in token and _THOUSANDS.fullmatch(token):
        return token.replace(",", "")
    return token.removesuffix("'s")


def content_tokens(text: str) -> list[str]:
    """Tokens without articles, number words as digits: the form in which values are compared."""
    return list(_content_tokens(text))


@text_cache(_KEPT)
def _content_tokens(text: str) -> tuple[str, ...]:
    found = _tokens(text)
    if not _FIRST_OF_TWO.isdisjoint(found):
        found = _with_compounds(normalise(text))
    return tuple(NUMBER_WORDS.get(token, token) for token in found if token not in _ARTICLES)


def _with_compounds(normalised: str) -> tuple[str, ...]:
    """Tokens, with a number word of two parts (`twenty-one`, `twenty one`) as one token."""
    found: list[str] = []
    last_end = -1
    for match in _TOKEN.finditer(normalised):
        token = _plain(match.group())
        begin, end = match.span()
        if found and found[-1] in NUMBER_WORDS and normalised[last_end:begin] in {"-", " "}:
            joined = f"{found[-1]}-{token}"
            if joined in NUMBER_WORDS:
                found[-1], last_end = joined, end
                continue
        found.append(token)
        last_end = end
    return tuple(found)


def holds(text: str, value: str) -> bool:
    """Whether a text holds a value as a run of whole tokens (`12` is not in `120`)."""
    needle, hay = _content_tokens(value), _content_tokens(text)
    if not needle:
        return False
    size = len(needle)
    return any(hay[at : at + size] == needle for at in range(len(hay) - size + 1))


def same(left: str, right: str) -> bool:
    """Whether two texts say the same value, up to case, articles, punctuation, number words."""
    return _content_tokens(left) == _content_tokens(right)


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


def in_person(title: str, name: str, whose: str = "my", own: str = "mine") -> str | None:
    """A noun phrase as somebody says it, or hears it, whose name is in it; None if it is no more.

    Args:
        title: `the choice of Lily's board`, `a soup of Lily's`.
        name: `Lily`.
        whose: What comes in place of `Lily's`.
        own: The same where nothing follows.
    """
    said = re.sub(rf"\b{re.escape(name)}'s(?= )", whose, title)
    said = re.sub(rf"\b{re.escape(name)}'s$", own, said)
    foreign = rf"\b{re.escape(name)}\b" + (r"|\b(?:his|her)\b" if said != title else "")
    return None if re.search(foreign, said) else said

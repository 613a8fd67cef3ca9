"""Words and pieces of patterns that readers of claims share."""

import re
from functools import cache
from pathlib import Path
from typing import Final

_WORDS: Final = Path(__file__).parent / "words"

MY: Final = r"\b(?:[Mm]y|[Oo]ur)"
ADJECTIVES: Final = (
    r"(?: (?!(?:and|or|but|is|was|has|had|who|in|on|at|of|with|to|for|late|ex|former|future|"
    r"first|second|old|other|new|dead|imaginary|next|ideal|childhood|previous)\b)[a-z-]+,?){0,2}"
)
"""At most two words before a noun that leave it one's own, present one."""
NAME: Final = (
    r"(?!(?:This|That|These|Those|It|Its|He|She|They|There|Here|What|Who|And|But|So|The|"
    r"My|Our|Is|Was|"
    r"Yes|No|Also|Even|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|We|You|"
    r"Our|In|On|At)\b)"
    r"[A-Z][a-zéáíóúñüöäçè]+(?:-[A-Z][a-z]+)?"
)
NUMBERS: Final = {
    word: str(value)
    for value, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), 1
    )
}
NUMBER: Final = rf"(?:{'|'.join(NUMBERS)}|[1-9])"
AFTERWARDS: Final = frozenset(map(str, range(1, 10)))
"""One or more, as a set of counts."""
SEVERAL: Final = frozenset(map(str, range(2, 10)))
PAST: Final = re.compile(
    r"\b(?:used to|[Ww]hen I was|[Ww]hen (?:I|we) (?:were|lived|had|worked)|[Ww]hile (?:I|"
    r"we) (?:was|were|lived)|as a (?:kid|child|boy|girl|teen\w*|student)|growing up|childhood|"
    r"years ago|back then|back when|in my (?:teens|twenties|youth)|no longer|anymore|formerly|"
    r"previously|once (?:had|was|were|lived|worked)|in (?:19|20)\d\d)\b"
)
"""What tells of another time."""

LONG: Final = re.compile(
    r"\b(?:years? ago|decades? ago|months ago|as a (?:kid|child|boy|girl|teen\w*|student|"
    r"teenager|toddler|baby)|when I was|when we were|growing up|grew up|back in|in (?:\d+(?:st|"
    r"nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) grade|back "
    r"when|since|used to|childhood|in (?:19|20)[012]\d|in (?:college|university|high school|grad "
    r"school|my (?:teens|20s|30s|40s|twenties|thirties))|at (?:school|uni|university|college)|"
    r"whole life|all my life|last (?:year|summer|winter|spring|autumn|fall)|for (?:\d+|many|"
    r"several|the last|the past) (?:\w+ )?(?:years|decades|seasons|months)|\d+ years|semester|"
    r"exchange year|gap year|for years|ages|honeymoon|at \d+(?! (?:am|pm|percent|o))|aged \d+|is "
    r"why I have|by \d+|my \w+ days)\b",
    re.IGNORECASE,
)
"""What puts a deed, or its beginning, long before the day on which it is told."""


_TEENS: Final = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FIGURES: Final = {
    **{word: int(value) for word, value in NUMBERS.items()},
    **{word: value for value, word in enumerate(_TEENS, 10)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
}
_SPELLED: Final = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[ -](?P<ones>{'|'.join(NUMBERS)}))?|"
    rf"(?P<other>{'|'.join((*_TEENS, *NUMBERS))}))\b"
)
_BIG: Final = re.compile(r"\b(?:hit|reach(?:ed)?) (?:the )?big (?P<tens>[a-z]+)-(?:oh|zero|o)\b")


def figures(text: str) -> str:
    """A text with its numbers below a hundred in figures; `hit the big four-oh` as `turn 40`."""
    big = _BIG.sub(lambda found: f"turn {_FIGURES.get(found['tens'], 0) * 10}", text)
    return _SPELLED.sub(lambda found: str(sum(_FIGURES[one] for one in found.groups() if one)), big)


def count(word: str) -> str:
    """A number word as a digit."""
    return NUMBERS.get(word.lower(), word)


@cache
def word_groups(name: str) -> dict[str, tuple[str, ...]]:
    """Words of each group of a list that ships, `group: words`, groups in order."""
    lines = (_WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    found = {}
    for line in lines:
        if line and not line.startswith("#"):
            group, _, words = line.partition(":")
            found[group] = tuple(words.split())
    return found


@cache
def group_of(name: str, word: str) -> frozenset[str]:
    """The groups of a list that a word belongs to."""
    groups = word_groups(name).items()
    return frozenset(group for group, words in groups if word.lower() in words)

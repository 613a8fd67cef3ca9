"""Numbers of a text with what they count: "twice a week", "my fourth title", "7 people"."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.text import content_tokens
from memassay.validators.items.unbacked.index import roots
from memassay.validators.wording import STOP_WORDS

_ORDINALS: Final = (
    *("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_TIMES: Final = {"once": "1", "twice": "2", "thrice": "3"}
_ORDINAL: Final = {word: str(at) for at, word in enumerate(_ORDINALS, start=2)}
_SUFFIXES: Final = frozenset({"st", "nd", "rd", "th"})
_REACH: Final = 3
"""What a number counts is one of so many words behind it: "three big old dogs"."""
_YEARS: Final = range(1900, 2101)
_DAYS: Final = 31
_MONTHS: Final = frozenset(month.casefold() for month in MONTHS)


class Quantity(NamedTuple):
    """A number with a word that it counts.

    Attributes:
        number: In digits.
        counted: The stem of a word behind it.
        ordinal: Whether it says the how-manieth.
    """

    number: str
    counted: str
    ordinal: bool


@lru_cache(maxsize=1 << 14)
def quantities(text: str) -> frozenset[Quantity]:
    """The numbers of a text with each word that they may count; dates are left out."""
    return frozenset(_quantities(content_tokens(text)))


def _quantities(line: Sequence[str]) -> Iterator[Quantity]:
    for at, word in enumerate(line):
        behind = line[at + 1 : at + 1 + _REACH]
        if word in _TIMES:
            yield Quantity(_TIMES[word], "time", ordinal=False)
        elif word in _ORDINAL:
            yield from _counting(_ORDINAL[word], behind, ordinal=True)
        elif _NUMBER.fullmatch(word) and not _is_date(line, at):
            ordinal = bool(_SUFFIXES & {*behind[:1]})
            yield from _counting(word, behind[ordinal:], ordinal=ordinal)


def _is_date(line: Sequence[str], at: int) -> bool:
    number = line[at]
    year = number.isdigit() and int(number) in _YEARS
    near = {*line[max(0, at - 1) : at], *line[at + 1 : at + 1 + _REACH]}
    return year or bool(near & _MONTHS and number.isdigit() and int(number) <= _DAYS)


def _counting(number: str, behind: Sequence[str], *, ordinal: bool) -> Iterator[Quantity]:
    for word in behind:
        if word in STOP_WORDS or _NUMBER.fullmatch(word):
            return
        for root in roots(word):
            yield Quantity(number, root, ordinal)

"""How a statement is put: what it denies, which amounts it tells, whether it adds one more."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from memassay.schemas.values.text import content_tokens, normalise
from memassay.validators.items.asked.cues import UNITS
from memassay.validators.texts.history import roots

_CLAUSE: Final = re.compile(r"[,;:.!?]|\b(?:but|and|because|so)\b|--| - ")
_DENIAL: Final = re.compile(r"\b(?:not|never|no longer|nor|cannot|instead of|rather than)\b|n't\b")
_ADDITION: Final = re.compile(
    r"\b(?:too|also|as well|another|one more|yet a|additional|additionally|besides|on top of)\b"
)
_TOO_MUCH: Final = re.compile(r"\btoo (?!and\b|i\b|we\b|he\b|she\b|they\b|but\b)\w")
"""`Too big` adds nothing."""
_TIME: Final = frozenset(word for words in UNITS.values() for word in words)
_OF_A_DATE: Final = frozenset({"ago", "later", "before", "earlier"})


class Revision(NamedTuple):
    """What of earlier words a text takes back, measures again or adds to.

    Attributes:
        denied: Words, as stems, and numbers, as digits, in clauses that deny.
        amounts: Its numbers by what they count, all units of time as one.
        adds: Whether it tells of one more.
    """

    denied: frozenset[str]
    amounts: Mapping[str, frozenset[str]]
    adds: bool

    @classmethod
    def of(cls, text: str) -> "Revision":
        """What a text revises."""
        plain = normalise(text)
        clauses = _CLAUSE.split(plain)
        denials = [_DENIAL.sub(" ", part) for part in clauses if _DENIAL.search(part)]
        denied = frozenset[str]().union(*map(named, denials))
        adds = _ADDITION.search(_TOO_MUCH.sub(" ", plain)) is not None
        return cls(denied, amounts(plain), adds)


def named(text: str) -> frozenset[str]:
    """The words of a text as stems, and its numbers as digits."""
    return roots(text) | {token for token in content_tokens(text) if token[0].isdigit()}


def amounts(text: str) -> dict[str, frozenset[str]]:
    """The numbers of a text by the stem of what they count; `two years ago` counts nothing."""
    found: dict[str, set[str]] = {}
    for unit, number in _amounts(content_tokens(text)):
        found.setdefault(unit, set()).add(number)
    return {unit: frozenset(numbers) for unit, numbers in found.items()}


def _amounts(words: list[str]) -> Iterator[tuple[str, str]]:
    for number, counted, behind in zip(words, words[1:], [*words[2:], ""], strict=False):
        if (number[0].isdigit() or number == "half") and behind not in _OF_A_DATE:
            if counted in _TIME:
                yield "time", f"{number} {min(roots(counted), default=counted)}"
            else:
                yield from ((stem, number) for stem in roots(counted))


def others(told: Mapping[str, frozenset[str]], gold: Mapping[str, frozenset[str]]) -> bool:
    """Whether amounts tell another number of what the amounts of a gold count."""
    return any(told[unit].isdisjoint(gold[unit]) for unit in told.keys() & gold.keys())

"""Things of one sort by the words for them, and which of them a text speaks of."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

from memassay.validators.items.fitting.verbs import base_forms
from memassay.validators.items.unbacked.index import roots

THINGS: Final = "things.txt"
OPPOSITES: Final = "opposites.txt"

_CAPTION: Final = re.compile(r"\ba photo(?:graph|graphy)? of\b", re.IGNORECASE)
"""How captions of pictures begin, whatever these show."""

Things = Mapping[str, frozenset[int]]
"""Per sort the numbers of the things of it."""


class Named(NamedTuple):
    """A word that names a thing.

    Attributes:
        sort: What sort of thing.
        stem: The stem of the word.
        numbers: The thing; several where things of a sort share a word.
    """

    sort: str
    stem: str
    numbers: frozenset[int]


class _Table(NamedTuple):
    """The words for things by stem.

    Attributes:
        names: Words that name a thing.
        means: Those, and words that may mean it.
        broad: Those, and words for the whole sort.
    """

    names: Mapping[str, tuple[Named, ...]]
    means: Mapping[str, tuple[Named, ...]]
    broad: Mapping[str, tuple[Named, ...]]


def named(text: str, table: str) -> tuple[Named, ...]:
    """The words of a text that name things of a table, in the order of their stems."""
    known = _table(table).names
    return tuple(each for stem in _stems(text) if stem in known for each in known[stem])


@lru_cache(maxsize=1 << 14)
def meant(text: str, table: str, *, broadly: bool = False) -> Things:
    """All things of a table that the words of a text may mean.

    Args:
        text: The text.
        table: The name of the table.
        broadly: Whether a word for a whole sort, such as "pet", may mean each of it.
    """
    known = _table(table).broad if broadly else _table(table).means
    found: dict[str, frozenset[int]] = {}
    for each in (one for stem in _stems(text) if stem in known for one in known[stem]):
        found[each.sort] = found.get(each.sort, frozenset()) | each.numbers
    return found


@lru_cache(maxsize=1 << 14)
def _stems(text: str) -> tuple[str, ...]:
    plain = _CAPTION.sub(" ", text)
    return tuple(sorted(roots(base_forms(plain)) | roots(plain)))


@cache
def _table(name: str) -> _Table:
    names: dict[tuple[str, str], set[int]] = {}
    means: dict[tuple[str, str], set[int]] = {}
    broadly: dict[tuple[str, str], set[int]] = {}
    for line in files(__package__).joinpath(name).read_text("utf-8").splitlines():
        head, _, members = line.partition(":")
        sort, _, broad = head.strip(" ]").partition(" [")
        for number, words in enumerate(members.split("|") if not line.startswith("#") else ()):
            own, _, loose = words.strip(" )").partition("(")
            for stem in _stems(own):
                names.setdefault((stem, sort), set()).add(number)
            for stem in _stems(f"{own} {loose}"):
                means.setdefault((stem, sort), set()).add(number)
            for stem in _stems(f"{own} {loose} {broad}"):
                broadly.setdefault((stem, sort), set()).add(number)
    return _Table(_by_stem(names), _by_stem(means), _by_stem(broadly))


def _by_stem(numbers: Mapping[tuple[str, str], set[int]]) -> Mapping[str, tuple[Named, ...]]:
    found: dict[str, tuple[Named, ...]] = {}
    for (stem, sort), some in sorted(numbers.items()):
        found[stem] = (*found.get(stem, ()), Named(sort, stem, frozenset(some)))
    return found

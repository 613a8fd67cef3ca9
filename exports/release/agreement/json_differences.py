"""Where two decoded JSON documents differ, place by place."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

from memassay.schemas.hashing import canonical_json

Place = tuple[str | int, ...]


class _Absent:
    """The value where a document has nothing."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()


class Difference(NamedTuple):
    """One place in which two documents differ.

    Attributes:
        place: Keys and positions from the root, in the document that was expected; where that has
            nothing, in the other one.
        expected: What one document has there, `ABSENT` if nothing.
        got: What the other one has.
    """

    place: Place
    expected: Any
    got: Any


def differences(expected: Any, got: Any, place: Place = ()) -> Iterator[Difference]:
    """The smallest parts that differ: a leaf, a key, an element; in the order of the document."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in dict.fromkeys([*expected, *got]):
            one, other = expected.get(key, ABSENT), got.get(key, ABSENT)
            yield from differences(one, other, (*place, key))
    elif isinstance(expected, list) and isinstance(got, list):
        yield from _of_lists(expected, got, place)
    elif expected is ABSENT or got is ABSENT or canonical_json(expected) != canonical_json(got):
        yield Difference(place, expected, got)


def _of_lists(expected: list[Any], got: list[Any], place: Place) -> Iterator[Difference]:
    """Elements in their order: what came in between or went is no change of all that follow."""
    wanted, found = ([canonical_json(each) for each in listed] for listed in (expected, got))
    steps = SequenceMatcher(None, wanted, found, autojunk=False).get_opcodes()
    for tag, begin, end, first, last in steps:
        if tag == "equal":
            continue
        paired = min(end - begin, last - first)
        for at in range(paired):
            yield from differences(expected[begin + at], got[first + at], (*place, begin + at))
        for at in range(begin + paired, end):
            yield Difference((*place, at), expected[at], ABSENT)
        for at in range(first + paired, last):
            yield Difference((*place, at), ABSENT, got[at])

"""Facts that hold for a time, and which of them cannot both be true."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Claim, Told

BEGINNING: Final = 1900 * 12
"""Before every month of every life."""
END: Final = 2100 * 12
"""After every one."""
_UNDATED: Final = 2021 * 12 + 6
_YEAR: Final = re.compile(r"^(?:19|20)\d\d$")


@dataclass(frozen=True)
class Fact:
    """Something that is so from one month to another.

    Attributes:
        topic: What about; facts of one topic and time that share no value contradict each other.
        values: What it may be.
        told: The sentence.
        first: The first month, counted from the year 0.
        last: The last one.
        weak: Contradicts only facts that are not weak.
    """

    topic: str
    values: frozenset[str]
    told: Told
    first: int = BEGINNING
    last: int = END
    weak: bool = False


def fact(
    told: Told,
    topic: str,
    *values: str,
    first: int = BEGINNING,
    last: int = END,
    weak: bool = False,
) -> Fact:
    """A fact with one of these values."""
    return Fact(topic, frozenset(values), told, first, last, weak)


def month_of(told: Told) -> int:
    """The month in which a sentence is told; one and the same for those whose day is unknown."""
    if not told.day or len(told.day) < len("2024-01"):
        return int(told.day) * 12 + 6 if told.day and _YEAR.match(told.day) else _UNDATED
    return int(told.day[:4]) * 12 + int(told.day[5:7]) - 1


def clash(one: Fact, other: Fact) -> bool:
    """Whether two facts of one topic cannot both be true."""
    return (
        not one.values & other.values
        and not (one.weak and other.weak)
        and max(one.first, other.first) <= min(one.last, other.last)
    )


def fact_claims(facts: Sequence[Sequence[Fact]]) -> Iterator[tuple[int, Claim]]:
    """Claims for each two facts of different members that contradict each other.

    Args:
        facts: Those of each member.
    """
    topics: dict[tuple[str, str], list[tuple[int, Fact]]] = defaultdict(list)
    for at, own in enumerate(facts):
        for one in own:
            topics[one.told.person, one.topic].append((at, one))
    for (_, topic), told in sorted(topics.items()):
        pairs = [
            (one, other)
            for one, other in itertools.combinations(told, 2)
            if clash(one[1], other[1])
        ]
        if any(one == other for (one, _), (other, _) in pairs):
            # A dialogue that tells of both, as of two brothers, shows that both may be so.
            continue
        for number, pair in enumerate(pairs):
            for (at, one), value in zip(pair, ("one", "other"), strict=True):
                name = f"{topic}, over time" + (f" ({number + 1})" if number else "")
                yield at, Claim(name, frozenset({value}), one.told, "for ever")

"""Cues that a value which is spoken of is not the one that holds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memassay.exports.lifecycle.matching.canonical import Segment

_AWAY: Final = frozenset({"away", "instead", "rather", "off", "left", "unlike", "than", "except"})
_BEFORE: Final = frozenset({"was", "were", "before", "first", "initially", "had", "old"})
_SURELY_BEFORE: Final = frozenset({"formerly", "previously", "originally", "former"})
_ENDING: Final = frozenset({"until", "till"})
_CHANGES: Final = frozenset(
    {"moved", "cut", "raised", "went", "down", "up", "rose", "fell", "changed", "switched", "grew"}
)
_HEDGES: Final = frozenset(
    {"might", "could", "would", "if", "perhaps", "maybe", "probably", "hopes", "hoped", "considers"}
    | {"whether", "unless", "wants", "suggested", "proposed", "unsure", "should", "thinks"}
)
_NEAR_BEFORE: Final = frozenset(
    {"by", "above", "below", "over", "under", "than", "almost", "nearly", "about", "around"}
    | {"extra", "another", "roughly", "approximately"}
)
_NEAR_AFTER: Final = frozenset(
    {"less", "more", "cheaper", "dearer", "shorter", "above", "below", "extra", "discount", "ish"}
)
_NOT: Final = frozenset({"not", "never", "no", "nor", "without", "neither"})
ENDED: Final = re.compile(
    r"\b(?:no longer|no more|any ?more|any longer|gave up|given up|stopped?|shut down|switched off"
    r"|called off|cancel\w*|dropped|nobody|there is no|quit|resigned|ended|withdrew|withdrawn"
    r"|has none|has no|without any\w*|no one|removed|deleted|scrapped|is off|not any)\b"
)
"""Words that say that something has ended."""


@dataclass(frozen=True)
class Sighting:
    """A value seen in a text.

    Attributes:
        segment: Where.
        at: Position of its first word in the segment.
        size: How many words it has.
        others: Positions of other values of its kind in the segment.
        others_beside: How many there are in the rest of the sentence.
    """

    segment: Segment
    at: int
    size: int
    others: Sequence[int] = ()
    others_beside: int = 0


def is_denied(seen: Sighting) -> bool:
    """Whether a value is said to be no longer so, not so, or only thought of."""
    words = seen.segment.words
    before = words[max(0, seen.at - 4) : seen.at]
    earlier, later = words[: seen.at], words[seen.at + seen.size :]
    return (
        _left_behind(seen, before)
        or _is_negated(seen)
        or not _HEDGES.isdisjoint(earlier)
        or not _SURELY_BEFORE.isdisjoint(earlier)
        or not _HEDGES.isdisjoint(later[:1])
        or not _ENDING.isdisjoint(later)
        or ("before" in later[:2] and not _BEFORE.isdisjoint(before))
        or (not seen.others and ENDED.search(" ".join(earlier)) is not None)
        or ("used", "to") in pairwise(before)
    )


def is_inexact(seen: Sighting) -> bool:
    """Whether a number is a difference, a bound or a guess."""
    words = seen.segment.words
    before = words[max(0, seen.at - 2) : seen.at]
    after = words[seen.at + seen.size : seen.at + seen.size + 3]
    bound = before in {("at", "least"), ("at", "most"), ("up", "to")}
    return bound or not _NEAR_BEFORE.isdisjoint(before[-1:]) or not _NEAR_AFTER.isdisjoint(after)


def _left_behind(seen: Sighting, before: Sequence[str]) -> bool:
    """Whether it is what something was changed from."""
    words = seen.segment.words
    if "from" in before[-2:] and (seen.others or not _CHANGES.isdisjoint(words)):
        return True
    if not _AWAY.isdisjoint(before[-3:]):
        return True
    if not _BEFORE.isdisjoint(before) and (seen.others or seen.others_beside):
        return True
    end = seen.at + seen.size
    return any(other >= end and "to" in words[max(end, other - 2) : other] for other in seen.others)


def _is_negated(seen: Sighting) -> bool:
    """Whether a negation of the segment is about it and not about another value beside it."""
    for at, word in enumerate(seen.segment.words):
        if word in _NOT and not any(0 < other - at <= 2 for other in seen.others):
            return True
    return False

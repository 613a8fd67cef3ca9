"""Which member comes first by the facts behind it: what is replaced was there before."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.civil_time import interval
from memassay.synth.lives.ordering.cues import Cue, Member

REPLACED: Final = 10.0
"""Weight of a fact that replaces one of another member; more than that of any date."""
DATED: Final = 4.0
"""Weight of the days from which facts hold, which may be other days than that of the talk."""


def ledger_cues(members: Sequence[Member]) -> Iterator[Cue]:
    """Cues of facts that replace facts of another member, and of days from which facts hold."""
    only = _own(members)
    first = {fact.id: at for at, facts in enumerate(only) for fact in facts}
    for after, facts in enumerate(only):
        for fact in facts:
            for before in sorted({first[each] for each in fact.supersedes if each in first}):
                if before != after:
                    why = f"changes {fact.subject} {fact.attribute} of {members[before].id}"
                    yield Cue(before, after, REPLACED, why, must=True)
    yield from _cues_of_days(members, only)


def _own(members: Sequence[Member]) -> list[list[Fact]]:
    """For each member, the facts that no other one holds too."""
    held = Counter(fact.id for one in members for fact in one.bundle.facts)
    return [[fact for fact in one.bundle.facts if held[fact.id] == 1] for one in members]


def _cues_of_days(members: Sequence[Member], own: Sequence[Sequence[Fact]]) -> Iterator[Cue]:
    """By the day from which the median fact of each member holds."""
    middle = []
    for at, facts in enumerate(own):
        known = sorted(fact.valid_from for fact in facts if fact.valid_from is not None)
        if known:
            middle.append((known[len(known) // 2], at))
    for (early, one), (late, other) in itertools.combinations(sorted(middle), 2):
        if interval(early).end <= interval(late).start:
            why = f"its facts hold from {late}, those of {members[one].id} from {early}"
            yield Cue(one, other, DATED, why, must=True)

"""Which member comes first by the facts behind it: what is replaced was there before."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.civil_time import interval
from memassay.synth.lives.ordering.cues import Cue, Member

REPLACED: Final = 10.0
DATED: Final = 4.0


def ledger_cues(members: Sequence[Member]) -> Iterator[Cue]:
    """Cues of facts that replace facts of another member, and of days from which facts hold."""
    first: dict[str, int] = {}
    only = {at: _own(members, at) for at in range(len(members))}
    for at, facts in only.items():
        for fact in facts:
            first[fact.id] = at
    for after, facts in only.items():
        for fact in facts:
            for before in sorted({first[each] for each in fact.supersedes if each in first}):
                if before != after:
                    why = f"changes {fact.subject} {fact.attribute} of {members[before].id}"
                    yield Cue(before, after, REPLACED, why, must=True)
    yield from _dated(members, only)


def _own(members: Sequence[Member], at: int) -> list[Fact]:
    """Facts that no other member holds too."""
    others = {fact.id for i, one in enumerate(members) if i != at for fact in one.bundle.facts}
    return [fact for fact in members[at].bundle.facts if fact.id not in others]


def _dated(members: Sequence[Member], own: dict[int, list[Fact]]) -> Iterator[Cue]:
    """By the day from which the median fact of each member holds."""
    middle = []
    for at, facts in own.items():
        known = sorted(fact.valid_from for fact in facts if fact.valid_from is not None)
        if known:
            middle.append((known[len(known) // 2], at))
    for (early, one), (late, other) in itertools.combinations(sorted(middle), 2):
        if interval(early).end <= interval(late).start:
            why = f"its facts hold from {late}, those of {members[one].id} from {early}"
            yield Cue(one, other, DATED, why, must=True)

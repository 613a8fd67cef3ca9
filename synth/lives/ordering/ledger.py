"""Which member comes first by the facts behind it: what is replaced was there before."""

from collections.abc import Iterator, Sequence
from typing import Final

from memassay.synth.lives.ordering.cues import Cue, Member

REPLACED: Final = 10.0


def ledger_cues(members: Sequence[Member]) -> Iterator[Cue]:
    """Cues of facts that replace facts of another member."""
    holds = {fact.id: at for at, one in enumerate(members) for fact in one.bundle.facts}
    for after, one in enumerate(members):
        for fact in one.bundle.facts:
            for replaced in fact.supersedes:
                before = holds.get(replaced)
                if before is not None and before != after:
                    why = (
                        f"changes {fact.subject} {fact.attribute}, known from {members[before].id}"
                    )
                    yield Cue(before, after, REPLACED, why, must=True)

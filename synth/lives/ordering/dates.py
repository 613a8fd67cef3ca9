"""Which member comes first by its date, and by what is said of the day in it."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.values.civil_time import interval
from memassay.synth.lives.ordering.cues import Cue, Member

DATED: Final = 8.0
"""Weight of sessions that have dates of their own."""


def date_cues(members: Sequence[Member]) -> Iterator[Cue]:
    """Cues of the members that have dates, each with the next."""
    dated = sorted(
        (interval(when), at, when)
        for at, one in enumerate(members)
        if (when := one.session.date) is not None
    )
    for (first, one, early), (second, other, late) in itertools.combinations(dated, 2):
        if first.end <= second.start:
            why = f"{late}, after {members[one].id} of {early}"
            yield Cue(one, other, DATED, why, must=True)

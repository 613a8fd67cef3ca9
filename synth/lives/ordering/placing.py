"""The members of one life in order, each with the reason for its place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from memassay.schemas.records.bundle import Bundle
from memassay.synth.clusters.features import features_of
from memassay.synth.lives.ordering.arranging import (
    Constraints,
    arrange,
    constraints,
    positions,
)
from memassay.synth.lives.ordering.cues import Cue, Member, members_of
from memassay.synth.lives.ordering.dates import date_cues
from memassay.synth.lives.ordering.introductions import introduction_cues
from memassay.synth.lives.ordering.ledger import ledger_cues
from memassay.synth.lives.ordering.manner import lateness
from memassay.synth.lives.ordering.references import reference_cues
from memassay.synth.lives.ordering.texts import Texts

LEADS_ON: Final = 0.2
"""What a last round that leads on to the next first round counts."""
MOST: Final = 3.0
"""Multiples of the mean likeness beyond which more says no more."""
SHOWN: Final = 3
"""Reasons that are named."""
NEITHER: Final = 0.05
"""Distance from the mean below which a member sounds neither early nor late."""


@dataclass(frozen=True)
class Placed:
    """A member in its place.

    Attributes:
        bundle: As it came.
        why: Why it has this place, in words, and which reasons were set aside.
    """

    bundle: Bundle
    why: str


def order_members(members: Sequence[Bundle]) -> list[Placed]:
    """The members of one life in order (Mem-Gallery A.2.3: reordered into a coherent sequence).

    What must come first is kept; where it contradicts itself, the weakest reason gives way and is
    named. Among what is left, the order that reads best. It depends on the members and their ids,
    not on the order they come in.

    Raises:
        ValueError: A bundle does not hold one session, or two members have the same id.
    """
    known = members_of(members)
    if not known:
        return []
    texts = Texts(known)
    cues = [
        *date_cues(known),
        *ledger_cues(known),
        *introduction_cues(known, texts),
        *reference_cues(known, texts),
    ]
    bound = constraints(len(known), [one for one in cues if one.must])
    late = lateness(texts)
    position = positions([one for one in cues if one not in bound.given_up], late)
    order = arrange(bound.before, position, LEADS_ON * _fluency(known))
    place = {at: number for number, at in enumerate(order)}
    sounds = [_sounds(each, sum(late) / len(late)) for each in late]
    return [
        Placed(known[at].bundle, "; ".join(_reasons(at, place, cues, bound)) or sounds[at])
        for at in order
    ]


def _fluency(members: Sequence[Member]) -> Any:
    """How well the end of each leads on to the beginning of each other, in multiples of the mean.

    More than `MOST` counts as that.
    """
    layers = features_of([one.dialogue for one in members]).layers
    ends = next(one for one in layers if one.name == "fluency")
    found = np.asarray((ends.right @ ends.left.T).todense(), dtype=float)
    np.fill_diagonal(found, 0)
    mean = found.sum() / max(1, found.size - len(found))
    return (np.minimum(found / mean, MOST) if mean else found).round(6)


def _reasons(
    at: int, place: Mapping[int, int], cues: Sequence[Cue], bound: Constraints
) -> Iterable[str]:
    """The heaviest reasons that hold, of the nearest members first, and all that gave way."""
    held = [one for one in cues if one.after == at and place[one.before] < place[at]]
    held.sort(key=lambda one: (-one.must, -one.weight, -place[one.before]))
    named, weights = [], set()
    for one in held:
        # One reason of each kind is enough where members must come before: not every earlier date.
        if not one.must or one.weight not in weights:
            named.append(one.why)
        weights.add(one.weight)
    given_up = [f"set aside: {one.why}" for one in bound.given_up if one.after == at]
    return dict.fromkeys([*named[:SHOWN], *given_up])


def _sounds(late: float, mean: float) -> str:
    if abs(late - mean) < NEITHER:
        return "reads well here"
    if late < mean:
        return "sounds early: people ask and plan in it more than they tell"
    return "sounds late: people tell and look back in it more than they ask"

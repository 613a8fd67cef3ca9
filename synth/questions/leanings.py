"""Which drafts a question bank prefers, as far as a history leaves a choice."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import USUAL_REACH, History
from memassay.synth.world.dials import prefer

_MANY = 3
"""Rounds from which more make a question no harder to prefer (our choice)."""


@dataclass(frozen=True)
class Leanings:
    """What a recipe's dials prefer of questions; None leaves it to chance.

    Attributes:
        reach: 0 to 1; how far apart evidence is preferred.
        rounds_needed: 0 to 1; whether evidence of one round is preferred, or of several.
    """

    reach: float = USUAL_REACH
    rounds_needed: float | None = None

    @property
    def config(self) -> dict[str, Any]:
        """What is set, for the content keys of stages."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def order(self, drafts: Sequence[Draft], history: History, random: Random) -> list[Draft]:
        """Drafts in the order in which the bank tries them."""
        if self.rounds_needed is None:
            return list(drafts)
        lean = 2 * self.rounds_needed - 1
        return prefer(drafts, lambda draft: lean * _several(draft, history), random)


def _several(draft: Draft, history: History) -> float:
    """How many rounds a draft is about: 0 for one, 1 for many."""
    rounds = {place for name in draft.about for place in history.anchors(name)}
    return (min(len(rounds), _MANY) - 1) / (_MANY - 1)


CHANCE = Leanings()
"""What is preferred where no dial is turned."""

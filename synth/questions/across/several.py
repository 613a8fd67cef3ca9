"""Drafts of questions that need several sessions: ms (M3Exam A.3)."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from memassay.synth.questions.across.causes import beginnings, siblings
from memassay.synth.questions.across.linked import (
    changes,
    hops,
    shifts,
    standings,
    threads,
)
from memassay.synth.questions.across.logs import ask_count, ask_recall, commonest, spans
from memassay.synth.questions.drafts import Draft, in_turn
from memassay.synth.questions.history import History

_MANY: Final = 8
"""Drafts from one detail of somebody to another that are tried first: there are hundreds."""


def multi_session(history: History, random: Random) -> Iterator[Draft]:
    """ms: what changed, who it was, what is usual; then series, causes and pairs of details.

    The drafts of each form come far ones first; no draft pairs what nothing links.
    """

    def far(form: Callable[[History, Random], Iterator[Draft]]) -> list[Draft]:
        return history.far_first(form(history, random), random)

    told = [far(changes), far(hops)[:_MANY], far(commonest), far(shifts)]
    yield from in_turn(told)
    # Many can be made of these, so they fill what is left.
    rarer = (standings, ask_recall, siblings, ask_count, beginnings, spans, threads)
    yield from in_turn([far(form) for form in rarer])

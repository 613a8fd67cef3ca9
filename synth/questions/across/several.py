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

_FEW: Final = 2
"""Drafts of the forms that never run out, used among the others."""


def multi_session(history: History, random: Random) -> Iterator[Draft]:
    """ms: series counted and filtered, causes followed, one thing from session to session.

    The drafts of each form come far ones first; no draft pairs what nothing links.
    """

    def far(form: Callable[[History, Random], Iterator[Draft]]) -> list[Draft]:
        return history.far_first(form(history, random), random)

    forms = (changes, ask_count, hops, beginnings, commonest, ask_recall, shifts)
    rarer = (spans, siblings)
    stood, pairs = far(standings), far(threads)
    yield from in_turn([*map(far, forms), stood[:_FEW], *map(far, rarer), pairs[:_FEW]])
    # Many can be made of these, so they fill what is left.
    yield from in_turn([stood[_FEW:], pairs[_FEW:]])

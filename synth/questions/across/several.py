"""Drafts of questions that need several sessions: ms (M3Exam A.3)."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from memassay.synth.questions.across.causes import outcomes
from memassay.synth.questions.across.linked import aspects, changes, hops
from memassay.synth.questions.across.lists import lists
from memassay.synth.questions.across.logs import (
    commonest,
    courses,
    every_kind,
    extremes,
    kind_counts,
)
from memassay.synth.questions.drafts import Draft, in_turn
from memassay.synth.questions.history import History

_MANY: Final = 8
"""Drafts from one detail of somebody to another that are tried first: there are hundreds."""


def multi_session(history: History, random: Random) -> Iterator[Draft]:
    """ms: what changed, what came of it, all of a kind, how a series went, who it was.

    The drafts of each form come far ones first; no draft pairs what nothing links.
    """

    def far(form: Callable[[History, Random], Iterator[Draft]]) -> list[Draft]:
        return history.far_first(form(history, random), random)

    known = list(hops(history, random))
    forms = (
        changes,
        lists,
        outcomes,
        every_kind,
        aspects,
        courses,
        commonest,
        kind_counts,
        extremes,
    )
    yield from in_turn([*map(far, forms), known[:_MANY]])
    # Many can be made of these, so they fill what is left.
    yield from known[_MANY:]


def in_several_places(history: History, random: Random) -> Iterator[Draft]:
    """What several rounds say together of one thing: its course, its kinds, what came of it."""
    forms = (courses, every_kind, outcomes)
    yield from in_turn([history.far_first(form(history, random), random) for form in forms])


def across_entities(history: History, random: Random) -> Iterator[Draft]:
    """What relates several people, things or occasions (Mem-Gallery A.3, MR).

    From one detail of somebody to another comes last: read blind, seven of eight were riddles.
    """
    forms = (commonest, extremes, kind_counts, aspects)
    yield from in_turn([history.far_first(form(history, random), random) for form in forms])
    yield from hops(history, random)

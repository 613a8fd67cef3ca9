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
from memassay.synth.questions.across.together import (
    across_sessions,
    of_one_subject,
    of_two_subjects,
)
from memassay.synth.questions.drafts import Draft, in_turn, interleave
from memassay.synth.questions.history import History

_MANY: Final = 8
"""Drafts from one detail of somebody to another that are tried first: there are hundreds."""
_PLAIN: Final = 9
"""Questions for two facts for each on all that was noted (our choice: 2.17 clues, Table 6)."""


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
    """FR: what several rounds say together of one thing: its course, its kinds, what came of it.

    What came of something comes last: read blind, other consequences could be named as well.
    """
    forms = (courses, every_kind)
    yield from in_turn([history.far_first(form(history, random), random) for form in forms])
    yield from history.far_first(outcomes(history, random), random)


def across_entities(history: History, random: Random) -> Iterator[Draft]:
    """What relates several facts, things or occasions (Mem-Gallery A.3, MR).

    From one detail of somebody to another comes last: read blind, seven of eight were riddles.
    """
    series = list(
        in_turn(
            [
                history.far_first(form(history, random), random)
                for form in (commonest, extremes, kind_counts)
            ]
        )
    )
    near, far = (list(form(history, random)) for form in (of_two_subjects, across_sessions))
    plain = [*aspects(history, random), *in_turn([far[::2], near, far[1::2]])]
    yield from interleave(plain, series[: len(plain) // _PLAIN + 1], _PLAIN)
    yield from (*series, *of_one_subject(history, random, 1), *hops(history, random))

"""Drafts about the order of several events (tr), and the events of one thread or kind."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.links import Links
from memassay.synth.questions.drafts import Draft, Query, get, list_names, select, union
from memassay.synth.questions.history import History
from memassay.synth.questions.times.moments import Dated, moments

_TOLD_ORDER: Final = re.compile(
    r"\b(?:first|second|third|last|closing|final|opening|end|start|begin\w*|new|return\w*|re\w+ing"
    r"|again|after|before|follow\w*|delayed|improved|close|decision|enrolment|founding|claimed"
    r"|submission|verdict|finish\w*|farewell)\b",
    re.IGNORECASE,
)
"""Words of a title from which its place among others can be guessed."""
_TRIES: Final = 120
"""Groups of events that are drawn for each form."""


def kind_groups(history: History, size: int, random: Random) -> Iterator[list[Dated]]:
    """Events of one kind in time order: all of the persona's own line, each of another thread.

    Neither their titles nor their threads tell their order.
    """
    dated = [one for one in _plain(history) if one[0].line is EventLine.CORE]
    links = Links(history)
    for _ in range(_TRIES if len(dated) >= size else 0):
        group = _in_time(random.sample(dated, size))
        facts = [fact for _, fact in group]
        told = any(links.in_thread(*pair) for pair in combinations(facts, 2))
        if _of_different_days(group) and not told:
            yield group


def thread_groups(history: History, sizes: Sequence[int], random: Random) -> Iterator[list[Dated]]:
    """Events of one thread in time order: each follows from another one of them."""
    dated, links = _plain(history), Links(history)
    near = {
        event.id: [one for one in dated if one[0] is not event and links.in_thread(fact, one[1])]
        for event, fact in dated
    }
    for _ in range(_TRIES if dated else 0):
        drawn = [random.choice(dated)]
        for _ in range(random.choice(sizes) - 1):
            reached = [one for each, _ in drawn for one in near[each.id] if one not in drawn]
            drawn += [random.choice(reached)] if reached else []
        if len(drawn) >= min(sizes) and _of_different_days(drawn):
            yield _in_time(drawn)


def _plain(history: History) -> list[Dated]:
    """Events of one day whose titles do not give their place away, and that do not open it all."""
    return [
        one
        for one in moments(history)
        if one[0] is not history.events[0] and not _TOLD_ORDER.search(one[0].title)
    ]


def _in_time(drawn: Sequence[Dated]) -> list[Dated]:
    """What happened first may be told last."""
    return sorted(drawn, key=lambda one: _day(one[0]))


def _day(event: TimelineEvent) -> str:
    return event.happened_on


def _of_different_days(group: Sequence[Dated]) -> bool:
    return len({_day(event) for event, _ in group}) == len(group)


def orders(history: History, random: Random) -> Iterator[Draft]:
    """Three or four events of one thread, or of one kind, to be put in the order of time."""
    groups = [*thread_groups(history, (3, 4), random)]
    groups += [group for size in (3, 4) for group in kind_groups(history, size, random)][
        : len(groups)
    ]
    for group in groups:
        said = list_names([event.title for event, _ in random.sample(group, len(group))])
        text = random.choice(
            [
                f"Put these in the order in which they happened: {said}.",
                f"In what order did these come: {said}?",
                f"List the following from the earliest to the latest: {said}.",
            ]
        )
        dates = union(*(select(fact) for _, fact in group))
        query: Query = {"op": "sequence", "of": dates, "by": "value"}
        about = tuple(fact.id for _, fact in group)
        yield Draft(text, get(query, "subject"), AnswerFormat.FREE, about)

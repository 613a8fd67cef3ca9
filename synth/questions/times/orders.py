"""Drafts about the order of several events and the time between them (tr)."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.links import Links
from memassay.synth.questions.drafts import Draft, Query, get, select, union
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


def groups(
    history: History, sizes: Sequence[int], random: Random, *, plain: bool = False
) -> Iterator[list[Dated]]:
    """Dated events of different days in time order, drawn by chance.

    Args:
        history: Where they happen.
        sizes: How many events a group may have.
        random: Draws them.
        plain: Whether neither their titles nor their threads may tell their order.
    """
    dated = [one for one in moments(history) if not plain or _is_plain(history, one[0])]
    links = Links(history)
    for _ in range(_TRIES if len(dated) >= max(sizes) else 0):
        drawn = random.sample(dated, random.choice(sizes))
        # What happened first may be told last.
        group = sorted(drawn, key=lambda one: one[0].happened_on)
        facts = [fact for _, fact in group]
        told = plain and any(links.in_thread(*pair) for pair in combinations(facts, 2))
        if len({event.happened_on for event, _ in group}) == len(group) and not told:
            yield group


def _is_plain(history: History, event: TimelineEvent) -> bool:
    """Whether nothing gives its place away: its title does not, and it does not open it all."""
    return event is not history.events[0] and not _TOLD_ORDER.search(event.title)


def list_names(names: Sequence[str]) -> str:
    """Names as a list in a sentence: `a, b and c`."""
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _shuffle(group: Sequence[Dated], random: Random) -> str:
    return list_names([event.title for event, _ in random.sample(group, len(group))])


def _dates(group: Sequence[Dated]) -> Query:
    return union(*(select(fact) for _, fact in group))


def _ids(group: Sequence[Dated]) -> tuple[str, ...]:
    return tuple(fact.id for _, fact in group)


def orders(history: History, random: Random) -> Iterator[Draft]:
    """Three or four events, to be put in the order of time; no title tells its place."""
    for group in groups(history, (3, 4), random, plain=True):
        said = _shuffle(group, random)
        text = random.choice(
            [
                f"Put these in the order in which they happened: {said}.",
                f"In what order did these come: {said}?",
                f"List the following from the earliest to the latest: {said}.",
            ]
        )
        query: Query = {"op": "sequence", "of": _dates(group), "by": "value"}
        yield Draft(text, get(query, "subject"), AnswerFormat.FREE, _ids(group))

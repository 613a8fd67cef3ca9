"""Which events are of one day, and how to ask for the day of what lasted longer."""

import re
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.questions.history import History
from memassay.synth.world.processes.lasting import elapsed_time

Dated = tuple[TimelineEvent, Fact]

_LASTS: Final = re.compile(
    r"\b(?:weeks?|weekend|fortnight|months?|days|nights|season|semester|stay|trip|journey|hunt"
    r"|search|wait|raising|weaning|diet|building|finishing|clean-up|course|experiment|project"
    r"|annotation|knitted|froze)\b",
    re.IGNORECASE,
)
"""Words of a title that name more than a day."""
_PREPOSITION: Final = re.compile(
    r" (?:of|after|before|for|to|at|with|in|on|from|about|by|between|under|over|without|behind"
    r"|the|his|her|their)\b"
)
_PLURAL: Final = re.compile(r"(?<!')(?<![isu])(?<!new)s$")
"""Ends a plural, but not `Alex's`, `the class`, `the bus`, `the basis`, `the news`."""
_ONE_DAY: Final = re.compile(
    r"\b(?:first|last|closing|opening|start|end|begin\w*|close|evening|review|plan|planning|return"
    r"|enrol\w+|decision|purchase|launch|test|exam)\b",
    re.IGNORECASE,
)
"""Words of a title that name one day of it."""


def lasts(history: History, event: TimelineEvent) -> bool:
    """Whether an event takes longer than the one day that is known of it.

    Its title says so; or its card, which has no stages, speaks of the time that passed.
    """
    title = event.title
    if _LASTS.search(title) and (" days" in title or not _ONE_DAY.search(title)):
        return True
    return event.stage is None and elapsed_time(history.cards.of(event)) is not None


def moments(history: History) -> list[Dated]:
    """Dated events of one day each, in time order."""
    return [one for one in history.dated_events() if not lasts(history, one[0])]


def openings(history: History) -> list[Dated]:
    """What lasted longer and was told in stages, where the first of them is the day it began."""
    stages: dict[str, list[str]] = {}
    for event in history.events:
        if event.stage is not None:
            stages.setdefault(event.card, []).append(event.stage)
    return [
        (event, day)
        for event, day in history.dated_events()
        if event.stage is not None
        and event.stage == stages[event.card][0] != stages[event.card][-1]
        and lasts(history, event)
    ]


def be(title: str) -> str:
    """`was`, or `were` for a title whose head is a plural: `the new rules after the report`."""
    head = _PREPOSITION.split(title)[0].split()[-1]
    return "were" if _PLURAL.search(head) else "was"

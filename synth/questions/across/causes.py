"""Drafts about what came of an event, as the history says it (ms)."""

from collections.abc import Iterator
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.questions.history import History
from memassay.synth.world.grammar import expand
from memassay.synth.world.maker import CAUSE

_OUTCOMES: Final = (
    "What came of {event}? Name everything that it led to.",
    "What did {event} lead to? Name all of it.",
    "Which events did {event} lead to?",
    "To what did {event} lead? List everything.",
    "{event} had consequences. Which ones?",
    "What happened because of {event}? List all that it led to.",
    "Which events came of {event}?",
    "[Remind me|Tell me], what are all the things that {event} led to?",
    "What followed from {event}? Name everything that it led to.",
    "{event} led to more than one thing. Which ones?",
)
_MOST: Final = 6
"""Most members of a list that is asked for (our choice)."""


def outcomes(history: History, random: Random) -> Iterator[Draft]:
    """All that came of one event, told in several sessions."""
    by_cause: dict[str, list[Fact]] = {}
    for _, fact in history.causes():
        by_cause.setdefault(fact.value.text, []).append(fact)
    opening = history.events[0].title
    for title, facts in by_cause.items():
        # On the first event of all rests too much for anybody to ask for.
        if title == opening or not 2 <= len(facts) <= _MOST:
            continue
        text = expand(random.choice(_OUTCOMES), random, {"event": title}).text
        where = {"attribute": CAUSE, "value": title}
        query: Query = get({"op": "select", "where": where}, "subject")
        about = tuple(fact.id for fact in facts)
        yield Draft(text, query, AnswerFormat.FREE, about, whole=True, every=True)

"""Drafts that follow what led to what, as the history says it (ms)."""

from collections.abc import Iterator
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, select
from memassay.synth.questions.history import History
from memassay.synth.world.grammar import expand
from memassay.synth.world.maker import CAUSE

_TWO_BACK: Final = (
    "{event} went back to something else. What had led to that?",
    "Something led to {event}. What, in turn, had led to that?",
    "{event} came out of an earlier event. Which event had that one come out of?",
    "What led to the event that led to {event}?",
    "Before {event} there was the event that led to it. What had led to that one?",
    "[Remind me|Tell me]: what was it that led to the cause of {event}?",
    "What was behind the event that led to {event}?",
    "Think back from {event} to what led to it. What was that a result of?",
    "The event that led to {event} had a cause of its own. What was it?",
    "Which event set off the one that led to {event}?",
)
_TOGETHER: Final = (
    "What else came of the event that led to {event}?",
    "What led to {event} also led to something else. To what?",
    "{event} shares its cause with another event. Which one?",
    "The event behind {event} led to one more. Which one?",
    "Which other event goes back to the same cause as {event}?",
    "[Remind me|Tell me]: what else came of what led to {event}?",
)


def _causes(history: History) -> dict[str, Fact]:
    """By the title of an event, the fact that says what led to it."""
    return {fact.subject: fact for _, fact in history.causes()}


def led_to(of: Query) -> Query:
    """The causes of what `of` gives the causes of: one step further back."""
    return {"op": "follow", "of": of, "attribute": CAUSE}


def beginnings(history: History, random: Random) -> Iterator[Draft]:
    """What led to the event that led to another."""
    causes = _causes(history)
    for title, near in causes.items():
        far = causes.get(near.value.text)
        if far is not None:
            text = expand(random.choice(_TWO_BACK), random, {"event": title}).text
            query = get(led_to(select(near)))
            yield Draft(text, query, AnswerFormat.FREE, (near.id, far.id))


def siblings(history: History, random: Random) -> Iterator[Draft]:
    """What else came of the event that led to one."""
    by_cause: dict[str, list[Fact]] = {}
    for fact in _causes(history).values():
        by_cause.setdefault(fact.value.text, []).append(fact)
    for group in by_cause.values():
        if len(group) != 2:
            continue
        known, other = random.sample(group, 2)
        text = expand(random.choice(_TOGETHER), random, {"event": known.subject}).text
        query: Query = {
            "op": "follow",
            "of": select(known),
            "attribute": CAUSE,
            "from": "value",
            "to": "value",
        }
        yield Draft(text, get(query, "subject"), AnswerFormat.FREE, (known.id, other.id))

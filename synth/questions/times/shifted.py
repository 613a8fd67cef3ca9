"""Drafts about dates that follow from others: a length of time later, or what led to it (tr)."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, select
from memassay.synth.questions.history import History


def ends(history: History, random: Random) -> Iterator[Draft]:
    """The day on which a length of time is over that runs from the day of its event."""
    dated = {event.id: day for event, day in history.dated_events()}
    for event, spec, fact in history.said_facts():
        if not spec.ends or event.id not in dated or not history.is_settled(fact):
            continue
        day = dated[event.id]
        text = history.say(random.choice(spec.ends), event, random)
        query: Query = {"op": "shift", "of": get(select(day)), "by": get(select(fact))}
        yield Draft(text, query, AnswerFormat.DATE, (day.id, fact.id))

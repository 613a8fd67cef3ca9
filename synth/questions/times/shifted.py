"""Drafts about dates that follow from others: a length of time later, or what led to it (tr)."""

from collections.abc import Iterator
from random import Random

from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.drafts import Draft, Query, get, select
from memassay.synth.questions.history import History
from memassay.synth.questions.times.moments import moments


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


def ask_cause(history: History, random: Random) -> Iterator[Draft]:
    """The date of the event that led to another, or the time from the one to the other."""
    dated = {event.title: (event, day) for event, day in moments(history)}
    for event, cause in history.causes():
        if cause.value.text not in dated:
            continue
        earlier, first = dated[cause.value.text]
        then = get({"op": "follow", "of": select(cause), "attribute": "date"})
        title = event.title
        if title not in dated or random.random() < 0.5:
            text = random.choice(
                [
                    f"On what date was the event that led to {title}?",
                    f"Give the date of what led to {title}.",
                    f"What is the date of the event that led to {title}?",
                ]
            )
            yield Draft(text, then, AnswerFormat.DATE, (cause.id, first.id))
            continue
        last = dated[title][1]
        days = (start(event.happened_on) - start(earlier.happened_on)).days
        if days < 2:
            continue
        text = random.choice(
            [
                f"How many days after what led to it was {title}?",
                f"How many days lay between {title} and the event that led to it?",
                f"Count the days from the event that led to {title} to {title} itself.",
            ]
        )
        query: Query = {"op": "diff", "a": get(select(last)), "b": then, "unit": "day"}
        yield Draft(text, query, AnswerFormat.NUMBER, (cause.id, first.id, last.id))

"""Drafts about what takes its time: from stage to stage, from plan to day, when it began (tr)."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.drafts import Draft, Query, get, select
from memassay.synth.questions.history import History
from memassay.synth.questions.times.moments import moments, openings
from memassay.synth.world.maker import PLANNED


def lengths(history: History, random: Random) -> Iterator[Draft]:
    """How long something took from one of its stages to a later one."""
    dated = [one for one in moments(history) if one[0].stage is not None]
    pairs = [pair for pair in combinations(dated, 2) if pair[0][0].card == pair[1][0].card]
    for (early, first), (late, last) in random.sample(pairs, len(pairs)):
        days = (start(late.happened_on) - start(early.happened_on)).days
        if days < 2:
            continue
        unit = "week" if days % 7 == 0 else "day"
        text = random.choice(
            [
                f"How many {unit}s did it take from {early.title} to {late.title}?",
                f"From {early.title} to {late.title}, how many {unit}s did it take?",
                f"How many {unit}s went by from {early.title} to {late.title}?",
            ]
        )
        query = _apart(get(select(last)), get(select(first)), unit)
        yield Draft(text, query, AnswerFormat.NUMBER, (first.id, last.id))


def slipped_plans(history: History, random: Random) -> Iterator[tuple[Fact, Fact]]:
    """The day for which something was planned, and another one on which it happened."""
    actual = {event.title: day for event, day in history.dated_events()}
    plans = [fact for fact in history.facts.values() if fact.attribute == PLANNED]
    for plan in random.sample(plans, len(plans)):
        day = actual.get(plan.subject)
        if day is not None and history.in_text(plan) and day.value.text != plan.value.text:
            yield plan, day


def slips(history: History, random: Random) -> Iterator[Draft]:
    """How far the day on which something happened lies from the day it was planned for."""
    for plan, day in slipped_plans(history, random):
        late = (start(day.value.text) - start(plan.value.text)).days
        then, planned = get(select(day)), get(select(plan))
        title = plan.subject
        if late > 0:
            text = random.choice(
                [
                    f"How many days later than planned was {title}?",
                    f"By how many days did {title} slip from the day it was planned for?",
                    f"How many days behind plan was {title}?",
                ]
            )
            query = _apart(then, planned, "day")
        else:
            text = random.choice(
                [
                    f"How many days earlier than planned was {title}?",
                    f"How many days ahead of plan was {title}?",
                ]
            )
            query = _apart(planned, then, "day")
        yield Draft(text, query, AnswerFormat.NUMBER, (plan.id, day.id))


def beginnings(history: History, random: Random) -> Iterator[Draft]:
    """The day on which something began that lasted longer."""
    dated = openings(history)
    for event, fact in random.sample(dated, len(dated)):
        text = random.choice(
            [f"On what date did {event.title} begin?", f"When did {event.title} begin?"]
        )
        yield Draft(text, get(select(fact)), AnswerFormat.DATE, (fact.id,))


def _apart(late: Query, early: Query, unit: str) -> Query:
    return {"op": "diff", "a": late, "b": early, "unit": unit}

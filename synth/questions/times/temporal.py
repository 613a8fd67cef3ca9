"""Drafts of questions about time: tr (M3Exam A.3)."""

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random

from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, select
from memassay.synth.questions.history import History
from memassay.synth.questions.times.courses import latest, noted_when, pauses
from memassay.synth.questions.times.orders import between, gaps, last_before, orders
from memassay.synth.questions.times.shifted import ask_cause, ends


def temporal(history: History, random: Random) -> Iterator[Draft]:
    """tr: dates, distances, orders and gaps of events, filters by date, dates that follow.

    Drafts about several events come far ones first.
    """

    def far(form: Callable[[History, Random], Iterator[Draft]]) -> list[Draft]:
        return history.far_first(form(history, random), random)

    dates = list(_dates(history, random))
    forms = [far(one) for one in (ends, orders, gaps, between, ask_cause, last_before)]
    series = [far(one) for one in (noted_when, latest, pauses)]
    distances = far(_distances)
    # A single date and a distance twice in each round: the paper takes tr from headers, too.
    yield from in_turn([dates[::2], *forms, distances[::2], dates[1::2], *series, distances[1::2]])


def _dates(history: History, random: Random) -> Iterator[Draft]:
    dated = history.dated_events()
    for event, fact in random.sample(dated, len(dated)):
        text = random.choice(
            [
                f"On what date was {event.title}?",
                f"Which calendar day did {history.persona.name} note for {event.title}?",
                f"Give the full date of {event.title}.",
            ]
        )
        yield Draft(text, get(select(fact)), AnswerFormat.DATE, (fact.id,))


def _distances(history: History, random: Random) -> Iterator[Draft]:
    pairs = list(combinations(history.dated_events(), 2))
    for (early, first), (late, last) in random.sample(pairs, len(pairs)):
        days = (start(late.happened_on) - start(early.happened_on)).days
        if days < 2:
            continue
        unit = "week" if days % 7 == 0 else "day"
        text = random.choice(
            [
                f"How many {unit}s lay between {early.title} and {late.title}?",
                f"How many {unit}s after {early.title} was {late.title}?",
                f"Count the {unit}s from {early.title} to {late.title}.",
            ]
        )
        query: Query = {
            "op": "diff",
            "a": get(select(last)),
            "b": get(select(first)),
            "unit": unit,
        }
        yield Draft(text, query, AnswerFormat.NUMBER, (first.id, last.id))

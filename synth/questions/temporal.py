"""Drafts of questions about time: tr (M3Exam A.3)."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, select, union
from memassay.synth.questions.history import History

_MOST = 200
"""Most triples of events that are looked at, drawn by chance."""


def temporal(history: History, random: Random) -> Iterator[Draft]:
    """tr: absolute dates, distances in days and weeks, first and last of several events.

    Drafts about several events come far ones first.
    """
    dates = list(_dates(history, random))
    distances = history.far_first(_distances(history, random), random)
    extremes = history.far_first(_extremes(history, random), random)
    # Two of a kind that needs one session or two for each that needs three.
    yield from in_turn([dates[::2], distances[::2], dates[1::2], distances[1::2], extremes])


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
        days = (start(late.day) - start(early.day)).days
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


def _extremes(history: History, random: Random) -> Iterator[Draft]:
    """The date of the first or last of three events.

    The gold is a date, so that no word of the question can give it away.
    """
    triples = list(combinations(history.dated_events(), 3))
    for triple in random.sample(triples, min(len(triples), _MOST)):
        if len({event.day for event, _ in triple}) < 3:
            continue
        which = random.choice(["first", "last"])
        names = [event.title for event, _ in random.sample(triple, 3)]
        text = (
            f"Of {names[0]}, {names[1]} and {names[2]}: on what date was the one that came {which}?"
        )
        facts = union(*(select(fact) for _, fact in triple))
        query = get({"op": "pick", "of": facts, "by": "value", "which": which})
        yield Draft(text, query, AnswerFormat.DATE, tuple(fact.id for _, fact in triple))

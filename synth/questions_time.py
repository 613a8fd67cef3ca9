"""Drafts of questions about time: tr (M3Exam A.3)."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from memassay.schemas.civil_time import start
from memassay.schemas.question import AnswerFormat
from memassay.synth.drafts import Draft, Query, get, select, union
from memassay.synth.history import History


def temporal(history: History, random: Random) -> Iterator[Draft]:
    """tr: absolute dates, distances in days and weeks, first and last of several events."""
    kinds = [_dates(history, random), _distances(history, random), _extremes(history, random)]
    drawn = [list(kind) for kind in kinds]
    # In turn, so that a bank of any size holds all kinds.
    for position in range(max(len(kind) for kind in drawn)):
        yield from (kind[position] for kind in drawn if position < len(kind))


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
        yield Draft("tr", text, get(select(fact)), AnswerFormat.DATE, (fact.id,))


def _distances(history: History, random: Random) -> Iterator[Draft]:
    pairs = list(combinations(history.dated_events(), 2))
    for (early, first), (late, last) in random.sample(pairs, len(pairs)):
        days = (start(late.date) - start(early.date)).days
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
        yield Draft("tr", text, query, AnswerFormat.NUMBER, (first.id, last.id))


def _extremes(history: History, random: Random) -> Iterator[Draft]:
    """The date of the first or last of three events.

    The gold is a date, so that no word of the question can give it away.
    """
    triples = list(combinations(history.dated_events(), 3))
    for triple in random.sample(triples, min(len(triples), 40)):
        if len({event.day for event, _ in triple}) < 3:
            continue
        which = random.choice(["first", "last"])
        names = [event.title for event, _ in random.sample(triple, 3)]
        text = (
            f"Of {names[0]}, {names[1]} and {names[2]}: on what date was the one that came {which}?"
        )
        facts = union(*(select(fact) for _, fact in triple))
        query = get({"op": "pick", "of": facts, "by": "value", "which": which})
        yield Draft("tr", text, query, AnswerFormat.DATE, tuple(fact.id for _, fact in triple))

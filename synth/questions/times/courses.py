"""Drafts about when the entries of a series were noted (tr)."""

from collections.abc import Iterator
from random import Random
from typing import Final

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.across.logs import (
    all_of,
    ask_of,
    ends_of,
    ids_of,
    logs_of,
    repeats,
)
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.questions.history import History
from memassay.synth.world.grammar import expand

_REACHED: Final = (
    "On what date was {label} {end}?",
    "When was {label} at its {end}?",
    "On which day was {label} {end}? Give the full date.",
    "When was the {end} figure noted for {label}?",
    "What is the date on which {label} was {end}?",
)


def noted_when(history: History, random: Random) -> Iterator[Draft]:
    """The date on which a kind was noted the first or last time, or a figure was at its end."""
    drafts = [*_kinds(history, random), *_ends(history, random)]
    yield from random.sample(drafts, len(drafts))


def _kinds(history: History, random: Random) -> Iterator[Draft]:
    for _, log, entries in logs_of(history, numbers=False):
        for value, alike in repeats(entries) if log.when else ():
            which = random.choice(["first", "last"])
            text = ask_of(history, log.when, random, value=value, which=which)
            of = all_of(log, value=value)
            query: Query = {"op": "pick", "of": of, "by": "date", "which": which}
            yield Draft(text, get(query, "date"), AnswerFormat.DATE, ids_of(alike), whole=True)


def _ends(history: History, random: Random) -> Iterator[Draft]:
    for name, log, entries in logs_of(history, numbers=True):
        for which, word, fact in ends_of(log, entries):
            slots = {"label": history.log_label(name), "end": word}
            text = expand(random.choice(_REACHED), random, slots).text
            query: Query = {"op": "pick", "of": all_of(log), "by": "value", "which": which}
            yield Draft(text, get(query, "date"), AnswerFormat.DATE, (fact.id,), whole=True)

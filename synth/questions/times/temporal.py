"""Drafts of questions about time: tr (M3Exam A.3)."""

from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.across.links import Links
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, select
from memassay.synth.questions.history import History
from memassay.synth.questions.times.courses import noted_when
from memassay.synth.questions.times.moments import be, moments
from memassay.synth.questions.times.orders import orders
from memassay.synth.questions.times.processes import beginnings, lengths, slips
from memassay.synth.questions.times.shifted import ends
from memassay.synth.world.grammar import expand

_APART: Final = (
    "How many {unit} were there between {first} and {last}?",
    "How many {unit} after {first} {be} {last}?",
    "How many {unit} passed from {first} to {last}?",
    "After {first}, how many {unit} did it take until {last}?",
    "How many {unit} did it take from {first} to {last}?",
    "How many {unit} later than {first} {be} {last}?",
    "How many {unit} went by between {first} and {last}?",
    "From {first} on, how many {unit} was it until {last}?",
    "[Remind me|Tell me], how many {unit} lay between {first} and {last}?",
)


def temporal(history: History, random: Random) -> Iterator[Draft]:
    """tr: dates, intervals and orders of one thread, slipped plans, notes by date.

    No draft asks for one day of what lasted longer, unless it asks when that began. Drafts about
    several events come far ones first.
    """

    def far(form: Callable[[History, Random], Iterator[Draft]]) -> list[Draft]:
        return history.far_first(form(history, random), random)

    dates = [*beginnings(history, random), *event_dates(history, random)]
    taken = [list(one(history, random)) for one in (slips, lengths)]
    due, ordered, noted = (far(one) for one in (ends, orders, noted_when))
    distances = far(_distances)
    # A single date once in each round: headers give dates, too.
    parted = [part for at in range(3) for part in (ordered[at::3], distances[at::3])]
    drawn = [*taken, *parted, due, noted]
    yield from in_turn([*drawn, dates])


def event_dates(history: History, random: Random) -> Iterator[Draft]:
    """The day of an event that took no longer."""
    # "On what date was the day on which ..." is no English.
    dated = [one for one in moments(history) if not one[0].title.startswith("the day ")]
    for event, fact in random.sample(dated, len(dated)):
        text = random.choice(
            [
                f"On what date {be(event.title)} {event.title}?",
                f"What was the date of {event.title}?",
                f"When {be(event.title)} {event.title}? Give the full date.",
            ]
        )
        yield Draft(text, get(select(fact)), AnswerFormat.DATE, (fact.id,))


def _distances(history: History, random: Random) -> Iterator[Draft]:
    links = Links(history)
    # How long something took from stage to stage has its own wording; nobody counts the days
    # between two events unless they are of one matter.
    pairs = [
        pair
        for pair in combinations(moments(history), 2)
        if pair[0][0].card != pair[1][0].card
        and links.in_thread(pair[0][1], pair[1][1])
        and links.in_one_matter(pair[0][0], pair[1][0])
    ]
    for (early, first), (late, last) in random.sample(pairs, len(pairs)):
        days = (start(late.happened_on) - start(early.happened_on)).days
        if days < 2:
            continue
        unit = "week" if days % 7 == 0 else "day"
        slots = {"unit": f"{unit}s", "first": early.title, "last": late.title}
        text = expand(random.choice(_APART), random, {**slots, "be": be(late.title)}).text
        query: Query = {
            "op": "diff",
            "a": get(select(last)),
            "b": get(select(first)),
            "unit": unit,
        }
        yield Draft(text, query, AnswerFormat.NUMBER, (first.id, last.id))

"""The order of events, what is over when, and what led to what, read without the ledger.

The patterns of the questions are the reader's own, written after reading the data set. Each
function returns what it read, or None when it found nothing or the question is another one.
"""

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import permutations
from typing import Final

from reader_release import ReadRound
from reader_series import day_of, told
from reader_text import Weights, first_match, sentences
from reader_values import days_in, days_told

ORDERS: Final = (
    re.compile(r"Put these in the order in which they happened: (?P<list>.+)\."),
    re.compile(r"In what order did these come: (?P<list>.+)\?"),
    re.compile(r"List the following from the earliest to the latest: (?P<list>.+)\."),
)
_COUNTED: Final = 4.0
"""Worth of a day that is counted from that of the session: it is said of what comes up then."""
_LENGTH: Final = re.compile(r"\b(\d+) (day|week|month|year)s?\b")
_ENDS: Final = re.compile(r"(?:When|On what date) (?!was |were |did .+ begin\?).+")
_SAID: Final = (
    re.compile(r"(?P<late>.+?) wouldn't have happened without (?P<early>.+), which led to it\."),
    re.compile(r"I blame (?P<early>.+?) for (?P<late>.+), it led there\."),
    re.compile(r"What (?P<early>.+) led to is (?P<late>.+?)\."),
    re.compile(r"And (?P<early>.+?) has now led to (?P<late>.+?)\."),
    re.compile(r"One thing leads to another, and (?P<early>.+?) led to (?P<late>.+?)\."),
    re.compile(r"You remember (?P<early>.+?), it led to (?P<late>.+?)\."),
    re.compile(r"If you ask what led to (?P<late>.+), it was (?P<early>.+?)\."),
    re.compile(r"(?P<late>.+?), that's what (?P<early>.+) led to\."),
    re.compile(r"It was (?P<early>.+?) that led to (?P<late>.+?)\."),
    re.compile(r"(?P<early>.+?) is what led to (?P<late>.+?)\."),
    re.compile(r"(?:So )?(?P<early>.+?) led to (?P<late>.+?)\."),
    re.compile(r"(?P<late>.+?) (?:goes back to|came of) (?P<early>.+?)\."),
)
_WHOSE: Final = re.compile(r"\bmy\b|\bof mine\b|\b(?:of )?\w+'s\b")
OUTCOMES: Final = (
    re.compile(r"What (?:came of|followed from) (?P<event>.+)\? Name .+"),
    re.compile(r"What did (?P<event>.+) lead to\? Name all of it\."),
    re.compile(r"Which events did (?P<event>.+) lead to\?"),
    re.compile(r"To what did (?P<event>.+) lead\? List everything\."),
    re.compile(r"(?P<event>.+) (?:had consequences|led to more than one thing)\. Which ones\?"),
    re.compile(r"What happened because of (?P<event>.+)\? List .+"),
    re.compile(r"Which events came of (?P<event>.+)\?"),
    re.compile(r".+ me, what are all the things that (?P<event>.+) led to\?"),
)


def _lists(said: str) -> Iterator[list[str]]:
    """The ways to read a list: its last two may be parted at any `and`."""
    *first, rest = said.split(", ")
    parts = rest.split(" and ")
    for at in range(1, len(parts)):
        listed = [*first, " and ".join(parts[:at]), " and ".join(parts[at:])]
        # An event has more than one word.
        if all(" " in one for one in listed):
            yield listed


def _event_day(title: str, each: ReadRound, weights: Weights) -> tuple[float, date]:
    """How well a round fits the title of an event, and the day it gives for it."""
    dated = [
        (weights.overlap(title, one.text) + _COUNTED * (not days_in(one.text)), -at, day.value)
        for at, one in enumerate(sentences([each]))
        for day in days_told(one.text, each.date)
        # What is told has happened: a day after the telling is a plan.
        if each.date is None or day.value <= each.date
    ]
    near, _, day = max(dated, default=(0.0, 0, str(each.date)))
    return near + weights.overlap(title, told(each)), date.fromisoformat(day)


def days_of_events(
    titles: Sequence[str], rounds: Sequence[ReadRound], weights: Weights
) -> tuple[float, list[date]] | None:
    """A day for each title, every round taken for one of them as well as they fit together."""
    fits = [[_event_day(title, each, weights) for each in rounds] for title in titles]
    best: tuple[float, list[date]] | None = None
    for taken in permutations(range(len(rounds)), len(titles)):
        score = sum(fits[at][each][0] for at, each in enumerate(taken))
        if best is None or score > best[0]:
            best = score, [fits[at][each][1] for at, each in enumerate(taken)]
    return best


def _read(
    said: str, marks: Sequence[str], rounds: Sequence[ReadRound], weights: Weights
) -> tuple[list[str], list[date]] | None:
    """The events of a list, and the days of these and of the events that stand beside it."""
    found = [
        (fit[0], titles, fit[1])
        for titles in _lists(said)
        if (fit := days_of_events([*titles, *marks], rounds, weights)) is not None
    ]
    best = max(found, key=lambda one: one[0], default=None)
    return best and (best[1], best[2])


def in_order(
    question: str, rounds: Sequence[ReadRound], weights: Weights
) -> tuple[str, ...] | None:
    """The events of a list in the order of time; None for other questions."""
    match = first_match(ORDERS, question)
    read = match and _read(match["list"], (), rounds, weights)
    if not read:
        return None
    titles, days = read
    return tuple(title for _, title in sorted(zip(days, titles, strict=True)))


def runs_out(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """The day on which a length of time is over that a round gives with the day it begins."""
    if not _ENDS.fullmatch(question):
        return None
    found = [
        (weights.overlap(question, one.text), int(match[1]), match[2], one.round)
        for one in sentences(rounds)
        if one.turn == 0
        for match in _LENGTH.finditer(one.text)
    ]
    if not found:
        return None
    _, number, unit, each = max(found, key=lambda one: one[0])
    dated = [one for one in (each, *rounds) if days_told(one.turns[0], one.date)]
    begun = day_of(dated[0]) if dated else date.fromisoformat(str(each.date))
    return _later(begun, number, unit).isoformat()


def _later(day: date, number: int, unit: str) -> date:
    """A day so many days, weeks, months or years on; a month that is too short ends it."""
    if unit in ("day", "week"):
        return day + timedelta(days=number * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + number * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


@dataclass(frozen=True)
class Led:
    """That one event led to another, in the words of a round."""

    early: str
    late: str
    round: ReadRound


def said_to_lead(rounds: Sequence[ReadRound]) -> list[Led]:
    """Every time that a user says in so many words what led to what."""
    found = []
    for sentence in sentences(rounds):
        match = first_match(_SAID, sentence.text) if sentence.turn == 0 else None
        if match:
            found.append(Led(match["early"].strip(), match["late"].strip(), sentence.round))
    return found


def _like(title: str) -> str:
    """A title without whose it is: people say `my` of what others call by their names."""
    return " ".join(_WHOSE.sub("", title.lower()).split())


def outcomes(question: str, rounds: Sequence[ReadRound]) -> tuple[str, ...]:
    """All that an event led to; nothing for other questions."""
    match = first_match(OUTCOMES, question)
    event = _like(match["event"]) if match else None
    return tuple(one.late for one in said_to_lead(rounds) if _like(one.early) == event)

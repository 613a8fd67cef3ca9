"""The order of events, the time between them, and what led to what, read without the ledger.

The patterns of the questions are the reader's own, written after reading the data set. Each
function returns what it read, or None when it found nothing or the question is another one.
"""

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise, permutations
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
GAPS: Final = (
    re.compile(
        r"How many days was the (?P<which>\w+) wait from one of these to the next: (?P<list>.+)\?"
    ),
    re.compile(
        r"Take (?P<list>.+) in order of time\. How many days is the (?P<which>\w+) wait .+\?"
    ),
    re.compile(r"Of (?P<list>.+), what is the (?P<which>\w+) time in days between two that .+\?"),
)
BETWEEN: Final = (
    re.compile(
        r"How many of these came after (?P<early>.+) and before (?P<late>.+?): (?P<list>.+)\?"
    ),
    re.compile(r"Of (?P<list>.+), how many fell between (?P<early>.+) and (?P<late>.+)\?"),
    re.compile(r"Count those that lie between (?P<early>.+) and (?P<late>.+?): (?P<list>.+)\."),
)
NEXT: Final = (
    re.compile(
        r"Of (?P<list>.+): on what date was the (?P<which>first|last) one "
        r"(?P<side>before|after) (?P<mark>.+)\?"
    ),
    re.compile(
        r"On what date was the (?P<which>first|last) of these (?P<side>before|after) "
        r"(?P<mark>.+?): (?P<list>.+)\?"
    ),
    re.compile(
        r"Among (?P<list>.+), give the date of the (?P<which>first|last) one "
        r"(?P<side>before|after) (?P<mark>.+)\."
    ),
)
_COUNTED: Final = 4.0
"""Worth of a day that is counted from that of the session: it is said of what comes up then."""
_LENGTH: Final = re.compile(r"\b(\d+) (day|week|month|year)s?\b")
_ENDS: Final = re.compile(r"(?:When|On what date) (?!was |were |did .+ begin\?).+")
_SAID: Final = (
    re.compile(r"If you ask what led to (?P<late>.+), it was (?P<early>.+?)\."),
    re.compile(r"(?P<late>.+?), that's what (?P<early>.+) led to\."),
    re.compile(r"It was (?P<early>.+?) that led to (?P<late>.+?)\."),
    re.compile(r"(?P<early>.+?) is what led to (?P<late>.+?)\."),
    re.compile(r"(?:So )?(?P<early>.+?) led to (?P<late>.+?)\."),
    re.compile(r"(?P<late>.+?) (?:goes back to|came of) (?P<early>.+?)\."),
)
TRACED: Final = (
    re.compile(r"(?P<event>.+) went back to something else\. What had led to that\?"),
    re.compile(r"Something led to (?P<event>.+)\. What, in turn, had led to that\?"),
    re.compile(r"(?P<event>.+) came out of an earlier event\. .+ had that one come out of\?"),
    re.compile(r"What (?:led to|was behind) the event that led to (?P<event>.+)\?"),
    re.compile(r"Before (?P<event>.+) there was the event that led to it\. .+\?"),
    re.compile(r".*what was it that led to the cause of (?P<event>.+)\?"),
    re.compile(r"Think back from (?P<event>.+) to what led to it\. What was that a result of\?"),
    re.compile(r"The event that led to (?P<event>.+) had a cause of its own\. What was it\?"),
    re.compile(r"Which event set off the one that led to (?P<event>.+)\?"),
)
ELSE: Final = (
    re.compile(r"What else came of the event that led to (?P<event>.+)\?"),
    re.compile(r"What led to (?P<event>.+) also led to something else\. To what\?"),
    re.compile(r"(?P<event>.+) shares its cause with another event\. Which one\?"),
    re.compile(r"The event behind (?P<event>.+) led to one more\. Which one\?"),
    re.compile(r"Which other event goes back to the same cause as (?P<event>.+)\?"),
    re.compile(r".*what else came of what led to (?P<event>.+)\?"),
)
CAUSE_DAY: Final = (
    re.compile(r"On what date was the event that led to (?P<event>.+)\?"),
    re.compile(r"Give the date of what led to (?P<event>.+)\."),
    re.compile(r"What is the date of the event that led to (?P<event>.+)\?"),
)
CAUSE_GAP: Final = (
    re.compile(r"How many days after what led to it was (?P<event>.+)\?"),
    re.compile(r"How many days lay between (?P<event>.+) and the event that led to it\?"),
    re.compile(r"Count the days from the event that led to (?P<event>.+) to .+ itself\."),
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


def of_several(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """A gap, a number or a date that the days of several events give; None for others."""
    if match := first_match(GAPS, question):
        read = _read(match["list"], (), rounds, weights)
        days = sorted(read[1]) if read else []
        waits = [(late - early).days for early, late in pairwise(days)]
        longest = match["which"] == "longest"
        return f"{(max if longest else min)(waits)} days" if waits else None
    if match := first_match(BETWEEN, question):
        read = _read(match["list"], (match["early"], match["late"]), rounds, weights)
        if not read:
            return None
        *days, early, late = read[1]
        return str(sum(early < day < late for day in days))
    if match := first_match(NEXT, question):
        read = _read(match["list"], (match["mark"],), rounds, weights)
        if not read:
            return None
        *days, mark = read[1]
        kept = [day for day in days if (day < mark if match["side"] == "before" else day > mark)]
        pick = min if match["which"] == "first" else max
        return pick(kept).isoformat() if kept else None
    return None


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
    return " ".join(title.lower().split())


def led(question: str, rounds: Sequence[ReadRound]) -> str | None:
    """An event along what led to what; None for other questions."""
    links = said_to_lead(rounds)
    cause = {_like(one.late): one.early for one in links}
    if match := first_match(TRACED, question):
        near = cause.get(_like(match["event"]))
        return cause.get(_like(near)) if near else None
    if match := first_match(ELSE, question):
        root = cause.get(_like(match["event"]))
        others = [
            one.late
            for one in links
            if root and _like(one.early) == _like(root) and _like(one.late) != _like(match["event"])
        ]
        return others[0] if len(others) == 1 else None
    return None


def led_when(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """The day of what led to an event, or how long before the event it was."""
    match = first_match(CAUSE_DAY, question) or first_match(CAUSE_GAP, question)
    if match is None:
        return None
    links = {_like(one.late): one for one in said_to_lead(rounds)}
    link = links.get(_like(match["event"]))
    if link is None:
        return None
    if first_match(CAUSE_DAY, question):
        dated = [each for each in rounds if any(days_told(turn, each.date) for turn in each.turns)]
        others = [each for each in dated if each is not link.round] or dated
        fits = [_event_day(link.early, each, weights) for each in others]
        return max(fits)[1].isoformat() if fits else None
    dated = [each for each in rounds if any(days_told(turn, each.date) for turn in each.turns)]
    read = days_of_events([link.early, match["event"]], dated, weights)
    return f"{abs((read[1][1] - read[1][0]).days)} days" if read else None

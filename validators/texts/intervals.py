"""From when to when a statement is true: its own day, the days that it announces, a later change.

An event is true on the days that its sentence names, for a stay on all of them. A state ("I live
on Maple Street") is true from the day on which it is said until its speaker gives another value
for the same thing ("I live on Birch Road now").
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from memassay.schemas.records.conversation import Round
from memassay.schemas.values.civil_time import add_months
from memassay.schemas.values.text import NUMBER_WORDS
from memassay.validators.texts.durations import Length, lengths
from memassay.validators.texts.history import History, Words, roots
from memassay.validators.texts.spoken import DatedSentence, sentences_of, spoken_dates
from memassay.validators.wording import sentences, words

_STAY: Final = re.compile(r"\bfor\b|\bstay\w*\b|\bspend\w*\b|\blasts?\b", re.IGNORECASE)
_MONTHS: Final = {"month": 1, "year": 12}
_DAYS: Final = {"day": 1, "week": 7}
_ONE_VALUE: Final = "live (?:in|on|at)|work as|study|drive|weigh|earn|pay"
"""Verbs whose object replaces the one before: who plays a new game still plays the old one."""
_COUNT: Final = "|".join(("[0-9]+", *NUMBER_WORDS))
_STATE: Final = re.compile(
    rf"\b(?:(?P<owner>my (?:[a-z]+ )?[a-z]+) (?:is|are)|(?:I|we) (?P<verb>{_ONE_VALUE})"
    rf"|(?:I|we) (?P<have>have|own)(?= (?:{_COUNT})\b))\b(?P<value>[^,.;!?]+?)"
    r"(?= (?:at|with|for|since|because|and|so)\b|[,.;!?]|$)",
    re.IGNORECASE,
)
_OWNED: Final = re.compile(r"\bmy (?:new |old )?(?P<owner>[a-z]+)\b", re.IGNORECASE)
_OF_IT: Final = re.compile(r"\bit(?: is|['’]s)(?P<value>[^,.;!?]+)", re.IGNORECASE)
_NOW: Final = re.compile(r"\bnow\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\b[A-Z][a-z]")


class Interval(NamedTuple):
    """The days on which a statement is true.

    Attributes:
        first: First of them.
        last: Last of them; None if no end is known.
    """

    first: date
    last: date | None


class State(NamedTuple):
    """Something that has one value at a time.

    Attributes:
        about: What has the value, as content words: `live`, `phone`, what is counted.
        value: Content words of the value.
        kind: `name`, `number` or `words`: values of two kinds do not replace each other.
    """

    about: Words
    value: Words
    kind: str


def meets(first: date, last: date, intervals: Iterable[Interval]) -> bool:
    """Whether some of the days from first to last lie in one of the intervals."""
    return any(
        each.first <= last and (each.last is None or first <= each.last) for each in intervals
    )


def stays(text: str, day: date) -> list[Interval]:
    """The days of stays that a text announces or tells: "I leave tomorrow and stay for a week"."""
    long = [each for part in sentences(text) if _STAY.search(part) for each in lengths(part)]
    starts = [
        reading.first
        for part in sentences(text)
        for found in spoken_dates(part, day)
        for reading in found.readings
    ]
    return [Interval(start, _later(start, each)) for start in starts for each in long]


def _later(day: date, length: Length) -> date:
    if length.unit in _MONTHS:
        return add_months(day, length.number * _MONTHS[length.unit])
    return day + timedelta(days=length.number * _DAYS[length.unit])


def intervals(history: History, said: DatedSentence) -> list[Interval]:
    """When a sentence is true: the days it names, those of a stay, or as long as a state lasts."""
    found = [Interval(one.first, one.last) for each in said.dates for one in each.readings]
    found += stays(said.turn.text, said.day)
    if state_in(said.text) is not None:
        later = next(changes(history, said), None)
        found.append(Interval(said.day, later.day if later else None))
    return found


def state_in(text: str) -> State | None:
    """The state that a sentence gives, if it gives one of the speaker and their things."""
    found = _STATE.search(text)
    owned, of_it = _OWNED.search(text), _OF_IT.search(text)
    if found is None and owned and of_it and owned.start() < of_it.start():
        return _state(owned["owner"], of_it["value"])
    if found is None:
        return None
    return _state(found["owner"] or found["verb"] or found["have"], found["value"])


def _state(about: str, text: str) -> State | None:
    value = content(_NOW.sub(" ", text))
    numbers = frozenset(word for word in value if word[0].isdigit())
    kind = "name" if _NAME.search(text) else "number" if numbers else "words"
    if about.casefold() in {"have", "own"}:  # What is counted has the number.
        things = value - numbers
        return State(things, numbers, kind) if things and numbers else None
    return State(roots(about), value, kind) if value else None


def content(text: str) -> Words:
    """Content words of a value; "two" is a value, too, and "Kestrel 5" none without its number."""
    return roots(text) | {word for word in words(text) if word.isdigit()}


def changes(history: History, said: DatedSentence) -> Iterator[DatedSentence]:
    """Later sentences in which the speaker gives another value for the state of a sentence."""
    state = state_in(said.text)
    if state is None:
        return
    for each in history.rounds[history.position(said.round) + 1 :]:
        yield from (later for later in _newer(history, each, said) if _replaces(state, later))


def _newer(history: History, round_: Round, said: DatedSentence) -> list[DatedSentence]:
    if not any(turn.speaker == said.turn.speaker for turn in round_.turns):
        return []
    if not any(_NOW.search(turn.text) for turn in round_.turns):
        return []
    return [
        each
        for each in sentences_of(history.bundle, round_)
        if each.turn.speaker == said.turn.speaker and _NOW.search(each.text)
    ]


def _replaces(state: State, later: DatedSentence) -> bool:
    other = state_in(later.text)
    same = other is not None and (other.about, other.kind) == (state.about, state.kind)
    return same and other is not None and not other.value <= state.value

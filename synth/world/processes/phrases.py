"""Computed phrases of time: what `{plant.ago}` or `{plant..cut}` says on the day it is said."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_date
from memassay.schemas.values.relative_dates import DayRange, relative_dates
from memassay.schemas.values.text import NUMBER_WORDS
from memassay.synth.world.grammar import SLOT, wordings
from memassay.synth.world.persona_file import CardSpec, RoundSpec

_TIME_SLOT: Final = re.compile(
    r"(?P<stage>[a-z0-9_-]+)\.(?:(?P<form>ago|date|ahead)|\.(?P<until>[a-z0-9_-]+))"
)
_PART_OF_DAY: Final = re.compile(r"(?i)\b(?:tonight|(?:this|last) (?:morning|evening|night))\b")
_ASKS: Final = re.compile(r"\?|(?:^|[^\w ] ?)[A-Z][a-z]+ (?:me|us)\b")
"""A question, or a sentence that begins with `Help me` or the like."""
_WORDS: Final = {int(number): word for word, number in NUMBER_WORDS.items()}
_MOST_DAYS: Final = 20
_MOST_WEEKS: Final = 8
"""Farther days are named by their date (our choice)."""
OWN_DAY: Final = "when"
"""Slot of the day of an event as it is said in its session: `today`, `nine days ago`."""
AHEAD: Final = "ahead"
"""Form of a slot that names a day still to come."""


@dataclass(frozen=True)
class TimeSlot:
    """A slot that a calendar fills.

    Attributes:
        name: The slot.
        stage: Stage of its card.
        form: `ago`, `date` or `ahead`; None for a length of time.
        until: Stage at the end of a length of time.
    """

    name: str
    stage: str
    form: str | None
    until: str | None


def time_slot(name: str, stages: Mapping[str, object]) -> TimeSlot | None:
    """What a slot of a card with these stages says of time; None for other slots."""
    found = _TIME_SLOT.fullmatch(name)
    if found is None or found["stage"] not in stages:
        return None
    if found["until"] is not None and found["until"] not in stages:
        return None
    return TimeSlot(name, found["stage"], found["form"], found["until"])


def time_slots(card: CardSpec) -> Iterator[TimeSlot]:
    """Slots of time in the rounds of a card, each once."""
    texts = [text for one in card.rounds for text in (one.user, one.assistant)]
    for name in dict.fromkeys(name for text in texts for name in SLOT.findall(text)):
        if slot := time_slot(name, card.stages):
            yield slot


def is_said_for_certain(card: CardSpec, slot: str) -> bool:
    """Whether a round of a card says a slot, whichever choices are made."""
    marked = f"{{{slot}}}"
    texts = [text for one in card.rounds for text in (one.user, one.assistant)]
    return any(marked in text and all(marked in one for one in wordings(text)) for text in texts)


def says_day(card: CardSpec) -> bool:
    """Whether the rounds of a card or part say for certain on which day it happened."""
    if is_said_for_certain(card, "date") or is_said_for_certain(card, OWN_DAY):
        return True
    own = getattr(card, "stage", None)
    named = (slot for slot in time_slots(card) if slot.stage == own)
    return any(
        slot.form in ("ago", "date") and is_said_for_certain(card, slot.name) for slot in named
    )


def names_time(card: CardSpec) -> bool:
    """Whether the user may name a day or a part of one in the rounds of a card."""
    texts = [one.user for one in card.rounds]
    slots = {slot for text in texts for slot in SLOT.findall(text)}
    named = any(slot.form for slot in time_slots(card)) or slots & {"date", OWN_DAY}
    return bool(named) or any(_PART_OF_DAY.search(one) or has_day(one) for one in texts)


def has_day(text: str) -> bool:
    """Whether a text has words for a day: `yesterday`, `two days ago`."""
    return bool(relative_dates(text, date.min.replace(year=2000)))


def asks_last(rounds: Sequence[RoundSpec]) -> bool:
    """Whether the user may ask for something in the last of these rounds."""
    return bool(_ASKS.search(rounds[-1].user))


def day_in_words(day: date, told: date, random: Random) -> str:
    """How a day is named later on or on the day itself: `today`, `nine days ago`."""
    return phrase_of(TimeSlot("", "", "ago", None), day, told, random)


def phrase_of(slot: TimeSlot, day: date, told: date, random: Random) -> str:
    """How a day is named on another.

    Args:
        slot: Its form says how.
        day: The day that is meant.
        told: The day on which it is said.
        random: Chooses among ways to say it.
    """
    dated = spoken_date(day.isoformat())
    if slot.form == "date":
        return dated
    if slot.form == AHEAD:
        # A plan is asked for later, by the day that was named.
        return f"on {dated}"
    if day == told:
        return "today"
    return random.choice([*_relative(day, told)] or [f"on {dated}"])


def _relative(day: date, told: date) -> Iterator[str]:
    days = (told - day).days
    if days == 1:
        yield "yesterday"
    elif days <= _MOST_DAYS:
        yield f"{_WORDS[days]} days ago"
    weeks, rest = divmod(days, 7)
    if not rest and 1 <= weeks <= _MOST_WEEKS:
        yield f"{_WORDS[weeks]} week{'s' if weeks > 1 else ''} ago"


def is_evidence(phrase: str, day: date, told: date) -> bool:
    """Whether a phrase means exactly one day, and that day: else it only colours the text."""
    if spoken_date(day.isoformat()) in phrase:
        return True
    found = relative_dates(phrase, told)
    return [one.readings for one in found] == [(DayRange(day, day),)]


def length_of(first: date, last: date) -> str:
    """A length of time in words: `nine days`, `two weeks`."""
    days = (last - first).days
    weeks, rest = divmod(days, 7)
    if weeks and not rest and weeks <= _MOST_WEEKS:
        return f"{_WORDS[weeks]} week{'s' if weeks > 1 else ''}"
    return f"{_WORDS.get(days, str(days))} day{'s' if days != 1 else ''}"

"""Absolute dates that somebody says: which they are, and whether they can be spoken then."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.values.civil_time import MONTHS

_MONTH: Final = "|".join([*MONTHS, *(month[:3] for month in MONTHS)])
_DATE: Final = re.compile(
    rf"\b(?:(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)? (?P<month>{_MONTH})\.?,? (?P<year>[12][0-9]{{3}})"
    rf"|(?P<month2>{_MONTH})\.? (?P<day2>[0-3]?[0-9])(?:st|nd|rd|th)?,? (?P<year2>[12][0-9]{{3}})"
    r"|(?P<iso>[12][0-9]{3}-[01][0-9]-[0-3][0-9]))\b"
)
_D: Final = "\x00"
_NOW: Final = {
    0: rf"\b[Tt]oday(?:'s| is| was|,)? {_D}|\b[Ii]t(?: is|'s) {_D},? today|{_D}(?:,| is) today\b",
    -1: rf"\b[Yy]esterday(?:'s| was| is|,)?(?: on)? {_D}|{_D}(?:,| was) yesterday\b",
    1: rf"\b[Tt]omorrow(?:'s| is|,)?(?: on)? {_D}|{_D}(?:,| is) tomorrow\b",
}
_PAST: Final = re.compile(
    r"\b(?:was|were|fell|happened|took place|began|started|ended|came|said|wrote|sent|"
    rf"arrived|met|held|is dated|dates from|noted that it \w+)(?: \w+)? (?:on )?{_D}"
)
_FUTURE: Final = re.compile(
    r"\b(?:will|shall|due|until|by|booked|planned|scheduled|moved|postponed|set|fixed|agreed|"
    r"deadline|next|would|should|to be|appointment|reserved|expected)\b"
)
_AFTER: Final = re.compile(r"\b(?:afterwards|after that|only then|and then|later|followed by)\b")
_BEFORE: Final = re.compile(r"\bbefore\b")


@dataclass(frozen=True)
class SpokenDate:
    """An absolute date in a text, with its place in code points."""

    day: date
    start: int
    end: int


def spoken_dates(text: str) -> list[SpokenDate]:
    """The absolute dates of a text, in its order; none that do not exist."""
    found: list[SpokenDate] = []
    for match in _DATE.finditer(text):
        day = _day(match)
        if day is not None:
            found.append(SpokenDate(day, match.start(), match.end()))
    return found


def _day(match: re.Match[str]) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        month = (match["month"] or match["month2"])[:3]
        number = next(n for n, name in enumerate(MONTHS, start=1) if name.startswith(month))
        return date(
            int(match["year"] or match["year2"]), number, int(match["day"] or match["day2"])
        )
    except ValueError:
        return None


def out_of_order(
    text: str, said_on: date, events: Sequence[TimelineEvent]
) -> Iterator[tuple[SpokenDate, str]]:
    """Dates of a sentence that cannot be, each with what is expected in their place.

    Args:
        text: One sentence.
        said_on: The day on which it is spoken.
        events: The timeline, for dates beside the title of an event.
    """
    dates = spoken_dates(text)
    if not dates:
        return
    for one in dates:
        marked = f"{text[: one.start]}{_D}{text[one.end :]}"
        for step, pattern in _NOW.items():
            if re.search(pattern, marked) and one.day != said_on + timedelta(days=step):
                yield one, f"{said_on + timedelta(days=step)}"
        past = _PAST.search(marked)
        if past and one.day > said_on and not _FUTURE.search(marked[: past.end()]):
            yield one, f"no day after {said_on}"
    for first, second in itertools.pairwise(dates):
        between = text[first.end : second.start]
        told_after = _AFTER.search(between) and not _BEFORE.search(between)
        if told_after and first.day > second.day:
            yield second, f"a day after {first.day}"
        if _BEFORE.search(between) and not told_after and first.day > second.day:
            yield second, f"a day after {first.day}"
    yield from _beside_titles(text, dates, events)


def _beside_titles(
    text: str, dates: Sequence[SpokenDate], events: Sequence[TimelineEvent]
) -> Iterator[tuple[SpokenDate, str]]:
    """Dates that a sentence gives for an event by its title, and that are another day."""
    said = text.lower()
    named = [(said.find(event.title.lower()), event) for event in events]
    places = sorted(
        ((at, event) for at, event in named if at >= 0 and not _is_inside(at, event, named)),
        key=lambda one: one[0],
    )
    for number, (start, event) in enumerate(places):
        until = places[number + 1][0] if number + 1 < len(places) else len(text)
        own = [one for one in dates if start < one.start < until]
        right = event.happened_on
        if own and own[0].day.isoformat() != right and _is_said_of(text, start, own[0], event):
            yield own[0], f"{right}, the day of {event.title}"


def _is_inside(at: int, event: TimelineEvent, named: Sequence[tuple[int, TimelineEvent]]) -> bool:
    """Whether a title is part of a longer one: `the call about the party`, `the party`."""
    end = at + len(event.title)
    return any(
        begin <= at and end <= begin + len(other.title) and len(other.title) > len(event.title)
        for begin, other in named
        if begin >= 0
    )


def _is_said_of(text: str, start: int, day: SpokenDate, event: TimelineEvent) -> bool:
    """Whether only a verb or a preposition is between a title and a date."""
    between = text[start + len(event.title) : day.start]
    return len(between) <= 30 and not _FUTURE.search(between)

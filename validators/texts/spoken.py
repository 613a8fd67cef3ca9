"""What turns say of days: relative dates, those of weekends and nights included."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.civil_time import WEEKDAYS, is_when, start, weekday
from memassay.schemas.values.relative_dates import DayRange, RelativeDate, relative_dates
from memassay.schemas.values.text import NUMBER_WORDS, normalise
from memassay.validators.texts.gold_dates import gold_date
from memassay.validators.wording import sentences

_NIGHT: Final = re.compile(r"\blast night\b")
_WEEKEND: Final = re.compile(r"\b(?:last|(?:this|the) past) weekend\b")
_WEEKENDS_AGO: Final = re.compile(
    rf"\b(?P<number>[0-9]|{'|'.join(list(NUMBER_WORDS)[1:10])}) weekends? ago\b"
)
_LATER: Final = re.compile(
    rf"\b(?P<number>an?|[0-9]{{1,2}}|{'|'.join(list(NUMBER_WORDS)[1:20])}) "
    r"(?P<unit>day|week|month|year)s? (?:later|from now)\b"
)
_SEASON: Final = re.compile(
    r"\b(?P<which>last|this|next) (?P<season>spring|summer|autumn|fall|winter)\b"
)
_ON: Final = re.compile(rf"\bon (?P<weekday>{'|'.join(WEEKDAYS).casefold()})\b(?!s)")
_LAST_SHORT: Final = re.compile(r"\blast (?P<weekday>mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b")
_SATURDAY: Final = 5


class DatedSentence(NamedTuple):
    """A sentence and the days that it speaks of.

    Attributes:
        round: Where it is said.
        turn: Who says it.
        text: The sentence.
        day: The day on which it is said.
        dates: Its relative dates.
    """

    round: Round
    turn: Turn
    text: str
    day: date
    dates: tuple[RelativeDate, ...]


def day_of(when: str | None) -> date | None:
    """The day of a date; None if there is none that is known to the day."""
    if when is None or not is_when(when) or len(when) < len("2024-01-31"):
        return None
    return start(when).date()


def spelled_days(first: date, last: date) -> str:
    """A stretch of days as messages give it; one day is named once."""
    return str(first) if first == last else f"{first} to {last}"


def meanings(dates: Iterable[RelativeDate]) -> str:
    """Relative dates with the days that each may mean, as messages give them."""
    return "; ".join(
        f"{each.expression}: {' or '.join(_spell(each, one) for one in each.readings)}"
        for each in dates
    )


def _spell(found: RelativeDate, reading: DayRange) -> str:
    first, last = reading
    if first == last:
        return f"{weekday(first)} {first}"
    # The stretch holds both weekends that can be meant: it is none itself.
    weekend = found.expression.endswith("weekend")
    return f"between {first} and {last}" if weekend else spelled_days(first, last)


def day_of_round(bundle: Bundle, round_: Round) -> date | None:
    """The day on which a round is spoken."""
    return day_of(bundle.date_by_round.get(round_.id))


@text_cache(1 << 14)
def spoken_dates(text: str, day: date) -> tuple[RelativeDate, ...]:
    """The relative dates of a text, with the weekends and nights that people differ about.

    A weekend means all days that it can mean to somebody: "last weekend" on a Saturday is the one
    before or the one that is, and it begins on Friday evening.
    """
    found = relative_dates(text, day)
    plain = normalise(text)
    night = _NIGHT.search(plain)
    if night:
        found.append(RelativeDate(night.group(), (DayRange(day - timedelta(days=1), day),)))
    weekends = [(each.group(), 1) for each in _WEEKEND.finditer(plain)]
    weekends += [
        (each.group(), int(NUMBER_WORDS.get(each["number"], each["number"])))
        for each in _WEEKENDS_AGO.finditer(plain)
    ]
    found += [RelativeDate(words, (_weekend(day, back),)) for words, back in weekends]
    found += [_weekday(each, day) for each in _ON.finditer(plain)]
    for later in _LATER.finditer(plain):
        ahead = relative_dates(f"in {later['number']} {later['unit']}s", day)
        found += [each._replace(expression=later.group()) for each in ahead]
    for short in _LAST_SHORT.finditer(plain):
        name = next(one for one in WEEKDAYS if one.casefold().startswith(short["weekday"][:3]))
        found += [
            each._replace(expression=short.group()) for each in relative_dates(f"last {name}", day)
        ]
    return (*found, *(_season(each, day) for each in _SEASON.finditer(plain)))


def _weekday(found: "re.Match[str]", day: date) -> RelativeDate:
    """A weekday such as "on Friday": the last one before a day, that day, or the next one."""
    number = [name.casefold() for name in WEEKDAYS].index(found["weekday"])
    back = day - timedelta(days=(day.weekday() - number) % 7)
    days = (back, back + timedelta(days=7)) if back != day else (day,)
    return RelativeDate(found.group(), tuple(DayRange(each, each) for each in days))


def _season(found: "re.Match[str]", day: date) -> RelativeDate:
    """A season of this year or of the one beside it: on which side a person counts is open."""
    years = {"last": (day.year - 1, day.year), "next": (day.year, day.year + 1)}
    readings = [
        gold_date(f"{found['season']} {year}")
        for year in years.get(found["which"], (day.year, day.year))
    ]
    spans = [each for each in readings if each is not None]
    return RelativeDate(found.group(), tuple(DayRange(each.first, each.last) for each in spans))


def _weekend(day: date, back: int) -> DayRange:
    friday = day - timedelta(days=(day.weekday() - _SATURDAY) % 7 + 1)
    return DayRange(friday - timedelta(weeks=back), friday + timedelta(weeks=1 - back, days=2))


def sentences_of(bundle: Bundle, round_: Round) -> list[DatedSentence]:
    """The sentences of a round with the days they speak of; none if nobody knows its day."""
    day = day_of_round(bundle, round_)
    if day is None:
        return []
    return [
        DatedSentence(round_, turn, part, day, spoken_dates(part, day))
        for turn in round_.turns
        for part in sentences(turn.text)
    ]

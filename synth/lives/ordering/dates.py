"""Which member comes first by its date, and by what is said of the day in it."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from memassay.schemas.changes.said_days import SaidDay, said_day
from memassay.schemas.values.civil_time import MONTHS, interval
from memassay.synth.lives.ordering.cues import Cue, Member

DATED: Final = 8.0
"""Weight of sessions that have dates of their own."""
SAID: Final = 2.0
"""Weight of days, months and seasons that are said: which year they are of is not."""
NAMED: Final = 1.0
"""Weight of months and feasts that are named, which may be long past or far off."""
_MONTH: Final = re.compile(
    rf"\b(?:in|on|of|this|since|until|by|early|late|mid-?) (?:the )?({'|'.join(MONTHS)})\b"
    rf"|\b({'|'.join(MONTHS)}) (?=\d)"
)
_FEASTS: Final[Mapping[str, int]] = {
    "new year": 0,
    "valentine": 44,
    "halloween": 303,
    "thanksgiving": 328,
    "christmas": 358,
}
"""Day of the year, from 0."""
_NEAR: Final = 60
"""Most days between all that one member names."""
_YEAR: Final = [date(2023, 1, 1) + timedelta(days=at) for at in range(365)]
_CLEAR: Final = 1.25
"""How much longer the pause before the first said day must be than any other."""


def date_cues(members: Sequence[Member]) -> Iterator[Cue]:
    """Cues of members that have dates, and of days, months and seasons that are said."""
    dated = sorted(
        (interval(when), at, when)
        for at, one in enumerate(members)
        if (when := one.session.date) is not None
    )
    for (first, one, early), (second, other, late) in itertools.combinations(dated, 2):
        if first.end <= second.start:
            why = f"is of {late}, after {members[one].id} of {early}"
            yield Cue(one, other, DATED, why, must=True)
    rest = [at for at in range(len(members)) if at not in {at for _, at, _ in dated}]
    said = {at: _days_of_year(said_day(members[at].session)) for at in rest}
    named = {at: said[at] or _named_days(members[at]) for at in rest}
    yield from _in_year(members, said, SAID, must=True)
    yield from _in_year(members, named, NAMED, must=False)


def _in_year(
    members: Sequence[Member], days: Mapping[int, Sequence[int]], weight: float, *, must: bool
) -> Iterator[Cue]:
    """Days in the order of one year, which begins after the longest pause between them."""
    begin = _beginning(sorted({day for own in days.values() for day in own}))
    if begin is None:
        return
    turned = {at: sorted((day - begin) % 365 for day in own) for at, own in days.items() if own}
    for one, other in itertools.permutations(sorted(turned), 2):
        if turned[one][-1] < turned[other][0]:
            why = f"mentions a later time of the year than {members[one].id}"
            yield Cue(one, other, weight, why, must=must)


def _named_days(member: Member) -> list[int]:
    """Days of the months and feasts that people name, if they lie near each other."""
    text = "\n".join(one.text for one in member.dialogue.rounds)
    months = [MONTHS.index(found[1] or found[2]) for found in _MONTH.finditer(text)]
    days = sorted(
        {month * 365 // 12 + 15 for month in months}
        | {day for feast, day in _FEASTS.items() if feast in text.casefold()}
    )
    pauses = sorted((after - day) % 365 for day, after in _round(days)) if days else []
    return days if len(days) < 2 or 365 - pauses[-1] <= _NEAR else []


def _days_of_year(said: SaidDay) -> list[int]:
    """Days of a year that fit; none where only a weekday is said, which every week has."""
    if not said.months and not said.days:
        return []
    anywhere = said._replace(weekdays=frozenset())
    return [at for at, day in enumerate(_YEAR) if anywhere.fits(day)]


def _beginning(days: Sequence[int]) -> int | None:
    """The day after the longest pause; None if no pause is clearly the longest."""
    if len(days) < 2:
        return None
    pauses = sorted(((after - day) % 365, after) for day, after in _round(days))
    longest = pauses[-1]
    return longest[1] if longest[0] >= _CLEAR * pauses[-2][0] and longest[0] > 1 else None


def _round(days: Sequence[int]) -> Iterator[tuple[int, int]]:
    yield from itertools.pairwise(days)
    yield days[-1], days[0]

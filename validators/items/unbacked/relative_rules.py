"""Rules on golds that count from a day, or count time: that day, side and unit are said."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.schemas.values.text import NUMBER_WORDS, normalise
from memassay.validators.items.dates.gold_dates import GoldDate, gold_date, may_name
from memassay.validators.items.dates.spoken import Said, said_in_round
from memassay.validators.items.unbacked.index import History, is_unbacked, roots, unbacked_rule
from memassay.validators.registry import problem

_SOURCE: Final = "LoCoMo data, category 2: days counted from the day of a session"
_ANCHORED: Final = re.compile(
    r"\b(?P<side>before|after) (?:the )?(?P<day>.*[0-9].*)$", re.IGNORECASE
)
_AHEAD: Final = re.compile(
    r"\b(?:will|going to|gonna|next|tomorrow|plan\w*|upcoming|soon|later|about to|looking forward"
    r"|can't wait|coming|tonight|this (?:weekend|week|month|evening)|in (?:a|an|the|[a-z]+|[0-9]+) "
    r"(?:few |couple of )?(?:days?|weeks?|months?|years?)"
    r"|organi[sz]ing|hosting|schedul\w*)\b|'ll\b"
)
_VAGUE: Final = {"few": "few", "couple": "few", "several": "few", "other": "few"}
_ONE: Final = frozenset({"a", "an", "last", "next", "per", "every", "each"})
_COUNT: Final = "|".join(
    (*sorted(NUMBER_WORDS, key=len, reverse=True), *_VAGUE, *_ONE, "[0-9]{1,4}")
)
_MEASURE: Final = re.compile(
    rf"\b(?P<count>{_COUNT})(?: of)?(?: a)?[ -]"
    r"(?P<unit>second|minute|hour|day|weekend|week|month|year|decade)s?\b"
    r"(?! old)(?: (?P<side>ago|later|before|after|earlier)\b)?"
)
_BARE: Final = re.compile(r"^the (?P<unit>day|weekend|week|month|year) (?P<side>before|after) ")
"""A gold such as "the weekend after 3 June" counts one."""
_SIDES: Final = {"ago": -1, "earlier": -1, "before": -1, "later": 1, "after": 1}
_MONTHS: Final = frozenset(MONTHS)
_DAYS: Final = frozenset(WEEKDAYS)
_CALENDAR: Final = re.compile(rf"\b(?:{'|'.join((*MONTHS, *WEEKDAYS))})\b")
_MONTH: Final = "|".join(MONTHS).casefold()
_DAY_NAMED: Final = re.compile(
    rf"\b(?:the|on) [0-9]{{1,2}}(?:st|nd|rd|th)\b|\b(?:{_MONTH}) [0-9]{{1,2}}\b"
    rf"|\b[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})\b"
)
_SEVERAL_DAYS: Final = 2


class Measure(NamedTuple):
    """A number of units of time in a text.

    Attributes:
        number: Digits, or `few`.
        unit: Singular.
        side: -1 if it counts back, 1 if it counts on, 0 if it does neither.
    """

    number: str
    unit: str
    side: int

    def __str__(self) -> str:
        """The number and the unit, as a message gives them."""
        return f"{self.number} {self.unit}{'s' * (self.number != '1')}"


def measures(text: str) -> list[Measure]:
    """The numbers of units of time that a text names; "the other day" is a few days ago."""
    plain = normalise(text)
    bare = _BARE.match(plain)
    return [
        *([Measure("1", bare["unit"], _SIDES[bare["side"]])] if bare else []),
        *(
            Measure(_count_of(found["count"]), found["unit"], _SIDES.get(found["side"] or "", 0))
            for found in _MEASURE.finditer(plain)
        ),
    ]


def _count_of(word: str) -> str:
    return "1" if word in _ONE else _VAGUE.get(word) or NUMBER_WORDS.get(word, word)


def _spoken(history: History, item: QAItem) -> list[Said]:
    return [said for each in history.cited(item) for said in said_in_round(history.bundle, each)]


def _anchored(item: QAItem) -> "re.Match[str] | None":
    values = item.answer.values
    found = _ANCHORED.search(values[0]) if len(values) == 1 else None
    return found if found and gold_date(found["day"]) is not None else None


def _is_anchored(item: QAItem) -> bool:
    return is_unbacked(item) and _anchored(item) is not None


@unbacked_rule("dates.anchor", Severity.WARNING, _SOURCE, applies=_is_anchored)
def anchor(history: History, item: QAItem) -> Iterator[Problem]:
    """The day from which a gold counts is that of its evidence, or one that the evidence names."""
    found, spoken = _anchored(item), _spoken(history, item)
    day = gold_date(found["day"]) if found else None
    if day is None or not spoken or any(may_name(said.text, day) for said in spoken):
        return
    if not any(day.first <= said.day <= day.last for said in spoken):
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"a day counted from that of the evidence ({spoken[0].day})",
            item.answer.values[0],
            "count from the day of the session, or cite the one that is meant",
        )


@unbacked_rule("dates.side", Severity.WARNING, _SOURCE, applies=_is_anchored)
def side(history: History, item: QAItem) -> Iterator[Problem]:
    """A gold after the day of its evidence has evidence that speaks of what is to come."""
    found, spoken = _anchored(item), _spoken(history, item)
    day = gold_date(found["day"]) if found else None
    if found is None or day is None or not spoken or found["side"].casefold() != "after":
        return
    asked = history.asked(item)
    about = [said for said in spoken if asked & roots(said.text)] or spoken
    now = any(day.first <= said.day <= day.last for said in spoken)
    if now and not any(_AHEAD.search(normalise(said.text)) for said in about):
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"a time that has passed, as in {about[0].turn.id}",
            item.answer.values[0],
            "count on the other side of the day of the session",
        )


def _is_day(item: QAItem) -> bool:
    return is_unbacked(item) and any(_day_of(value) for value in item.answer.values)


def _day_of(value: str) -> GoldDate | None:
    """The one day that a gold is; None if it is anything else."""
    found = gold_date(value)
    return found if found and found.exact and found.first == found.last else None


@unbacked_rule("dates.named", Severity.WARNING, _SOURCE, applies=_is_day)
def named(history: History, item: QAItem) -> Iterator[Problem]:
    """A gold is a day that its evidence names, where it names days and counts none."""
    spoken = _spoken(history, item)
    if any(said.dates for said in spoken):
        return
    told = [said for said in spoken if _DAY_NAMED.search(normalise(said.text))]
    for at, value in enumerate(item.answer.values):
        day = _day_of(value)
        if day is None or not told or any(may_name(said.text, day) for said in told):
            continue
        # The day on which it is told may be meant, unless the words of the matter name another.
        meant = [said for said in told if _tells(history, item, said)]
        if meant or not any(day.first == said.day for said in spoken):
            first = (meant or told)[0]
            yield problem(
                item.id,
                ("answer", "values", at),
                f"the day that {first.turn.id} names ({first.text})",
                value,
                "correct the day, or cite the place that names it",
            )


_FORM: Final = re.compile(r"\b(?:date|day|time|month|year)\b|\bReturn .*|\([^)]*\)", re.DOTALL)
"""What a question says of the form of its answer."""


def _tells(history: History, item: QAItem, said: Said) -> bool:
    """Whether a sentence says half of what is asked, by weight."""
    asked = roots(_FORM.sub(" ", item.question.text)) - history.names
    return bool(asked) and 2 * history.weight(asked & roots(said.text)) >= history.weight(asked)


def _names_part(item: QAItem) -> bool:
    return is_unbacked(item) and any(_parts(value) for value in item.answer.values)


def _parts(value: str) -> set[str]:
    """Months and weekdays in a gold that says more than a date."""
    return set(_CALENDAR.findall(value)) if gold_date(value) is None else set()


@unbacked_rule("dates.part", Severity.WARNING, _SOURCE, applies=_names_part)
def part(history: History, item: QAItem) -> Iterator[Problem]:
    """A month or weekday inside a gold is none beside the one that its evidence names."""
    there = set(_CALENDAR.findall(" . ".join(history.shown[one.id] for one in history.cited(item))))
    for at, value in enumerate(item.answer.values):
        for names in (_MONTHS, _DAYS):
            own, other = _parts(value) & names, there & names
            if own and other and not own & other:
                yield problem(
                    item.id,
                    ("answer", "values", at),
                    f"what the evidence names ({', '.join(sorted(other))})",
                    value,
                    "correct the gold, or cite the place that says so",
                )


def _has_measure(item: QAItem) -> bool:
    return is_unbacked(item) and any(measures(value) for value in item.answer.values)


@unbacked_rule("dates.measure", Severity.WARNING, _SOURCE, applies=_has_measure)
def measure(history: History, item: QAItem) -> Iterator[Problem]:
    """A number of hours, days, weeks, months or years in a gold is one that the evidence gives."""
    spoken = _spoken(history, item)
    text = " . ".join(history.shown[each.id] for each in history.cited(item))
    there = measures(text)
    counted = len({said.day for said in spoken}) >= _SEVERAL_DAYS
    for at, value in enumerate(item.answer.values):
        for each in () if counted else measures(value):
            wrong = _against(each, there)
            if wrong:
                yield problem(
                    item.id,
                    ("answer", "values", at),
                    f"the length of time of the evidence ({wrong})",
                    value,
                    "correct the number or the unit, or cite the place that gives it",
                )
                return


def _against(gold: Measure, there: list[Measure]) -> Measure | None:
    """What evidence says in place of a length: another unit, another number, the other side."""
    same = [each for each in there if (each.number, each.unit) == (gold.number, gold.unit)]
    if same:
        turned = gold.side and all(each.side == -gold.side for each in same)
        return same[0] if turned else None
    if any(each.unit == gold.unit for each in there):
        return next((each for each in there if each.unit == gold.unit), None)
    return next((each for each in there if each.number == gold.number), None)

"""Rules on golds that are dates: the evidence says when it was, and not a place beside it."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.validators.places import evidence_places
from memassay.validators.registry import problem
from memassay.validators.texts.durations import lengths
from memassay.validators.texts.gold_dates import GoldDate, gold_date, names_a_date
from memassay.validators.texts.history import (
    History,
    is_unbacked,
    session_of,
    unbacked_rule,
)
from memassay.validators.texts.spoken import DatedSentence, day_of_round, sentences_of

_SOURCE: Final = "LoCoMo data, category 2: evidence that gives no time"
_VAGUE: Final = timedelta(days=14)
"""How far off a gold that says "around" or "the week before" may be said."""
_ALIKE: Final = 0.5
"""Share of the weight of a question that a turn farther off must hold to tell what is asked."""


def _gold(item: QAItem) -> GoldDate | None:
    """The date that is the one gold of an item."""
    return gold_date(item.answer.values[0]) if len(item.answer.values) == 1 else None


def _asks_when(item: QAItem) -> bool:
    return is_unbacked(item) and _gold(item) is not None


def _gives(said: DatedSentence, gold: GoldDate) -> bool:
    return any(
        reading.first <= gold.last and gold.first <= reading.last
        for each in said.dates
        for reading in each.readings
    )


def _is_now(gold: GoldDate, day: date) -> bool:
    """Whether a gold is the day of the session, or a stretch of days that it lies in."""
    return gold.first <= day <= gold.last


def _give_no_time(history: History, rounds: list[Round], gold: GoldDate) -> bool:
    """Whether some rounds neither speak of a day nor are said on the day of the gold."""
    days = [day_of_round(history.bundle, each) for each in rounds]
    if not rounds or any(day is None or _is_now(gold, day) for day in days):
        return False
    return not any(
        said.dates or names_a_date(said.text)
        for each in rounds
        for said in sentences_of(history.bundle, each)
    )


@unbacked_rule("dates.beside", Severity.WARNING, _SOURCE, applies=_asks_when)
def beside(history: History, item: QAItem) -> Iterator[Problem]:
    """Where evidence gives no day, or is about other things, no turn beside it gives the date."""
    gold, cited = _gold(item), history.evidence(item)
    if gold is None or not cited:
        return
    timeless = _give_no_time(history, cited, gold)
    if not timeless and history.question_words(item) & history.words_of(cited):
        return
    meant = [
        each.id
        for each in _around(history, item, cited, timeless=timeless)
        if any(_gives(said, gold) for said in sentences_of(history.bundle, each))
    ]
    if meant:
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"{meant[0]}, which says when it was",
            evidence_places(item),
            "cite the turn that gives the date",
        )


def _around(
    history: History, item: QAItem, cited: list[Round], *, timeless: bool
) -> Iterator[Round]:
    """Rounds near the evidence, and those of its sessions that speak of what is asked."""
    known = {each.id for each in cited}
    near = {one.id for each in cited for one in history.near(each)}
    sessions = {session_of(each) for each in cited}
    asked = history.question_words(item)
    for each in history.rounds:
        if each.id in known or session_of(each) not in sessions:
            continue
        shared = asked & history.words[each.id]
        alike = history.weight(shared) >= _ALIKE * history.weight(asked)
        if (shared and alike) or (each.id in near and (timeless or shared)):
            yield each


@unbacked_rule("dates.unsaid", Severity.WARNING, _SOURCE, applies=_asks_when)
def unsaid(history: History, item: QAItem) -> Iterator[Problem]:
    """The evidence of a date speaks of a day, or is said near that date."""
    gold, cited = _gold(item), history.evidence(item)
    if gold is None or not _give_no_time(history, cited, gold):
        return
    days = [day for each in cited if (day := day_of_round(history.bundle, each)) is not None]
    reach = timedelta(0) if gold.exact else _VAGUE
    near = any(gold.first - reach <= day <= gold.last + reach for day in days)
    if near or any(lengths(history.texts[each.id]) for each in cited):
        return
    yield problem(
        item.id,
        ("answer", "values", 0),
        f"a date that the evidence speaks of, or its own ({', '.join(map(str, days))})",
        item.answer.values[0],
        "correct the date, or cite the place that gives it",
    )

"""Rules on years: what began seven years before 2023 began in 2016."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS, normalise
from memassay.validators.items.dates.spoken import said_in_round
from memassay.validators.items.unbacked.index import History, is_unbacked, unbacked_rule
from memassay.validators.registry import problem

_YEAR: Final = re.compile(
    r"\s*(?:in|since|around|by|during)?\s*(?P<year>(?:19|20)[0-9]{2})\W*", re.I
)
_COUNT: Final = re.compile(
    rf"\b(?P<count>[0-9]{{1,2}}|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))}|a)"
    r"[- ]years?\b(?! old)"
)
_NAMED: Final = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_LAST: Final = re.compile(r"\b(?:last year|this year|next year)\b")
_ABOUT: Final = 1
"""A count of years is whole, and a beginning that it gives may lie a year aside."""


@unbacked_rule("dates.year", Severity.WARNING, "our choice: dates by calendar", applies=is_unbacked)
def year(history: History, item: QAItem) -> Iterator[Problem]:
    """A gold that is a year is one that the evidence names or counts back to, if it does so."""
    found = [_YEAR.fullmatch(value) for value in item.answer.values]
    if len(found) != 1 or found[0] is None:
        return
    gold, known = int(found[0]["year"]), set[int]()
    counted = False
    for each in history.cited(item):
        before = history.before(each)
        for said in (
            one for part in (before, each) if part for one in said_in_round(history.bundle, part)
        ):
            plain, now = normalise(said.text), said.day.year
            named = {int(one) for one in _NAMED.findall(plain)}
            back = {now - _number(one["count"]) for one in _COUNT.finditer(plain)}
            counted = counted or bool(named or back or _LAST.search(plain))
            known |= named | {one + off for one in back for off in (-_ABOUT, 0, _ABOUT)}
            known |= {now - 1, now, now + 1}
    if counted and gold not in known:
        years = ", ".join(map(str, sorted(known)))
        expected = f"a year that the evidence names or counts back to ({years})"
        fix = "count again from the day on which it is said"
        yield problem(item.id, ("answer", "values", 0), expected, item.answer.values[0], fix)


def _number(word: str) -> int:
    return 1 if word == "a" else int(NUMBER_WORDS.get(word, word))

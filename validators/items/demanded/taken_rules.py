"""Rules on what question and gold take from each other: lengths, names, options, modifiers."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.dates.durations import lengths, passed, stated
from memassay.validators.items.dates.spoken import said_in_round
from memassay.validators.items.demanded.golds import is_open
from memassay.validators.items.demanded.kinds import asked_kind
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    openings,
    roots,
    session_of,
    unbacked_rule,
)
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: what question and gold take from each other"
_FIX: Final = "correct it, or cite the place that is meant"
_OVER: Final = re.compile(
    r"\b(?:during|in|over|within|throughout|for|after) (?:her|his|their|the|its|[A-Z]\w+['’]s)"
    r" (?:[a-z]+ )?(?P<length>\w+[- ](?:day|week|month|year)s?)\b",
    re.IGNORECASE,
)
_ASKS_NAME: Final = re.compile(r"\b(?:names?|called|named|titled?|one)\b", re.IGNORECASE)
_NAMED: Final = r"(?P<kind>[a-z]+)(?: is| was)?,? (?:called|named|titled) [\"“‘']?"
_PHRASE: Final = re.compile(
    r"\W*(?:an?|the) (?P<head>(?:[\w-]+ ){0,3}?[\w-]+?)"
    r"(?= (?:with|of|that|where|in|at|from|for|near)\b|\W*$)",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(r"\b(?:first|earlier|earliest)\b", re.IGNORECASE)
_LAST: Final = re.compile(r"\b(?:last|later|latest|afterwards)\b", re.IGNORECASE)
_OPTIONS: Final = re.compile(
    r"(?:[:,] |\b(?:between|buy|visit|mention|purchase|do|get|see) )(?P<one>[^,:?]+?),? or"
    r" (?P<other>[^,?]+)\?",
    re.IGNORECASE,
)
_UNITS: Final = ("day", "week", "month", "year")
_NEARLY: Final = 0.2
_ROUNDED: Final = 0.75
_FAR: Final = 2
_TWO: Final = 2
_THREE: Final = 3


@unbacked_rule("asking.other_length", Severity.WARNING, _SOURCE, applies=is_open)
def other_length(history: History, item: QAItem) -> Iterator[Problem]:
    """Her three days in a town, that a question supposes, its session tells of."""
    found = _OVER.search(item.question.text)
    asked = lengths(found["length"]) if found else []
    told = [one for text in _texts(history, item) for one in lengths(text)] if asked else []
    if found and asked and asked[0] not in told and history.cited(item):
        expected = "a length of time that the session tells of"
        yield problem(item.id, ("question", "text"), expected, found["length"], _FIX)


def _texts(history: History, item: QAItem) -> list[str]:
    """The texts of the sessions that an item cites."""
    by_session = history.derived(_by_session)
    return [by_session[each] for each in {session_of(one) for one in history.cited(item)}]


def _by_session(history: History) -> Mapping[str, str]:
    found: dict[str, list[str]] = {}
    for each in history.rounds:
        found.setdefault(session_of(each), []).append(history.shown[each.id])
    return {name: " . ".join(texts) for name, texts in found.items()}


@unbacked_rule("asking.named_by_gold", Severity.WARNING, _SOURCE, applies=is_open)
def named_by_gold(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks for the dish of a restaurant does not get the name of the restaurant."""
    asked, text = asked_kind(item.question.text), item.question.text
    if asked is None or asked.word not in {"what", "which", "who"} or _ASKS_NAME.search(text):
        return
    for at, value in enumerate(item.answer.values):
        plain = value.strip(" .\"'“”")
        said = history.text(item)
        told = re.search(_NAMED + re.escape(plain), said) if plain and plain in said else None
        kind = told["kind"] if told else _repeated(text, value)
        given = kind and re.search(
            rf"\b(?:the|an?|\w+['’]s) (?:[\w-]+ ){{0,2}}{re.escape(kind)}\b", text
        )
        if given and kind not in asked.phrase:
            expected = f"what is asked for, not which {kind}"
            yield problem(item.id, ("answer", "values", at), expected, value, _FIX)


def _repeated(text: str, value: str) -> str | None:
    """What a gold is by its own words, where the question says the same of a place."""
    found = _PHRASE.match(value)
    head = found["head"].split()[-_TWO:] if found else []
    run = re.escape(" ".join(head))
    said = re.search(rf"\b(?:at|in|from|to|near|by) (?:the|an?) (?:\w+ )?{run}\b", text, re.I)
    return head[-1] if len(head) == _TWO and said else None


@unbacked_rule("claims.which_first", Severity.WARNING, _SOURCE, applies=is_open)
def which_first(history: History, item: QAItem) -> Iterator[Problem]:
    """Of two things on offer the first is the one of which the earlier session tells."""
    found, text = _OPTIONS.search(item.question.text), item.question.text
    cited = sorted(history.cited(item), key=history.position)
    first = _FIRST.search(text) is not None
    if found is None or len(cited) != _TWO or first == (_LAST.search(text) is not None):
        return
    if session_of(cited[0]) == session_of(cited[1]) or len(item.answer.values) != 1:
        return
    left, right = (openings(roots(found[side])) for side in ("one", "other"))
    there = [openings(history.words[each.id]) for each in cited]
    order = _told(left - right, there), _told(right - left, there)
    if order[0] == order[1]:
        return
    # What no word of either place tells of is left for the place that the other one leaves.
    leads = order[0] == 0 or (order[0] is None and order[1] == 1)
    wanted, wrong = (left, right) if leads == first else (right, left)
    gold = openings(roots(item.answer.values[0]))
    if gold & (wrong - wanted) and not gold & (wanted - wrong):
        expected = f"the one that {cited[0 if first else 1].id} tells of"
        yield problem(item.id, ("answer", "values", 0), expected, item.answer.values[0], _FIX)


def _told(some: Words, there: list[Words]) -> int | None:
    """Which of two places says more of some words; None if neither does."""
    shares = [len(some & each) for each in there]
    return None if shares[0] == shares[1] else shares.index(max(shares))


@unbacked_rule("claims.other_unit", Severity.WARNING, _SOURCE, applies=is_open)
def other_unit(history: History, item: QAItem) -> Iterator[Problem]:
    """Four months between two days are not four weeks."""
    asked = item.question.text.casefold()
    given = [(at, stated(value)) for at, value in enumerate(item.answer.values)]
    told_there = [(at, each) for at, each in given if each and each.unit not in asked]
    if not told_there:
        return
    spoken = [one for each in history.cited(item) for one in said_in_round(history.bundle, each)]
    days = sorted({one.day for one in spoken})
    known = [each for one in spoken for each in lengths(one.text)]
    for at, told in told_there if len(days) >= _TWO else ():
        if told.number < _TWO or told in known:
            continue
        gone = {unit: passed(days[0], days[-1], unit) for unit in _UNITS}
        reach = max(_ROUNDED, _NEARLY * told.number)
        fits = [each for each in _UNITS if abs(gone[each] - told.number) <= reach]
        far = not 1 / _FAR <= gone[told.unit] / told.number <= _FAR
        if far and fits:
            expected = f"{told.number} {fits[0]}s, as the days of the evidence give"
            where = ("answer", "values", at)
            yield problem(item.id, where, expected, item.answer.values[at], _FIX)


@unbacked_rule("claims.other_modifier", Severity.WARNING, _SOURCE, applies=is_open)
def other_modifier(history: History, item: QAItem) -> Iterator[Problem]:
    """Of a "spinning class" the evidence, and its session, says more than the class."""
    cited = history.cited(item)
    if not cited or any(turn.attachments for each in cited for turn in each.turns):
        return
    here = openings(history.said(cited))
    known = openings(roots(" ".join(_texts(history, item))) | history.asked(item) | history.names)
    for at, value in enumerate(item.answer.values):
        words = [each for word in tokens(value) if (each := openings(roots(word)))]
        numbers = any(each.isdigit() for each in value)
        if numbers or not _TWO <= len(words) <= _THREE or not words[-1] & here:
            continue
        if not any(each & known for each in words[:-1]):
            expected = "a gold of which the session says more than its last word"
            yield problem(item.id, ("answer", "values", at), expected, value, _FIX)

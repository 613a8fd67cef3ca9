"""Rules on how much of a gold its evidence says: its words, its values, each beside its thing."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.aligned.clauses import forms, recalled
from memassay.validators.items.dates.gold_dates import gold_date
from memassay.validators.items.demanded.golds import is_open
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    counts,
    openings,
    recalls_words,
    roots,
    said_in,
    unbacked_rule,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "our choice: golds of which the evidence says next to nothing"
_FIX: Final = "correct the gold, or cite the place that says it"
_WHY: Final = re.compile(
    r"\b(?:why|reasons?|what (?:made|caused|led|motivated|inspired|prompted|drove))\b",
    re.IGNORECASE,
)
_HARDLY: Final = 0.3
_HARDLY_WHY: Final = 0.37
_NEARLY_NONE: Final = 0.25
_LOOSELY: Final = 0.7
_FEWEST: Final = 3
_LONG: Final = 8
_HALF: Final = 0.5
_NEARLY_ALL: Final = 0.85
"""Shares of the weight of a gold's own words, as no gold of LoCoMo or Mem-Gallery has so little."""
_SEVERAL: Final = re.compile(r"\b(?:all|list|summar\w+|overall)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[,;.]\s|\b(?:while|whereas|and|but|versus|vs|compared (?:to|with))\b")
_DIGIT: Final = re.compile(r"[0-9]")
_UNITS: Final = re.compile(
    r"(?P<before>[$€£¥]\s?)?(?P<number>[0-9][0-9.,]*(?:\s?[-–—]\s?[$€£¥]?[0-9][0-9.,]*)?)\s?"
    r"(?P<unit>%|(?:percent|°[CF]?|degrees?|km|kilomet(?:er|re)s?|miles?|kg|kilos?|grams?|g|ml"
    r"|lit(?:er|re)s?"
    r"|cm|mm|met(?:er|re)s?|inch(?:es)?|feet|dollars?|euros?|pounds?|yuan|rmb|usd|mah|watts?|w|gb"
    r"|hz"
    r"|steps|pages|calories|kcal|people|guests|minutes|hours)\b)?(?!:)",
    re.IGNORECASE,
)


@unbacked_rule("claims.hardly_said", Severity.WARNING, _SOURCE, applies=recalls_words)
def hardly_said(history: History, item: QAItem) -> Iterator[Problem]:
    """Of what a gold says beyond its question, the evidence or a round near it says a good part."""
    cited, why = history.cited(item), _WHY.search(item.question.text) is not None
    shows = any(turn.attachments for each in cited for turn in each.turns)
    if not cited or counts(item) or (shows and not why):
        return
    around = [one for each in cited for one in (each, *history.near(each))]
    for where, value in recalled(item):
        own = roots(value) - history.names - history.asked(item)
        if len(own) < _FEWEST or gold_date(value) is not None:
            continue
        near = _share(history, own, openings(history.said(around)))
        here = _share(history, own, openings(history.said(cited)))
        if not near and not why:
            continue  # That is `claims.own_words`.
        beside = why and here < _NEARLY_NONE and near < _LOOSELY
        if near < (_HARDLY_WHY if why else _HARDLY) or beside:
            expected = "a gold of which the evidence says more than a few words"
            yield problem(item.id, where, expected, value, _FIX)
            return


def _share(history: History, own: Words, there: Words) -> float:
    said = said_in(own, there)
    return history.weight(said) / max(history.weight(own), 1.0)


def _is_told_at_length(item: QAItem) -> bool:
    return recalls_words(item) and not _SEVERAL.search(item.question.text)


@unbacked_rule("claims.told_of_another", Severity.WARNING, _SOURCE, applies=_is_told_at_length)
def told_of_another(history: History, item: QAItem) -> Iterator[Problem]:
    """A long gold is told by its evidence, not by some other round that says nearly all of it."""
    cited = history.cited(item)
    own = roots(" . ".join(item.answer.values)) - history.asked(item) - history.names
    if len(own) < _LONG or not cited:
        return
    beside = [one for each in cited for one in (history.before(each), each, history.after(each))]
    around = [one for one in beside if one is not None]
    if _share(history, own, openings(history.said(around))) >= _HALF:
        return
    known = {each.id for each in around}
    for each in history.rounds:
        told = _share(history, own, openings(history.words[each.id]))
        if each.id not in known and told >= _NEARLY_ALL:
            fix = "correct the gold, or cite that place"
            expected = f"what the evidence says, not what {each.id} does"
            yield problem(item.id, ("answer", "values"), expected, item.answer.values, fix)
            return


@unbacked_rule("claims.values_exchanged", Severity.WARNING, _SOURCE, applies=is_open)
def values_exchanged(history: History, item: QAItem) -> Iterator[Problem]:
    """Of two things with a number each, each has the number that the evidence gives it."""
    told = [
        clause
        for each in history.cited(item)
        for part in sentences(history.shown[each.id])
        for clause in _CLAUSE.split(part)
        if _DIGIT.search(clause) or _spelt(clause)
    ]
    for at, value in enumerate(item.answer.values if told else ()):
        clauses = [each for each in _CLAUSE.split(value) if _numbers(each)]
        for one, other in combinations(clauses, 2):
            mine, its = forms(one) - forms(other), forms(other) - forms(one)
            if _given(told, one, mine, its) and _given(told, other, its, mine):
                expected = "the numbers of the evidence, each beside its thing"
                yield problem(item.id, ("answer", "values", at), expected, value, _FIX)
                return


def _given(told: list[str], clause: str, mine: Words, other: Words) -> bool:
    """Whether each clause of the evidence with the same numbers tells of the other thing."""
    mine, other = (frozenset(word for word in some if word.isalpha()) for some in (mine, other))
    same = [each for each in told if _numbers(clause) <= _numbers(each)]
    return bool(same) and all(forms(each) & other and not forms(each) & mine for each in same)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(
        NUMBER_WORDS.get(word, word)
        for word in tokens(text)
        if word[0].isdigit() or (word in NUMBER_WORDS and word != "one")
    )


def _spelt(text: str) -> bool:
    return bool(_numbers(text))


@unbacked_rule("claims.measure", Severity.WARNING, _SOURCE, applies=is_open)
def measure(history: History, item: QAItem) -> Iterator[Problem]:
    """A gold that is a number with a unit is one that the evidence gives in that unit."""
    text = f"{history.text(item)} . {item.question.text}"
    for at, value in enumerate(item.answer.values):
        given = [found for found in _UNITS.finditer(value) if _unit(found)]
        if len(given) != 1:
            continue
        said = {
            _plain(each["number"])
            for each in _UNITS.finditer(text)
            if _unit(each) == _unit(given[0])
        }
        if said and _plain(given[0]["number"]) not in said and not _adds_up(given[0], said):
            where = ("answer", "values", at)
            yield problem(item.id, where, f"one of {', '.join(sorted(said))}", value, _FIX)


def _unit(found: "re.Match[str]") -> str:
    sign = (found["before"] or found["unit"] or "").strip().casefold().removesuffix("s")
    return {"percent": "%", "dollar": "$", "usd": "$", "euro": "€", "pound": "£"}.get(sign, sign)


def _plain(number: str) -> str:
    return re.sub(r"\s?[-–—]\s?[$€£¥]?", "-", number).strip(".,").replace(",", "")


def _adds_up(found: "re.Match[str]", said: set[str]) -> bool:
    """Whether a number may be a sum, a difference, or part of a range of those that are said."""
    ends = [end for each in said for end in each.split("-")]
    whole = _plain(found["number"])
    if whole in ends or len(said) > 1:
        return True
    return "-" in whole and any("-" not in each for each in said)

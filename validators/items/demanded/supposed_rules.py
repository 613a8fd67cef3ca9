"""Rules on what a question takes for granted in a clause: its session says something of it."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.validators.items.demanded.golds import is_open
from memassay.validators.items.fitting.verbs import base_forms
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    openings,
    roots,
    session_of,
    unbacked_rule,
)
from memassay.validators.registry import problem

_SOURCE: Final = "our choice: questions that suppose what did not happen"
_CLAUSE: Final = re.compile(
    r"(?<!before or )\b(?:after|before|(?<!^)when|while|because|since|although|though|once|until"
    r"|now that|during|despite"
    r"|following|upon|due to|as)\b (?P<what>(?:(?!\b(?:while|because|since|although|when|before"
    r"|after) )[^,?])+)",
    re.IGNORECASE,
)
_VAGUE: Final = spaced(
    "mention mentioned mentioning discuss discussed discussing talk talked talking say said saying"
    " tell told telling share shared sharing show showed shown showing describe described ask asked"
    " conversation dialogue user assistant according image picture photo session topic first second"
    " third last next later earlier early late time times day week weekend month year date morning"
    " evening afternoon night trip visit visited session sessions part process experience event"
    " events moment start started starting begin began begun beginning finish finished end ended"
    " consider considering consideration choose choosing chose chosen decide decided return"
    " returned"
    " returning go going went come came coming get getting got make making made take taking took"
    " recommend recommended recommending suggest suggested suggesting introduce introducing plan"
    " planned planning receive received attend attended use used using based related whole entire"
    " different several two three four five six seven eight nine ten new old full change changed"
    " initially ultimately finally recently over place want wants down up out off back away on "
    + " ".join(MONTHS).casefold()
)
"""Words with which a question says in its own way when something was."""
_LEAST: Final = 2
_ORDERED: Final = re.compile(r"\b(?:before or after|come|came|first|happen\w*|occur\w*)\b", re.I)
"""Who asks for an order names two things that need not be told in one session."""


@unbacked_rule("asking.granted", Severity.WARNING, _SOURCE, applies=is_open)
def granted(history: History, item: QAItem) -> Iterator[Problem]:
    """Of what a clause of a question takes for granted, its session says at least one word."""
    sessions = {session_of(each) for each in history.cited(item)}
    ordered = _ORDERED.search(item.question.text) is not None
    if not sessions or item.question.attachments or ordered:
        return
    vague = _vague()
    for found in _CLAUSE.finditer(item.question.text):
        words = roots(found["what"]) - history.names
        own = {word for word in words if word.isalpha() and not openings(frozenset({word})) & vague}
        if len(own) >= _LEAST and not openings(frozenset(own)) & _said(history, sessions):
            expected = "a clause of which the session of the evidence says something"
            fix = "drop the clause, or cite the place that tells of it"
            yield problem(item.id, ("question", "text"), expected, found[0], fix)
            return


@cache
def _vague() -> Words:
    return openings(roots(" ".join(_VAGUE)))


def _said(history: History, sessions: set[str]) -> Words:
    """The words of some sessions in any form."""
    by_session = history.derived(_by_session)
    return frozenset[str]().union(*(by_session[each] for each in sessions))


def _by_session(history: History) -> Mapping[str, Words]:
    """The words of each session in any form."""
    found: dict[str, Words] = {}
    for each in history.rounds:
        name = session_of(each)
        words = roots(base_forms(history.shown[each.id])) | history.words[each.id]
        found[name] = found.get(name, frozenset()) | openings(words)
    return found

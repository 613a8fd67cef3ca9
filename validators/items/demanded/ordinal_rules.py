"""Rules on which of several things a question names: the third, the black one, the other city."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.unbacked.index import (
    History,
    asks_directly,
    openings,
    roots,
    unbacked_rule,
    weighs_statement,
    yes_or_no_gold,
)
from memassay.validators.registry import problem

_SOURCE: Final = "Mem-Gallery data, questions on one of several things"
_ORDINALS: Final = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
)
_NTH: Final = re.compile(
    rf"\b(?P<nth>{_ORDINALS})\b(?P<rest>(?:,? [\w'’-]+){{1,5}})", re.IGNORECASE
)
_TIMES: Final = spaced("time times day week weekend month year half place round date")
_ANY: Final = spaced("one image photo picture option")
_AFTER: Final = 5
_HALF: Final = 2


@unbacked_rule("asking.which_one", Severity.WARNING, _SOURCE, applies=asks_directly)
def which_one(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks for the second sweater cites no place that tells of the fourth alone."""
    asked = _numbered(item.question.text)
    said = _numbered(history.text(item)) if asked else []
    for nth, things in asked if len(asked) == 1 else ():
        same = [other for other, some in said if things & some]
        if same and nth not in same and len(set(same)) == 1:
            expected = f"the {same[0]} one, of which the evidence tells"
            fix = "correct the question, or cite the place that tells of it"
            yield problem(item.id, ("question", "text"), expected, f"the {nth} one", fix)
            return


def _numbered(text: str) -> list[tuple[str, frozenset[str]]]:
    """Each ordinal of a text with the stems of the words behind it."""
    found = []
    for each in _NTH.finditer(text):
        line = tokens(each["rest"])
        if line and not _TIMES & set(line[:1]):
            found.append((each["nth"].casefold(), roots(" ".join(line[:_AFTER])) - _ANY))
    return found


_STATEMENT: Final = re.compile(
    r"(?:following (?:information|statement)|memory|statement|claim"
    r"|information)\b[^:]{0,140}:\s*(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_NAME: Final = re.compile(
    r"(?<![.!?:\n] )(?<!^)(?<![\n\"“'‘])\b[A-Z][\w'’-]{2,}(?: (?:of |the )?[A-Z][\w'’-]+)*"
)


@unbacked_rule("claims.other_name", Severity.WARNING, _SOURCE)
def other_name(history: History, item: QAItem) -> Iterator[Problem]:
    """A statement about one tower does not agree with evidence that speaks of another one."""
    text = item.question.text
    found = _STATEMENT.search(text) if weighs_statement(text) else None
    if found is None or yes_or_no_gold(item) != "no":
        return
    text = history.text(item)
    said = openings(roots(text) | history.names)
    for name in _NAME.findall(found["what"]):
        words, kind = openings(roots(name)), name.split()[-1]
        unsaid = _HALF * len(words - said) >= len(words)
        another = re.search(rf"\b(?!The\b)[A-Z][\w'’-]+ {re.escape(kind)}\b", text)
        if len(words) > 1 and unsaid and another and name not in text:
            where = ("answer", "values", 0)
            fix = "correct the gold, or cite the place that says it"
            yield problem(
                item.id, where, f"yes, for the evidence speaks of {another[0]}", "no", fix
            )
            return

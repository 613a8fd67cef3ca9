"""Rules on lists: each member is said by the evidence."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.unbacked.index import (
    History,
    openings,
    recalls_words,
    roots,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.registry import problem

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_MEMBERS: Final = re.compile(r"\s*(?:[,;]\s*(?:and |or )?|\b(?:and|or)\b)\s*")
_STRONG_NOT: Final = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_LONGEST_MEMBER: Final = 4
_LEAST: Final = 2
_ALL: Final = 0.95
"""Share of a question's words that a place must say to answer it too."""
_WANTS_ALL: Final = re.compile(
    r"\b(?:what|which|where|who|whom)\b.*\b(?:has|have)\b", re.IGNORECASE
)


@unbacked_rule("claims.member", Severity.WARNING, _SOURCE, applies=recalls_words)
def member(history: History, item: QAItem) -> Iterator[Problem]:
    """Where the evidence says the other members of a list, it says some word of each."""
    said = openings(history.said(history.cited(item)) | history.asked(item) | history.names)
    for at, value in enumerate(item.answer.values):
        parts = [part for part in _MEMBERS.split(value.strip(" .")) if roots(part)]
        # A member that denies something is `claims.negated`.
        affirmed = [part for part in parts if not _STRONG_NOT.search(part)]
        unsaid = [part for part in affirmed if not openings(roots(part)) & said]
        listed = "," in value and all(len(tokens(part)) <= _LONGEST_MEMBER for part in parts)
        if listed and len(parts) >= _LEAST and len(unsaid) == 1:
            yield problem(
                item.id,
                ("answer", "values", at),
                "members that the evidence says",
                unsaid[0],
                "drop the member, or cite the place that says it",
            )


def _wants_all(item: QAItem) -> bool:
    listed = any(len(_MEMBERS.split(value.strip(" ."))) >= _LEAST for value in item.answer.values)
    return recalls_words(item) and listed and _WANTS_ALL.match(item.question.text) is not None


# Of nine places in LoCoMo that it names, one tells of another member: worth a look, no doubt.
@unbacked_rule("claims.others", Severity.INFO, _SOURCE, applies=_wants_all)
def others(history: History, item: QAItem) -> Iterator[Problem]:
    """Where all that somebody has done is asked for, no place left out speaks of other things."""
    people = {each.id for each in history.named(item.question.text)}
    asked, gold = history.asked(item), openings(history.gold(item))
    known = {each.id for each in history.cited(item)}
    for each in history.rounds if len(people) == 1 and asked else ():
        if each.id in known or not people & speakers_of(each):
            continue
        said = history.words[each.id]
        whole = history.weight(asked & said) >= _ALL * history.weight(asked)
        if (
            whole
            and not gold & openings(said)
            and not history.shown[each.id].rstrip().endswith("?")
        ):
            yield problem(
                item.id,
                ("answer", "values"),
                f"what {each.id} tells of {', '.join(sorted(asked))}",
                item.answer.values,
                "add what it tells, or ask for less",
            )
            return

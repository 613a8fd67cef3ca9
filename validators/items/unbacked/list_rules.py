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
    unbacked_rule,
)
from memassay.validators.registry import problem

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_MEMBERS: Final = re.compile(r"\s*(?:[,;]\s*(?:and |or )?|\b(?:and|or)\b)\s*")
_STRONG_NOT: Final = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_LONGEST_MEMBER: Final = 4
_LEAST: Final = 2


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

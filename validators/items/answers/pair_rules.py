"""Rules on pairs of items without a ledger: one question in two wordings, with one gold or two."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.validators.places import evidence_places
from memassay.validators.registry import RULES, problem
from memassay.validators.texts.history import (
    History,
    Words,
    counts,
    history_of,
    recalls_words,
    roots,
)
from memassay.validators.wording import words

_SOURCE: Final = "LoCoMo data, questions asked twice"
_ALIKE: Final = 0.6
"""Share of the weight of two questions' words that is in both."""
_LIKEST: Final = re.compile(
    r"\bfavou?rite\b|\b(?:enjoy|like|love|prefer)s?\b.*\b(?:most|best)\b", re.IGNORECASE
)
_WORDING: Final = (
    "type kind sort genre main new favorite favourite watch read play listen eat enjoy like love"
    " prefer best mention mentioned describe described share shared say said conversation "
    + " ".join(MONTHS)
)
"""Words that tell how, or when, something is asked, and not what."""


def _items(bundle: Bundle) -> tuple[History, list[QAItem]]:
    return history_of(bundle.history), [item for item in bundle.questions if recalls_words(item)]


def _core(history: History, item: QAItem) -> Words:
    """The words that tell what is asked."""
    asked = history.question_words(item) - roots(_WORDING)
    return frozenset(word for word in asked if not word[0].isdigit())


def _people(history: History, item: QAItem) -> set[str]:
    return {each.id for each in history.people_in(item.question.text)}


def _gold(item: QAItem) -> Words:
    return roots(" ".join(item.answer.values))


@RULES.conversation("duplicates.reworded", Severity.INFO, _SOURCE, looks_at=LooksAt.CONVERSATION)
def rewording(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No item asks in other words what an earlier one asks, with the same evidence and gold."""
    if not any(recalls_words(item) for item in bundle.questions):
        return
    history, items = _items(bundle)
    by_places: dict[tuple[str, ...], list[QAItem]] = {}
    for item in items:
        by_places.setdefault(tuple(sorted(evidence_places(item))), []).append(item)
    for group in by_places.values():
        for first, item in combinations(group, 2):
            if _is_same(history, first, item):
                yield problem(
                    item.id,
                    ("question", "text"),
                    "a question of its own",
                    f"{first.id} in other words",
                    "drop one of the two",
                )


def _is_same(history: History, first: QAItem, item: QAItem) -> bool:
    one, other = _gold(first), _gold(item)
    golds = _core(history, first) - other, _core(history, item) - one
    shared, both = golds[0] & golds[1], golds[0] | golds[1]
    alike = bool(shared) and history.weight(shared) >= _ALIKE * history.weight(both)
    same = 2 * len(one & other) >= min(len(one), len(other)) and not (counts(first) or counts(item))
    again = words(first.question.text) == words(item.question.text)
    return alike and same and not again and _people(history, first) == _people(history, item)


@RULES.conversation("pairs.likest", Severity.INFO, _SOURCE, looks_at=LooksAt.CONVERSATION)
def likest(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Of one kind a person likes one thing most: two such questions have one answer."""
    asked = [item for item in bundle.questions if _LIKEST.search(item.question.text)]
    if len([item for item in asked if recalls_words(item)]) < len(("one", "other")):
        return
    history, items = _items(bundle)
    for first, item in combinations([each for each in items if each in asked], 2):
        if _differ(history, (first, item)):
            for own, other in ((first, item), (item, first)):
                yield problem(
                    own.id,
                    ("answer", "values"),
                    f"the answer of {other.id} ({', '.join(other.answer.values)})",
                    own.answer.values,
                    "find out which answer is right, or ask for a time",
                )


def _differ(history: History, pair: Sequence[QAItem]) -> bool:
    """Whether two questions ask for the same kind, and get different golds."""
    (one, other), (left, right) = ([_core(history, each) for each in pair], map(_gold, pair))
    return (
        bool(one)
        and one == other
        and _people(history, pair[0]) == _people(history, pair[1])
        and not (left <= right or right <= left)
    )

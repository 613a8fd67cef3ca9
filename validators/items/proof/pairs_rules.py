"""Rules about the questions of one conversation beside each other: queries, wordings, twins."""

import json
from collections.abc import Callable, Iterator
from typing import Final

from memassay.schemas.contracts.rules import ConversationCheck, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.proof.proving import has_query
from memassay.validators.registry import RULES, problem, question_rule

_ASSAY: Final = "memassay design, the assay: the question asks its query"
_Key = tuple[object, ...]


def _query(item: QAItem) -> _Key:
    """The query in its one form, when it is asked, and the images that are shown with it."""
    shown = tuple(one.asset for one in item.question.attachments)
    query = json.dumps(item.query, sort_keys=True, ensure_ascii=False)
    return query, item.asked_at.checkpoint, item.asked_at.session, shown


def _text(item: QAItem) -> _Key:
    shown = tuple(one.asset for one in item.question.attachments)
    return tuple(tokens(item.question.text)), item.asked_at.checkpoint, item.asked_at.session, shown


def _twins(left: QAItem, right: QAItem) -> bool:
    return left.twin_of == right.id or right.twin_of == left.id


def _pairs(
    bundle: Bundle, alike: Callable[[QAItem], _Key], apart: Callable[[QAItem], _Key]
) -> Iterator[tuple[QAItem, QAItem]]:
    """Every item with the first before it that is alike in one way and not in the other."""
    seen: dict[_Key, list[QAItem]] = {}
    for item in filter(has_query, bundle.questions):
        before = seen.setdefault(alike(item), [])
        for other in before:
            if apart(other) != apart(item) and not _twins(item, other):
                yield item, other
                break
        before.append(item)


def _beside(rule_id: str, severity: Severity) -> Callable[[ConversationCheck], ConversationCheck]:
    """Register a check of all questions of a conversation that have a query."""
    return RULES.conversation(rule_id, severity, _ASSAY, applies=has_query)


@_beside("pairs.one_query", Severity.WARNING)
def one_query(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No two questions of a conversation that are worded differently have one query."""
    for item, other in _pairs(bundle, _query, _text):
        fix = "state the query that the question asks, or drop one of both"
        yield problem(item.id, ("query",), "a query of its own", f"the query of {other.id}", fix)


@_beside("pairs.two_queries", Severity.ERROR)
def two_queries(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No two questions of a conversation that are worded alike have different queries."""
    for item, other in _pairs(bundle, _text, _query):
        got, fix = f"the text of {other.id}", "word both after their queries, or drop one"
        yield problem(item.id, ("question", "text"), "a wording of its own", got, fix)


def _has_twin(item: QAItem) -> bool:
    return item.twin_of is not None


@question_rule("pairs.twin", Severity.ERROR, _ASSAY, _has_twin, beside_others=True)
def twin(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The twin that an item names is another item of its conversation."""
    if item.twin_of == item.id or item.twin_of not in {other.id for other in bundle.questions}:
        fix = "name the answerable question that it is the twin of, or none"
        yield problem(item.id, ("twin_of",), "another item", item.twin_of, fix)

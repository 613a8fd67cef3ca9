"""The rule on questions of order that common sense answers without the history."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.registry import problem, question_rule

_SOURCE: Final = "our choice: 36 of 39 such items were answered from the question alone"


@question_rule(
    "shortcut.procedure",
    Severity.WARNING,
    _SOURCE,
    lambda item: bool(item.answer.options) and item.query is not None,
)
def procedure(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No choice among the steps of a procedure asks which comes first or last."""
    if any(one.get("op") == "pick" and one.get("by") == "order" for one in _nodes(item.query)):
        fix = "ask for all the steps in order, or for a value that only the history has"
        expected = "a choice that common sense does not make"
        yield problem(item.id, ("question", "text"), expected, item.question.text, fix)


def _nodes(node: object) -> Iterator[dict[str, object]]:
    """Every expression of a query."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from _nodes(inner)

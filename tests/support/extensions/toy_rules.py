"""A family of one rule, as somebody else would write it."""

from collections.abc import Iterator

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.registry import problem, question_rule


@question_rule("toy.polite", Severity.WARNING, "a test of added rules")
def polite(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A question says please."""
    if "please" not in item.question.text:
        yield problem(item.id, ("question", "text"), "please", item.question.text, "be polite")

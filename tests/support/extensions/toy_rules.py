"""A family of two rules, as somebody else would write it."""

from collections.abc import Iterable, Iterator
from typing import Any

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.registry import RULES, problem, question_rule


@question_rule("toy.polite", Severity.WARNING, "a test of added rules")
def polite(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A question says please."""
    if "please" not in item.question.text:
        yield problem(item.id, ("question", "text"), "please", item.question.text, "be polite")


def _length(bundle: Bundle) -> list[Any]:
    """Id and number of words of a conversation."""
    turns = bundle.conversation.turns()
    return [bundle.id, sum(len(turn.text.split()) for turn in turns)]


@RULES.collection(
    "toy.length", Severity.INFO, "toy: our choice", digest=_length, digests=("conversation",)
)
def length(lengths: Iterable[list[Any]], _context: RuleContext) -> Iterator[Problem]:
    """No conversation has a hundred times the words of the shortest one."""
    words = dict(lengths)
    for talk, number in words.items():
        if number > 100 * min(words.values()):
            yield problem(talk, (), "a conversation as short as others", number, "cut it")

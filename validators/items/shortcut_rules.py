"""Rules on questions of order that need no history: a word or common sense tells the place."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, QAItem
from memassay.schemas.values.text import holds
from memassay.validators.places import evidence_turns
from memassay.validators.registry import problem, question_rule

_SOURCE: Final = "our choice: 36 of 39 such items were answered from the question alone"
_MARK: Final = (
    r"(?:first of all|last of all|before (?:anything|everything) else|after everything else|"
    r"when all else is done|at the very (?:start|beginning|end)|as the very (?:first|last) thing)"
)
_TELLS: Final = re.compile(
    rf"^(?:{_MARK}|to (?:begin|start) with|to finish(?: with)?|finally|lastly)\b|\b{_MARK}[.!]?$",
    re.IGNORECASE,
)
"""Words at either end of an option or a step that say where it stands."""
_ORDER: Final = re.compile(
    r"\b(?:first|last|next|earliest|latest|order|sequence|before|after)\b", re.IGNORECASE
)
_STEPS: Final = re.compile(r"\b(?:steps?|procedure|routine)\b", re.IGNORECASE)


def _asks_order(item: QAItem) -> bool:
    """Whether a question is about the order of things that it lists."""
    listed = bool(item.answer.options) or item.answer.relation is AnswerRelation.ORDERED
    return item.answerable and listed and _ORDER.search(_stem(item)) is not None


def _stem(item: QAItem) -> str:
    """The question without the options listed behind it."""
    listed = " ".join(f"{one.label}. {one.text}" for one in item.answer.options)
    return item.question.text.removesuffix(listed)


@question_rule("shortcut.order_word", Severity.WARNING, _SOURCE, applies=_asks_order)
def order_word(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No option or member of an order says itself where it stands: `last of all`."""
    named = [(("answer", "options", at), one.text) for at, one in enumerate(item.answer.options)]
    named = named or [
        (("answer", "values", at), one)
        for at, one in enumerate(item.answer.values)
        if holds(item.question.text, one)  # steps that are to be recalled are not shown
    ]
    for parts, text in named:
        if _TELLS.search(text.strip()):
            fix = "take the words out, or ask for something else"
            yield problem(item.id, parts, "words that do not tell the order", text, fix)


def _of_steps(bundle: Bundle, item: QAItem) -> bool:
    """Whether options are the steps of one procedure: by the query, else by one cited turn."""
    nodes = list(_nodes(item.query))
    if nodes:
        return any(
            one.get("op") == "pick" and one.get("by") == "order" for one in _nodes(item.query)
        )
    texts = [turn.text for turn in evidence_turns(bundle, item)]
    steps = [one.text for one in item.answer.options]
    told = any(all(holds(text, step) for step in steps) for text in texts)
    return told and _STEPS.search(_stem(item)) is not None


def _nodes(node: object) -> Iterator[dict[str, object]]:
    """Every expression of a query."""
    if isinstance(node, dict):
        yield node
    for inner in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from _nodes(inner)


@question_rule(
    "shortcut.procedure",
    Severity.WARNING,
    _SOURCE,
    applies=lambda item: bool(item.answer.options) and _asks_order(item),
)
def procedure(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No choice among the steps of a procedure asks which comes first or last."""
    if _of_steps(bundle, item):
        fix = "ask for all the steps in order, or for a value that only the history has"
        expected = "a choice that common sense does not make"
        yield problem(item.id, ("question", "text"), expected, _stem(item), fix)

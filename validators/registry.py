"""The one registry of rules, and how families register rules and word problems.

A family is a module `<family>_rules` of checks. A check yields problems; `problem` words them
all alike: `<record id>.<field>: expected X, got 'Y'`, then the fix.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Final

from memassay.schemas.blame import blaming
from memassay.schemas.contracts.rules import (
    Applies,
    LooksAt,
    Problem,
    RuleContext,
    RuleRegistry,
    pointer,
)
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

RULES: Final = RuleRegistry()
"""Every rule of the package; `memassay.validators.check` fills it."""

UNTESTED: Final = "tested.gold"
"""The rule whose finding says that nothing was held against part of a gold; certificates ask."""

UNREAD_TEXT: Final = "histories.unread"
"""The rule whose finding says that a history has text of others which nobody read."""
LENT_TEXT: Final = "distractors.foreign"
"""The rule whose finding says that a session was lent by a history that other people wrote."""
READ_WHOLE: Final = "reading.whole"
"""The rule whose finding says that a reader read every session and found nothing."""

ASKED: Final = ("question",)
"""Kinds of data that a digest of questions looks at beside the conversation."""

QuestionCheck = Callable[[Bundle, QAItem, RuleContext], Iterable[Problem]]

_LONGEST: Final = 120


def always(_item: QAItem) -> bool:
    """Applies to every item."""
    return True


def question_rule(
    rule_id: str,
    severity: Severity,
    source: str,
    applies: Applies = always,
    *,
    beside_others: bool = False,
    threshold: float | None = None,
) -> Callable[[QuestionCheck], QuestionCheck]:
    """Decorator: register a check of one question.

    Args:
        rule_id: `family.rule`.
        severity: How bad a breach is.
        source: Where the demand comes from.
        applies: Items that the rule says nothing about are not checked; their certificates
            show the rule as not applicable.
        beside_others: Whether the check compares the question with others of its conversation;
            else the bundle it is given has none, so that it can be asked about one alone.
        threshold: The number that a recipe may set for it, `context.threshold`.
    """

    def register(check: QuestionCheck) -> QuestionCheck:
        @wraps(check)
        def over_questions(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
            given = bundle if beside_others else bundle.history
            for item in bundle.questions:
                with blaming(f"rule {rule_id} on {item.id}", check):
                    if applies(item):
                        yield from check(given, item, context)

        RULES.conversation(
            rule_id,
            severity,
            source,
            looks_at=LooksAt.CONVERSATION if beside_others else LooksAt.QUESTION,
            applies=applies,
            threshold=threshold,
        )(over_questions)
        return check

    return register


def state_of(conversation_sha256: str) -> str:
    """The state of a history in a message, so that reading it says nothing of a later state."""
    return f"state {conversation_sha256[:16]}"


def problem(
    target: str, parts: tuple[str | int, ...], expected: str, got: object, fix: str
) -> Problem:
    """A problem in the wording that every message has.

    Args:
        target: Id of the record.
        parts: Unescaped parts of the JSON Pointer to the place inside the record.
        expected: What the rule demands.
        got: What is there instead; long texts are cut, lists are joined.
        fix: What would mend it.
    """
    field = ".".join(str(part) for part in parts)
    where = f"{target}.{field}" if field else target
    return target, pointer(*parts), f"{where}: expected {expected}, got '{_show(got)}'", fix


def _show(got: object) -> str:
    text = ", ".join(str(part) for part in got) if isinstance(got, list | tuple) else str(got)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

"""The one rule book, and how families register rules and word problems.

A family is a module `<family>_rules` of checks. A check yields problems; `problem` words them
all alike: `<record id>.<field>: expected X, got 'Y'`, then the fix.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleBook, RuleContext, pointer
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

RULES: Final = RuleBook()
"""Every rule of the package; `memassay.validators.check` fills it."""

QuestionCheck = Callable[[Bundle, QAItem, RuleContext], Iterable[Problem]]
Applies = Callable[[QAItem], bool]

QUESTION_RULES: Final[dict[str, Applies]] = {}
"""By id of each rule that looks at single questions: whether it applies to an item."""

_LONGEST: Final = 120


def always(_item: QAItem) -> bool:
    """Applies to every item."""
    return True


def question_rule(
    rule_id: str, severity: Severity, source: str, applies: Applies = always
) -> Callable[[QuestionCheck], QuestionCheck]:
    """Decorator: register a check of one question.

    Args:
        rule_id: `family.rule`.
        severity: How bad a breach is.
        source: Where the demand comes from.
        applies: Items that the rule says nothing about are not checked; their certificates
            show the rule as not applicable.
    """

    def register(check: QuestionCheck) -> QuestionCheck:
        @wraps(check)
        def over_questions(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
            for item in bundle.questions:
                if applies(item):
                    yield from check(bundle, item, context)

        RULES.conversation(rule_id, severity, source)(over_questions)
        QUESTION_RULES[rule_id] = applies
        return check

    return register


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
    return target, pointer(*parts), f"{where}: expected {expected}, got '{_shown(got)}'", fix


def _shown(got: object) -> str:
    text = ", ".join(str(part) for part in got) if isinstance(got, list | tuple) else str(got)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

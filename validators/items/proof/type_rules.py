"""Rules of what defines a paper's question types: errors for ours, warnings for imported ones.

The demands themselves are in `memassay.schemas.benchmarks`; question banks use them too.
"""

from collections.abc import Iterator

from memassay.schemas.benchmarks.constraints import Constraint, SaidAndShown
from memassay.schemas.benchmarks.registry import BENCHMARKS
from memassay.schemas.contracts.rules import LooksAt, Problem, Rule, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import ItemOrigin, QAItem
from memassay.validators.registry import RULES, problem


def _register(constraint: Constraint, rule_id: str, severity: Severity, *, ours: bool) -> None:
    """One constraint as a rule for the items that machines made, or for all others."""

    def applies(item: QAItem) -> bool:
        made = item.origin is ItemOrigin.MACHINE
        return item.benchmark_type == constraint.code and made is ours and item.answerable

    def check(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
        history = SaidAndShown(bundle.history)
        for item in bundle.questions:
            if applies(item):
                for breach in constraint.check(history, item):
                    yield problem(item.id, breach.parts, breach.expected, breach.got, breach.fix)

    RULES.add(
        Rule(
            rule_id,
            severity,
            constraint.what,
            constraint.source,
            LooksAt.QUESTION,
            conversation_check=check,
            applies=applies,
        )
    )


for _constraint in (one for each in BENCHMARKS.values() for one in each.constraints):
    _register(_constraint, _constraint.id, Severity.ERROR, ours=True)
    _register(_constraint, f"{_constraint.id}_imported", Severity.WARNING, ours=False)

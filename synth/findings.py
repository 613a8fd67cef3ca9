"""The registry of what the stages of synthesis report about their own work."""

from typing import Final

from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Finding, Severity

SYNTHESIS_RULES = RuleRegistry()
"""Rules whose breaches a stage of synthesis finds while it works."""

UNPROVEN: Final = SYNTHESIS_RULES.declare(
    "questions.unproven",
    Severity.WARNING,
    "A question that a model proposes has a query that gives its gold; else a person decides.",
    "design, paper mode: a question without an executable query goes to review",
)


def unproven(item: str) -> Finding:
    """A question has no query."""
    said = f"{item}.query: expected a query that proves the gold, got 'none'"
    return UNPROVEN.finding(item, "/query", said, "Let a person decide: `memassay review list`.")
